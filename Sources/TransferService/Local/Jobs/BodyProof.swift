import SessionCore
import SessionSupport

/// Verifies a streamed body against a checksum, a length, or both.
///
/// Written bytes cannot be taken back, but the failure tells the user that they are not the file. An announced length
/// is compared before the first byte.
struct BodyProof {
    private let checksum: Checksum?
    private let length: Int64?
    private let digest: Digest?
    private var count: Int64 = 0
    /// The verified checksum; nil before the end, and where none was requested.
    private(set) var proven: Checksum?

    /// Returns nil without a checksum or a length.
    init?(checksum: Checksum?, length: Int64?) throws(SessionError) {
        guard checksum != nil || length != nil else { return nil }
        self.checksum = checksum
        self.length = length
        digest = if let checksum { try Digest(checksum.algorithm) } else { nil }
    }

    /// Counts a chunk before it is written; returns why it must not be.
    mutating func add(_ bytes: [UInt8], after head: ResponseHead?) -> String? {
        if count == 0, let announced = Self.announced(head), let words = lengthProblem(announced) { return words }
        count += Int64(bytes.count)
        if let length, count > length { return ServiceErrors.tooLong(length) }
        let problem = bytes.withUnsafeBytes { bytes in
            do throws(SessionError) {
                try digest?.update(bytes)
                return nil as String?
            } catch {
                return error.message
            }
        }
        return problem
    }

    /// Compares the complete body; returns why it is not the file.
    mutating func end() -> String? {
        if let words = lengthProblem(count) { return words }
        guard let checksum, let digest else { return nil }
        do throws(SessionError) {
            let found = try digest.finalValue()
            guard found == checksum.digest else {
                return ServiceErrors.checksum(
                    checksum.algorithm.rawValue, found: ByteText.hexadecimal(found),
                    expected: ByteText.hexadecimal(checksum.digest))
            }
        } catch {
            return error.message
        }
        proven = checksum
        return nil
    }

    private func lengthProblem(_ found: Int64) -> String? {
        guard let length, found != length else { return nil }
        return ServiceErrors.otherLength(found, expected: length)
    }

    /// The length of the complete file that a response announces.
    private static func announced(_ head: ResponseHead?) -> Int64? {
        guard let head, head.statusCode == 200, head.headers["Content-Encoding"] == nil else { return nil }
        return head.headers["Content-Length"].flatMap { ByteText.decimal($0) }
    }
}

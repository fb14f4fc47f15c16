internal import FleetQueue
internal import Foundation
internal import SessionCore

/// A downloaded file that goes into a bucket, open until then: another file of the same name changes nothing.
///
/// A class because it owns the descriptor.
final class SpoolFile: Sendable {
    private let descriptor: Int32
    let length: Int64

    init(_ path: String) throws(SpoolFault) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SpoolFault(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw SpoolFault(code)
        }
        length = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Whether a path still leads to this file, and not to one that another worker of the spool has put there.
    func isAt(_ path: String) -> Bool {
        var (own, there) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, lstat(path, &there) == 0 else { return false }
        return own.st_dev == there.st_dev && own.st_ino == there.st_ino
    }

    /// The bytes of a range; a shorter file is an error.
    func bytes(_ range: Range<Int64>) throws(SpoolFault) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound))
        var done = 0
        while done < buffer.count {
            let place = off_t(range.lowerBound) + off_t(done)
            let count = buffer.withUnsafeMutableBytes { room in
                pread(descriptor, room.baseAddress.map { $0 + done }, room.count - done, place)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SpoolFault(count < 0 ? errno : EIO) }
            done += count
        }
        return buffer
    }

    /// The SHA-256 of the whole file.
    func digest() throws(SpoolFault) -> [UInt8] {
        do {
            let digest = try Digest(.sha256)
            var start: Int64 = 0
            while start < length {
                let end = min(length, start + 1 << 20)
                let block = try bytes(start..<end)
                try block.withUnsafeBytes { try digest.update($0) }
                start = end
            }
            return try digest.finalValue()
        } catch let fault as SpoolFault {
            throw fault
        } catch {
            throw SpoolFault(EIO)
        }
    }

    /// The SHA-256 of bytes.
    static func digest(of bytes: [UInt8]) throws(SpoolFault) -> [UInt8] {
        do { return try Digest.of(bytes, .sha256) } catch { throw SpoolFault(EIO) }
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A failure to read a file of the spool.
struct SpoolFault: Error, Equatable {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    /// What follows for the job: a file that has just come and is not there was another worker's too, which has lost the job.
    var failure: JobFailure { code == ENOENT ? .inUse(JobCause(text)) : .unable(JobCause(text)) }

    var text: String { TransferFaults.unreadableSpool(String(cString: strerror(code))) }
}

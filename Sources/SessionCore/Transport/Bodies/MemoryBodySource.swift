/// A body in memory.
final class BytesBodySource: BodySource {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var length: Int64? { Int64(bytes.count) }
    var canRewind: Bool { true }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        let count = min(buffer.count, bytes.count - offset)
        guard count > 0 else { return .end }
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
        offset += count
        return .bytes(count)
    }

    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= Int64(bytes.count) else { return false }
        self.offset = Int(offset)
        return true
    }
}

/// A body read from a file while it is sent.
///
/// A file that is shortened while it is read fails the transfer, because the announced length would be wrong.
final class FileBodySource: BodySource {
    private let file: BodyFile
    private var offset: Int64 = 0

    private init(_ file: consuming BodyFile) { self.file = file }

    /// Opens the file; a pipe or a device is read by a separate thread, which calls `wake` when bytes arrive.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` with a message that names the file.
    static func source(path: String, wake: @escaping @Sendable () -> Void) throws(SessionError) -> any BodySource {
        let file = try BodyFile(path: path)
        guard file.isStream else { return FileBodySource(file) }
        return try DescriptorBodySource(owned: try file.duplicate(), wake: wake)
    }

    var length: Int64? { file.size }
    var canRewind: Bool { true }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        do throws(SessionError) {
            let count = try file.read(into: buffer, at: offset)
            offset += Int64(count)
            return count > 0 ? .bytes(count) : .end
        } catch {
            return .failed(error)
        }
    }

    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= file.size ?? self.offset else { return false }
        self.offset = offset
        return true
    }
}

/// A body whose length is known only at its end, sent under the length its caller has announced.
///
/// The last byte is withheld until the body has ended behind it: a server with all announced bytes takes the request as
/// complete, and further bytes as the next one. A body of another length fails before its request is complete. Confined
/// to the transfer loop.
final class AnnouncedBodySource: BodySource {
    private let body: any BodySource
    private let announced: Int64
    private var given: Int64 = 0
    private var last: UInt8?

    init(_ body: any BodySource, length: Int64) {
        self.body = body
        announced = length
    }

    var length: Int64? { announced }
    var canRewind: Bool { false }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        guard given < announced, !buffer.isEmpty else { return .end }
        let room = Int(min(Int64(buffer.count), announced - given - 1))
        guard room > 0 else { return readLast(into: buffer) }
        let result = body.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        switch result {
        case .bytes(let count): given += Int64(count)
        case .end: return .failed(tooShort(by: announced - given))
        case .wait, .failed: break
        }
        return result
    }

    private func readLast(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        while true {
            var byte: UInt8 = 0
            let result = withUnsafeMutableBytes(of: &byte) { body.read(into: $0) }
            switch result {
            case .bytes:
                guard last == nil else {
                    return .failed(error(BodyErrors.longerThanLength(announced)))
                }
                last = byte
            case .end:
                guard let last else { return .failed(tooShort(by: 1)) }
                buffer[0] = last
                given += 1
                return .bytes(1)
            case .wait, .failed:
                return result
            }
        }
    }

    func seek(to offset: Int64) -> Bool { false }

    private func tooShort(by missing: Int64) -> SessionError {
        error(BodyErrors.shorterThanLength(announced, missing: missing))
    }

    private func error(_ message: String) -> SessionError { SessionError(.bodyUnreadable, message) }
}

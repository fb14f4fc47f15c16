/// A body whose length is known only at its end, sent under the length that its caller has announced.
///
/// The last byte is kept back until the body has ended behind it: a server that has all announced bytes takes the
/// request as complete, and what follows as the next one. So a body of another length fails, and its request is never
/// complete. Confined to the transfer loop.
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
                    return .failed(error("The body is longer than the \(announced) bytes its Content-Length says"))
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
        error("The body ended \(missing) bytes short of the \(announced) its Content-Length says")
    }

    private func error(_ message: String) -> SessionError { SessionError(.bodyUnreadable, message) }
}

import Glibc
import SessionSupport
import TransferService

/// A stream of frames on a connected socket: four bytes with the length, most significant first, and a CBOR value.
///
/// One thread reads; any thread may write.
final class FrameStream: Sendable {
    enum Failure: Error, Equatable {
        /// The peer has closed the connection, or the kernel has.
        case ended
        /// The peer announced a longer frame than allowed.
        case tooLong(Int)
        /// The bytes are no message of this version.
        case malformed
        /// The peer has sent nothing for as long as was waited.
        case silent
    }

    private static let headLength = 4
    private static let shortFrame = 4_096
    /// The bytes for which memory is taken before they have arrived.
    private static let step = 256 << 10

    private let descriptor: Int32
    /// Frames must not mix, and a peer that does not read delays only its own writers.
    private let writing = Locked(())

    /// Takes over the descriptor.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// Ends both directions; blocked calls return.
    func shutDown() { Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends reads that wait longer; nil waits for ever.
    func setPatience(milliseconds: Int64?) {
        let patience = Int(milliseconds ?? 0)
        var time = timeval(tv_sec: patience / 1_000, tv_usec: patience % 1_000 * 1_000)
        // A refusal leaves a patient connection, which harms no other.
        _ = setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    // MARK: - Writing

    func write(_ message: some Encodable) throws {
        let frame = try frame(of: message)
        guard writing.withLock({ _ in send(frame) }) else { throw Failure.ended }
    }

    /// Writes a short message if the peer has room for it, and waits for nothing; returns whether it was sent.
    ///
    /// The kernel takes a frame of less than a page as a whole or not at all.
    @discardableResult func writeIfReady(_ message: some Encodable) -> Bool {
        guard let frame = try? frame(of: message), frame.count < Self.shortFrame else { return false }
        let count = writing.withLockIfAvailable { _ in
            Glibc.send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        return count == frame.count
    }

    private func frame(of message: some Encodable) throws -> [UInt8] {
        var frame = try CBOREncoder.encode(message, after: Self.headLength)
        let length = frame.count - Self.headLength
        guard length <= Wire.frameLimit else { throw Failure.tooLong(length) }
        for index in 0..<Self.headLength { frame[index] = UInt8(truncatingIfNeeded: length >> (8 * (3 - index))) }
        return frame
    }

    private func send(_ frame: [UInt8]) -> Bool {
        frame.withUnsafeBytes { raw in
            var rest = raw[...]
            while !rest.isEmpty {
                let start = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(descriptor, start.baseAddress, start.count, Int32(MSG_NOSIGNAL))
                if count > 0 { rest = rest.dropFirst(count) } else if count == 0 || errno != EINTR { return false }
            }
            return true
        }
    }

    // MARK: - Reading

    func read<Message: Decodable>(_ type: Message.Type) throws -> Message {
        let head = try bytes(Self.headLength)
        let length = head.reduce(0) { $0 << 8 | Int($1) }
        guard length <= Wire.frameLimit else { throw Failure.tooLong(length) }
        let body = try bytes(length)
        do {
            return try CBORDecoder.decode(type, from: body)
        } catch {
            throw Failure.malformed
        }
    }

    private func bytes(_ count: Int) throws(Failure) -> [UInt8] {
        var result: [UInt8] = []
        var isLate = false
        while result.count < count {
            let wanted = min(count - result.count, Self.step)
            let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, length in
                var received: Int
                repeat {
                    received = recv(descriptor, buffer.baseAddress, wanted, 0)
                } while received < 0 && errno == EINTR
                isLate = received < 0 && errno == EAGAIN
                length = max(received, 0)
            }
            guard !piece.isEmpty else { throw isLate ? .silent : .ended }
            result += piece
        }
        return result
    }
}

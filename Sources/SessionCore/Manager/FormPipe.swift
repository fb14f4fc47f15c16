import Foundation
import SessionSupport

extension SentBody {
    /// Starts the thread that writes a throttled body or one that may make its reader wait; any other stays as it is.
    init(_ body: BodySpecification, throttle: MultipartForm.Throttle?) throws(SessionError) {
        guard case .pieces(let pieces) = body, throttle != nil || !body.isReplayable else {
            self.init(body)
            return
        }
        self.init(try FormPipe.start(pieces, throttle: throttle))
    }
}

/// Writes the pieces of a body into a pipe on its own thread.
///
/// Used for bodies that include a stream, which may make its reader wait, and for throttled forms. A class because the
/// thread runs it.
final class FormPipe: Sendable {
    private static let block = 64 << 10

    private let pieces: [BodyPiece]
    private let throttle: MultipartForm.Throttle?
    private let writer: OwnedDescriptor
    private let ending: BodyEnding

    private init(
        _ pieces: [BodyPiece], _ throttle: MultipartForm.Throttle?, _ writer: OwnedDescriptor, _ ending: BodyEnding
    ) {
        (self.pieces, self.throttle, self.writer, self.ending) = (pieces, throttle, writer, ending)
    }

    /// Starts writing and returns the body the engine reads from.
    ///
    /// Its length is announced so that a body that turns out different never makes a complete request.
    static func start(
        _ pieces: [BodyPiece], throttle: MultipartForm.Throttle?
    ) throws(SessionError) -> PipedBody {
        let length = try length(of: pieces)
        let (reader, writer) = try BodyPipe.make()
        let piped = PipedBody(reader, length: length)
        let pipe = FormPipe(pieces, throttle, writer, piped.ending)
        try SystemThread.startDetached(name: "session-form") { pipe.run() }
        return piped
    }

    /// Returns the total length with the files' current sizes; nil if a piece is read until its end.
    private static func length(of pieces: [BodyPiece]) throws(SessionError) -> Int64? {
        var length: Int64 = 0
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): length += Int64(bytes.count)
            case .file(let path):
                guard let size = try BodyFile.length(of: path) else { return nil }
                length += size
            case .stream(let stream): length += stream.length
            }
        }
        return length
    }

    private func run() {
        var packet = throttle?.packetSize ?? 0
        do throws(SessionError) {
            for piece in pieces {
                guard try write(piece, packet: &packet) else { return }
            }
        } catch {
            ending.fail(error)
        }
    }

    /// Writes a piece; returns false when the reader has closed its end.
    ///
    /// `packet` is the number of bytes that may be sent before the next wait.
    private func write(_ piece: BodyPiece, packet: inout Int) throws(SessionError) -> Bool {
        switch piece {
        case .bytes(let bytes): send(bytes[...], packet: &packet)
        case .file(let path): try sendFile(path, packet: &packet)
        case .stream(let stream): try sendStream(stream, packet: &packet)
        }
    }

    private func sendFile(_ path: String, packet: inout Int) throws(SessionError) -> Bool {
        let file = try BodyFile(path: path)
        if file.isStream { return try sendPipe(try file.duplicate(), path, packet: &packet) }
        var buffer = [UInt8](repeating: 0, count: Self.block)
        var offset: Int64 = 0
        while offset < file.size ?? .max {
            let count = try buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(SessionError) in try file.read(into: bytes, at: offset) }
            }.get()
            guard count > 0 else { return true }
            offset += Int64(count)
            guard send(buffer.prefix(count), packet: &packet) else { return false }
        }
        return true
    }

    /// Sends a pipe's or a device's bytes until its end or until the reader has closed, then closes it.
    private func sendPipe(_ source: Int32, _ path: String, packet: inout Int) throws(SessionError) -> Bool {
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: Self.block)
        while true {
            var waits = [
                pollfd(fd: source, events: Int16(POLLIN), revents: 0),
                pollfd(fd: writer.descriptor, events: 0, revents: 0),
            ]
            if poll(&waits, 2, -1) > 0, waits[1].revents != 0 { return false }
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count >= 0 else {
                throw SessionError(.bodyUnreadable, BodyErrors.unreadable(path, SystemWords.text(errno)))
            }
            guard count > 0 else { return true }
            guard send(buffer.prefix(count), packet: &packet) else { return false }
        }
    }

    /// Sends a stream, but no byte beyond the announced length.
    private func sendStream(_ stream: BodyStream, packet: inout Int) throws(SessionError) -> Bool {
        guard let read = stream.takeReader() else {
            throw SessionError(.bodyUnreadable, BodyErrors.formStreamRead)
        }
        var buffer = [UInt8](repeating: 0, count: Self.block)
        var rest = stream.length
        while true {
            let count = try Self.fill(&buffer, read)
            guard count > 0, Int64(count) <= rest else {
                if count == 0, rest == 0 { return true }
                throw Self.wrongLength(stream, isLonger: count > 0)
            }
            rest -= Int64(count)
            guard send(buffer.prefix(count), packet: &packet) else { return false }
        }
    }

    private static func fill(_ buffer: inout [UInt8], _ read: BodyStream.Reader) throws(SessionError) -> Int {
        do {
            return try buffer.withUnsafeMutableBytes { try read($0) }
        } catch {
            var failure = SessionError(.bodyUnreadable, BodyErrors.formStream(error.sentence))
            failure.underlying = UnderlyingError(error)
            throw failure
        }
    }

    private static func wrongLength(_ stream: BodyStream, isLonger: Bool) -> SessionError {
        SessionError(
            .bodyUnreadable,
            isLonger ? BodyErrors.formStreamLonger(stream.length) : BodyErrors.formStreamShorter(stream.length))
    }

    /// Sends bytes in packets with the requested wait between them; returns false when the reader has closed its end.
    private func send(_ bytes: ArraySlice<UInt8>, packet: inout Int) -> Bool {
        guard let throttle else { return BodyPipe.write(bytes, to: writer) }
        var bytes = bytes
        while !bytes.isEmpty {
            if packet == 0 {
                Thread.sleep(forTimeInterval: throttle.delay)
                packet = throttle.packetSize
            }
            let next = bytes.prefix(packet)
            guard BodyPipe.write(next, to: writer) else { return false }
            packet -= next.count
            bytes = bytes.dropFirst(next.count)
        }
        return true
    }
}

import Glibc
import LoopbackServer

/// A client that sends and receives bytes as they are, so that a test sees what is really on the wire.
final class RawClient {
    struct Failure: Error {
        let call: String
        let number: Int32
    }

    /// How the server's side ended.
    enum End: Equatable {
        case closed
        case reset
    }

    private var descriptor: Int32
    private var buffered: [UInt8] = []

    init(_ server: LoopbackServer, sendBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
        if var size = sendBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // A server that never answers must fail the test and not hang it.
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // The end of this object closes the descriptor, also after a throw from here.
        guard result == 0 else { throw Failure(call: "connect", number: errno) }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Closes the client's side.
    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(call: "send", number: errno) }
            sent += count
        }
    }

    /// Sends zeros until nobody takes more for three tenths of a second although a gate was reached, or `limit` are sent;
    /// gives their number.
    func fill(limit: Int, past gate: Gate) -> Int {
        let piece = [UInt8](repeating: 0, count: 65_536)
        var sent = 0
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while sent < limit {
            // Before the gate it is a server that sleeps who takes nothing.
            guard poll(&entry, 1, 300) > 0 || gate.arrivals == 0 else { break }
            guard entry.revents != 0 else { continue }
            let count = Glibc.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    /// Sends a request with a Host field and no body.
    func request(_ method: String = "GET", _ target: String, _ fields: String...) throws {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Receives a head: status line and fields.
    func head() throws -> RawHead {
        while true {
            if let end = headEnd() {
                defer { buffered.removeFirst(end) }
                return RawHead(String(decoding: buffered[..<end], as: UTF8.self))
            }
            guard try receive() else { throw Failure(call: "head", number: 0) }
        }
    }

    /// Receives exactly that many bytes.
    func bytes(_ count: Int) throws -> [UInt8] {
        while buffered.count < count {
            guard try receive() else { throw Failure(call: "bytes", number: 0) }
        }
        defer { buffered.removeFirst(count) }
        return Array(buffered[..<count])
    }

    /// Receives everything up to the end, and says which end it was.
    func rest() throws -> (bytes: [UInt8], end: End) {
        do {
            while try receive() {}
        } catch let failure as Failure where failure.number == ECONNRESET {
            return (buffered, .reset)
        }
        return (buffered, .closed)
    }

    /// One request and its whole answer, which must have a Content-Length.
    func exchange(
        _ method: String = "GET", _ target: String, _ fields: [String] = [], body: [UInt8] = []
    ) throws -> (head: RawHead, body: [UInt8]) {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
        try send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        let head = try head()
        let length = method == "HEAD" ? 0 : head["Content-Length"].flatMap { Int($0) } ?? 0
        return (head, try bytes(length))
    }

    /// False at the end of the stream.
    private func receive() throws -> Bool {
        let capacity = 65_536
        var count = 0
        let piece = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            count = recv(descriptor, buffer.baseAddress, capacity, 0)
            initialized = max(0, count)
        }
        guard count >= 0 else { throw Failure(call: "recv", number: errno) }
        buffered += piece
        return count > 0
    }

    private func headEnd() -> Int? {
        guard buffered.count >= 4 else { return nil }
        return (0...(buffered.count - 4)).first { buffered[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }.map { $0 + 4 }
    }
}

/// Runs a test against a started server and stops it after.
func withServer(
    _ configuration: LoopbackServer.Configuration = .init(), _ body: (LoopbackServer) throws -> Void
) throws {
    let server = LoopbackServer(configuration: configuration)
    try server.start()
    defer { server.stop() }
    try body(server)
}

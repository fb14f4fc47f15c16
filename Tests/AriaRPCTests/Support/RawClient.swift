import Glibc

/// A client that sends bytes as a test says, and reads what comes.
final class RawClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// What has to live as long as the client.
    var owner: AnyObject?

    /// Connects to a port of this machine.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let (descriptor, length) = (descriptor, socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        guard result == 0 else { return nil }
    }

    /// Connects to a socket of the file system.
    init?(path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let (descriptor, length) = (descriptor, socklen_t(MemoryLayout<sockaddr_un>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        guard result == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Ends the connection.
    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends bytes; false where the other side has gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    private func fill() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return false }
        buffer += piece[..<count]
        return true
    }

    /// Removes and returns bytes; nil at the end of the connection.
    func read(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// Removes and returns a head with its empty line; nil at the end of the connection.
    func readHead() -> String? {
        let mark = Array("\r\n\r\n".utf8)
        while true {
            if buffer.count >= 4,
                let start = (0...buffer.count - 4).first(where: { Array(buffer[$0..<$0 + 4]) == mark })
            {
                return read(start + 4).map { String(decoding: $0, as: UTF8.self) }
            }
            guard fill() else { return nil }
        }
    }

    /// The status and the body of a response; nil at the end of the connection.
    func readResponse() -> (status: Int, body: String)? {
        guard let head = readHead() else { return nil }
        let lines = head.split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) }
        return read(length ?? 0).map { (status, String(decoding: $0, as: UTF8.self)) }
    }

    func post(_ body: String, fields: String = "") {
        send(
            "POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n" + body)
    }

    // MARK: - WebSocket

    func upgrade(_ target: String = "/jsonrpc") -> Bool {
        send(
            "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        guard let head = readHead() else { return false }
        return head.hasPrefix("HTTP/1.1 101") && head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    /// A masked frame.
    static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch payload.count {
            case ..<126: [UInt8(payload.count)]
            case ..<65_536: [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
            default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
            }
        let mask: [UInt8] = [1, 2, 3, 4]
        return [0x80 | opcode, 0x80 | length[0]] + length.dropFirst() + mask
            + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    func sendText(_ text: String) { send(Self.frame(1, Array(text.utf8))) }

    /// The opcode and the payload of the next frame; nil at the end of the connection.
    func readFrame() -> (opcode: UInt8, payload: [UInt8])? {
        guard let head = read(2) else { return nil }
        var length = Int(head[1] & 127)
        if length >= 126 {
            guard let bytes = read(length == 126 ? 2 : 8) else { return nil }
            length = bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        return read(length).map { (head[0] & 15, $0) }
    }

    func readText() -> String? {
        while let frame = readFrame() { if frame.opcode == 1 { return String(decoding: frame.payload, as: UTF8.self) } }
        return nil
    }
}

import Glibc
import LoopbackServer

/// An HTTPS server of the openssl command with a certificate made on the spot.
final class SecureServer {
    /// A URL on the server.
    let url: String
    private let process: pid_t
    private let folder: ScratchFolder

    /// Whether the command is installed.
    static var isAvailable: Bool { access("/usr/bin/openssl", X_OK) == 0 }

    /// Makes a key and a certificate, starts the server, and waits until it listens.
    init() async throws {
        folder = try ScratchFolder()
        let key = folder.path(of: "key.pem")
        let certificate = folder.path(of: "certificate.pem")
        let request = try Program.start(
            [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days", "1", "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", certificate,
            ], environment: [:])
        guard Program.wait(for: request) == 0 else { throw WaitingFailed(description: "No certificate was made") }
        let port = try Self.freePort()
        url = "https://127.0.0.1:\(port)/file"
        process = try Program.start(
            [
                "/usr/bin/openssl", "s_server", "-www", "-quiet", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert",
                certificate,
            ], environment: [:])
        _ = try await waitUntil("openssl's server") { Self.canConnect(to: port) ? true : nil }
    }

    deinit {
        kill(process, SIGKILL)
        _ = Program.wait(for: process)
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let server = try Served.start()
        defer { server.stop() }
        return server.port
    }

    private static func canConnect(to port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

import CLinux
import Foundation
import Glibc

/// An HTTPS server of the openssl command with a certificate made on the spot.
final class SecureServer {
    /// A URL on the server.
    let url: String
    private let process: pid_t
    private let output: Int32
    private let folder: ScratchFolder

    /// Whether the command is installed.
    static var isAvailable: Bool { access("/usr/bin/openssl", X_OK) == 0 }

    /// Makes a key and a certificate, starts the server, and waits until it says where it listens.
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
        // The port is openssl's to choose: one that was free a moment ago may be another test's by now.
        output = cl_memfd("openssl")
        process = try Program.start(
            ["/usr/bin/openssl", "s_server", "-www", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate],
            environment: [:], output: output)
        let file = output
        let port = try await waitUntil("openssl's port") {
            let text = try String(contentsOfFile: "/proc/self/fd/\(file)", encoding: .utf8)
            return text.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)\n/).map { String($0.1) }
        }
        url = "https://127.0.0.1:\(port)/file"
    }

    deinit {
        kill(process, SIGKILL)
        _ = Program.wait(for: process)
        close(output)
    }
}

import CLinux
import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport

/// A server in the test's own process, and a shut port beside it.
enum Served {
    /// A server that listens, with routes.
    static func start(_ routes: [String: Behaviour] = [:]) throws -> LoopbackServer {
        let server = LoopbackServer()
        for (path, behaviour) in routes { server.setRoute(path, behaviour) }
        try server.start()
        return server
    }

    /// The URL of a port at which nobody listens: this process holds it until its end, and does not listen.
    static func refusedURL() throws -> String { "http://127.0.0.1:\(try held.get())/nobody" }

    private static let held = Result { try boundSocket().port }

    /// A port that was free a moment ago; another process may have it by now.
    static func freePort() throws -> UInt16 {
        let (descriptor, port) = try boundSocket()
        close(descriptor)
        return port
    }

    private static func boundSocket() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw WaitingFailed(description: "No port: errno \(errno)") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

extension LoopbackServer {
    /// Waits until its clients have read all that was sent before a gate.
    ///
    /// A client may have told of the response and be stopped in front of the body, which it has then not got.
    func waitUntilRead(upTo gate: Gate) async throws {
        let port = ":" + String(self.port, radix: 16, uppercase: true)
        _ = try await waitUntil("all that was sent to be read") { () -> Bool? in
            guard gate.arrivals > 0 else { return nil }
            let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
            // Both addresses, the state, which is 01 for a connection, and the bytes that wait on each of its sides.
            for line in table.split(separator: "\n") {
                let fields = line.split(separator: " ")
                guard fields.count > 4, fields[3] == "01" else { continue }
                guard fields[1].hasSuffix(port) || fields[2].hasSuffix(port) else { continue }
                if fields[4] != "00000000:00000000" { return nil }
            }
            return true
        }
    }
}

/// A server with one file that stands still in the middle until the test lets it go on.
final class GatedDownload {
    static let content = DeterministicContent(seed: 9, count: 400_000)
    /// How many bytes pass before it stands still.
    static let passed: Int64 = 100_000
    /// The bytes before these that are requested again for comparison.
    static let overlap: Int64 = 256
    /// The range that continues it.
    static let restRange = "bytes=\(passed - overlap)-"

    let server: LoopbackServer
    let folder: ScratchFolder
    private let gate: Gate

    init() throws {
        server = try Served.start()
        folder = try ScratchFolder()
        gate = try server.gate(named: "middle")
        let complete = Behaviour.resource(ServedResource(seed: Self.content.seed, count: Self.content.count))
        server.setRoute("/file.bin", .sequence([complete.stalling(after: Self.passed, until: gate), complete]))
    }

    var url: String { server.url("/file.bin") }

    /// The bytes of the file once it has its name.
    var file: [UInt8]? { folder.bytes(of: "file.bin") }

    /// Lets it go on.
    func release() { gate.release() }

    /// Waits until the program has read all that comes before the gate.
    func waitUntilRead() async throws { try await server.waitUntilRead(upTo: gate) }

    /// The dashboard on a terminal of its own, once it shows the download standing still; `before` stands in front of
    /// the program's name.
    func dashboard(
        options: [String] = [], environment: [String: String] = [:], before: [String] = [], rows: Int = 24,
        columns: Int = 80
    ) async throws -> PseudoTerminal {
        let words = before + [try Program.path(), "-d", folder.path] + options + [url]
        let terminal = try PseudoTerminal(words, environment: environment, rows: rows, columns: columns)
        try await terminal.waitForScreen("the download in the middle") { $0.text.contains(/25(\.0)?%/) }
        return terminal
    }
}

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
        let (certificate, key) = try Self.makeCertificate(in: folder)
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

    /// Makes a key and a certificate of 127.0.0.1, which is its own authority, and returns where they are.
    static func makeCertificate(in folder: ScratchFolder) throws -> (certificate: String, key: String) {
        let key = folder.path(of: "key.pem")
        let certificate = folder.path(of: "certificate.pem")
        let request = try Program.start(
            [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                key, "-out", certificate,
            ], environment: [:])
        guard Program.wait(for: request) == 0 else { throw WaitingFailed(description: "No certificate was made") }
        return (certificate, key)
    }
}

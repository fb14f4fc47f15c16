import Foundation
import Glibc
import LoopbackServer
import Testing

/// A server whose certificate nobody vouches for.
@Suite("Certificates", .timeLimit(.minutes(1)), .enabled(if: SecureServer.isAvailable))
struct CertificateTests {
    @Test("A certificate that nobody vouches for fails with status 5, at once and without a byte on disk")
    func selfSigned() async throws {
        let folder = try ScratchFolder()
        let server = try await SecureServer()
        let result = try await ProgramRun.finished([server.url], in: folder)
        TroubleTests.expectFailed(result, saying: "not trusted", status: 5)
        #expect(!result.messages.contains(" retry "), "\(result.messages)")
        #expect(try folder.names.isEmpty)
    }

    @Test("A key whose passphrase is missing or wrong is named as that", arguments: [nil, "wrong"])
    func passphrase(given: String?) async throws {
        let folder = try ScratchFolder()
        let server = try await SecureServer()
        let key = folder.path(of: "key.pem")
        let made = try Program.start(
            [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-passout", "pass:right", "-days", "1", "-subj", "/CN=me", "-keyout", key, "-out",
                folder.path(of: "me.pem"),
            ], environment: [:])
        #expect(Program.wait(for: made) == 0)
        let words = ["--insecure", "--cert", "me.pem", "--key", "key.pem"] + (given.map { ["--pass", $0] } ?? [])
        let result = try await ProgramRun.finished(words + [server.url], in: folder)
        let problem = given == nil ? "needs a passphrase" : "Wrong passphrase"
        #expect(result.status == 1 && result.messages.contains(problem), "\(result.messages)")
        #expect(!result.messages.contains(" retry "), "\(result.messages)")
    }

    @Test("A server that never says a word of TLS is given up after the connect timeout")
    func silentServer() async throws {
        let folder = try ScratchFolder()
        let server = try MuteServer()
        let url = "https://127.0.0.1:\(server.port)/file"
        let result = try await ProgramRun.finished(["--retries", "0", "--connect-timeout", "1", url], in: folder)
        TroubleTests.expectFailed(result, saying: "Timed out waiting for", status: 1)
        #expect(try folder.names.isEmpty)
    }
}

/// Hosts with names beyond ASCII, whatever the language of whoever runs the program.
@Suite("International host names", .timeLimit(.minutes(1)))
struct InternationalHostTests {
    @Test(
        "A host is found under its ASCII form in every locale, and the server is asked for that",
        arguments: ["C", "C.UTF-8", "POSIX", "xx_XX.ISO-8859-1", ""])
    func locales(locale: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(seed: 2, count: 1000)])
        let url = "http://bücher.localhost:\(server.port)/file"
        let result = try await ProgramRun.finished(
            ["--json", "--retries", "0", url], in: folder, environment: ["LC_ALL": locale, "LANG": locale])
        #expect(result.status == 0, "\(result.text)")
        #expect(folder.bytes(of: "file")?.count == 1000)
        #expect(server.requests.first?.header("Host") == "xn--bcher-kva.localhost:\(server.port)")
        // The text that was given is the one that is told.
        #expect(try JSONLines(result.output).first("added")?.text("url") == url)
    }

    @Test("A redirect leads to such a host too")
    func redirect() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(seed: 2, count: 1000)])
        server.setRoute("/from", .redirect(to: "http://b\u{FC}cher.localhost:\(server.port)/file"))
        let result = try await ProgramRun.finished(
            ["--plain", "--retries", "0", server.url("/from")], in: folder, environment: ["LC_ALL": "C"])
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests.last?.header("Host") == "xn--bcher-kva.localhost:\(server.port)")
    }

    @Test("A host that is no valid name is a failure that says so")
    func invalidHost() async throws {
        let folder = try ScratchFolder()
        let result = try await ProgramRun.finished(["--plain", "http://-ü.localhost/file"], in: folder)
        TroubleTests.expectFailed(result, saying: "host name", status: 1)
    }
}

/// A server that takes connections, by the kernel alone, and never reads or writes a byte.
private final class MuteServer {
    private let listener: Int32
    let port: UInt16

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
        try #require(isReady)
    }

    deinit { close(listener) }
}

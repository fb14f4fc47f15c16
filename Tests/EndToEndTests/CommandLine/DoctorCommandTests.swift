import Foundation
import LoopbackServer
import Testing

/// `netdash doctor`: what is around the program, and the way to a server.
@Suite("The command doctor", .timeLimit(.minutes(1)))
struct DoctorCommandTests {
    @Test("What is wrong is named with what to do, settings that nobody understands too, and the end says how many")
    func wrong() async throws {
        let folder = try ScratchFolder()
        let settings = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: settings.path(of: "netdash"), withIntermediateDirectories: false)
        _ = try settings.write("colour = red\n", to: "netdash/config")
        let result = try await ProgramRun.finished(
            ["doctor", "-d", "there"], in: folder,
            environment: ["SSL_CERT_FILE": "/nonexistent.pem", "XDG_CONFIG_HOME": settings.path, "CURL_CA_BUNDLE": ""])
        #expect(result.status == 1 && result.messages.isEmpty)
        let wrong = result.text.split(separator: "\n").filter { $0.hasPrefix("ERROR") }
        #expect(wrong.count == 2, "\(result.text)")
        #expect(wrong.contains { $0.contains("cannot read /nonexistent.pem (SSL_CERT_FILE)") })
        #expect(wrong.contains { $0.contains("colour") })
        #expect(result.text.contains("2 errors"))
        #expect(try folder.names.isEmpty, "nothing was made")
    }

    @Test("The way to a server is told in steps, and a server that is not there with where it ended")
    func servers() async throws {
        let server = try Served.start()
        server.setRoute("/", .file(seed: 1, count: 10))
        let folder = try ScratchFolder()
        let answer = try await ProgramRun.finished(
            ["doctor", server.url("/").replacing("http://", with: "http://me:hidden@")], in: folder)
        let line = try #require(answer.text.split(separator: "\n").first { $0.contains(" server ") })
        #expect(line.hasPrefix("ok") && line.contains("200 OK") && line.contains("response after"), "\(line)")
        #expect(!answer.text.contains("hidden"))
        let silent = try await ProgramRun.finished(["doctor", "http://127.0.0.1:1/"], in: folder)
        #expect(silent.status == 1)
        #expect(silent.text.contains("ERROR  server        http://127.0.0.1:1/: "))
        #expect(silent.text.contains("DNS ok, connection failed"))
    }

    @Test("A port that speaks plain http is said to answer, and what to write for it")
    func plainPort() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        let answer = try await ProgramRun.finished(
            ["doctor", server.url("/").replacing("http://", with: "https://")], in: folder)
        #expect(answer.status == 1)
        #expect(answer.text.contains("write http://") && !answer.text.contains("connection failed"), "\(answer.text)")
    }
}

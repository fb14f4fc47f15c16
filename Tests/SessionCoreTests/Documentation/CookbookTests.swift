import Foundation
import LoopbackServer
import SessionCore
import SessionSupport
import Testing

@testable import DocumentationExamples

/// Runs the twelve tasks of the article "Cookbook".
@Suite("Cookbook", .timeLimit(.minutes(1)))
struct CookbookTests {
    private let server = LoopbackServer()
    private let folder: TemporaryFolder
    private let manager = SessionManager()
    private let ada = DocumentationExampleCookbook.User(name: "Ada", age: 36)
    private static let json = #"{"name":"Ada","age":36}"#

    init() throws {
        try server.start()
        folder = try TemporaryFolder()
        server.setRoute("/users/1", .respond(.json(Self.json)))
        server.setRoute("/file.bin", .file(seed: 5, count: 300_000))
    }

    private var base: String { String(server.url().dropLast()) }
    private func address(_ path: String) throws -> URL { try #require(URL(string: server.url(path))) }

    @Test("A JSON answer becomes a value")
    func json() async throws {
        #expect(try await DocumentationExampleCookbook.json(manager, base) == ada)
    }

    @Test("Parameters go into the URL, a value into the body")
    func send() async throws {
        server.setRoute("/users") { request in
            request.method == "GET"
                ? .json("[\(Self.json)]") : .json(String(decoding: request.bodyPrefix, as: UTF8.self))
        }
        #expect(try await DocumentationExampleCookbook.send(manager, base) == ada)
        #expect(server.requests.map(\.query) == ["city=Oslo&page=2", nil])
        #expect(server.requests[1].header("Content-Type") == "application/json")
    }

    @Test("A download has a progress and a place, and can be paused")
    func downloads() async throws {
        let file = try await DocumentationExampleCookbook.download(manager, address("/file.bin"), folder.path)
        #expect(file == folder.file("file.bin") && folder.bytes(of: "file.bin")?.count == 300_000)
        let other = try TemporaryFolder()
        let paused = try await DocumentationExampleCookbook.pause(manager, address("/file.bin"), other.path)
        #expect(paused.error == nil && other.bytes(of: "file.bin") == folder.bytes(of: "file.bin"))
    }

    @Test("A form has fields and files")
    func form() async throws {
        try folder.write(Array("JPEG".utf8), to: "photo.jpg")
        server.setRoute("/photos") { .text(String(decoding: $0.bodyPrefix, as: UTF8.self)) }
        let sent = try await DocumentationExampleCookbook.form(manager, base, folder.file("photo.jpg"))
        #expect(sent.contains("name=\"album\"\r\n\r\nHoliday\r\n") && sent.contains("filename=\"photo.jpg\""))
        #expect(sent.contains("\r\n\r\nJPEG\r\n"))
    }

    @Test("A token is renewed where it is refused")
    func token() async throws {
        server.setRoute("/login", .respond(.text("new")))
        server.setRoute("/guarded") { request in
            request.header("Authorization") == "Bearer new" ? .json(Self.json) : .text("who?", status: 401)
        }
        #expect(try await DocumentationExampleCookbook.token(manager, base, "127.0.0.1") == ada)
    }

    @Test("A server that is busy is asked again")
    func patience() async throws {
        server.setRoute(
            "/busy",
            .sequence([.respond(.text("", status: 503)), .respond(.text("", status: 503)), .respond(.text("in"))]))
        #expect(try await DocumentationExampleCookbook.patience(manager, base).data == Data("in".utf8))
    }

    @Test("A private authority, a client certificate and a pin", .enabled(if: OpenSSLServer.isAvailable))
    func trust() async throws {
        let guarded = try OpenSSLServer(.init(hasAuthority: true, asksForCertificate: true))
        let completion = try await DocumentationExampleCookbook.authority(guarded.url, guarded.folder.path)
        #expect(completion.head?.statusCode == 200)
        let pinned = try OpenSSLServer(.init(hasAuthority: true))
        var configuration = SessionConfiguration.default
        configuration.options = RequestOptions()
        configuration.options?.authorities = AuthorityFiles(file: pinned.folder.path + "/authority.pem")
        let pin = try pinned.pem()
        let accepted = try await DocumentationExampleCookbook.pin(pinned.url, pin, configuration)
        #expect(accepted.head?.statusCode == 200)
        let error = await #expect(throws: SessionError.self) {
            _ = try await DocumentationExampleCookbook.pin(pinned.url, guarded.pem(), configuration)
        }
        #expect(error?.code == .certificate)
    }

    @Test("A body is read line by line while it arrives")
    func lines() async throws {
        server.setRoute("/events", .respond(.text("data: one\n: remark\ndata: two\r\n")))
        #expect(try await DocumentationExampleCookbook.lines(manager, base) == ["one", "two"])
    }

    @Test("Cookies and answers are kept")
    func memory() async throws {
        server.setRoute("/news") { request in
            var answer =
                request.header("If-None-Match") == "\"1\"" ? ScriptedResponse(304, framing: .unframed) : .text("news")
            answer.headers["ETag"] = "\"1\""
            answer.headers["Set-Cookie"] = "visit=1"
            return answer
        }
        let completions = try await DocumentationExampleCookbook.memory(base)
        #expect(completions.map(\.isFromCache) == [false, true])
        #expect(completions.map(\.data) == [Data("news".utf8), Data("news".utf8)])
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "visit=1"])
    }

    @Test("A test needs no server")
    func stub() async throws {
        let (user, requests) = try await DocumentationExampleCookbook.stub()
        #expect(user == ada && requests == ["https://example.org/users/1", "https://example.org/users/1"])
    }
}

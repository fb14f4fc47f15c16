import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Errors that name what is wrong.
@Suite("Sentences of errors", .timeLimit(.minutes(1)))
struct ClearSentenceTests {
    private let server = LoopbackServer()
    private let manager = SessionManager()

    init() throws {
        try server.start()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
    }

    @Test(
        "A redirect to a URL that cannot be requested names the URL and its fault",
        arguments: [
            ("ftp://x/", SessionError.Code.unsupportedScheme, ["ftp", "ftp://x/"]),
            ("file:///etc/passwd", .unsupportedScheme, ["file:///etc/passwd"]),
            ("http://127.0.0.1:99999/", .invalidURL, ["http://127.0.0.1:99999/", "ort"]),
            ("http://", .invalidURL, ["http://", "host"]),
        ] as [(String, SessionError.Code, [String])])
    func redirect(url: String, code: SessionError.Code, words: [String]) async throws {
        server.setRoute("/old", .redirect(to: "/new"))
        manager.onRedirect = { _, _, next in
            var next = next
            next.url = url
            return next
        }
        let task = try manager.dataTask(with: TransferRequest(url: server.url("/old")), completionHandler: nil)
        task.resume()
        let error = try #require(await task.completion().error as? SessionError)
        #expect(error.code == code && words.allSatisfy { error.message.contains($0) }, "\(error.message)")
    }

    @Test("A port that does not exist is refused when the task is made", arguments: ["99999", "0", "8x", "65536"])
    func port(_ port: String) throws {
        let error = #expect(throws: SessionError.self) {
            try manager.dataTask(with: TransferRequest(url: "http://127.0.0.1:\(port)/"), completionHandler: nil)
        }
        #expect(error?.code == .invalidURL && error?.message.contains("port") == true)
    }

    @Test("Ports that exist, and none, are taken", arguments: [":", "", ":1", ":65535", ":080"])
    func goodPort(_ port: String) throws {
        try manager.dataTask(with: TransferRequest(url: "http://127.0.0.1\(port)/"), completionHandler: nil).cancel()
    }

    @Test("A body that was not decoded is told by its Content-Encoding")
    func undecoded() throws {
        let head = ResponseHead(
            statusCode: 200, headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"])
        let zipped = Data([0x1F, 0x8B, 8, 0, 0])
        for serializer in [JSONResponseSerializer(), DecodableResponseSerializer<[Int]>()] as [any ResponseSerializer] {
            let error = serializer.serialize(head: head, data: zipped).error.map { "\($0)" } ?? ""
            #expect(error.contains("gzip") && error.contains("decodesBodies"), "\(error)")
            let decoded = serializer.serialize(head: head, data: Data("{".utf8)).error.map { "\($0)" } ?? ""
            #expect(!decoded.isEmpty && !decoded.contains("decodesBodies"))
        }
    }

    private struct Plain: Error {
        let number = 7
    }

    @Test(
        "An error becomes one sentence, without Foundation's dump of its parts",
        arguments: [
            (SessionError(.notFound, "Not here"), "Not here"), (Plain(), "Plain(number: 7)"),
            (NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "It broke"]), "It broke"),
            (NSError(domain: "d", code: 1, userInfo: ["NSDebugDescription": "Bad byte"]), "Bad byte"),
        ] as [(any Error, String)])
    func sentence(of error: any Error, is words: String) { #expect(error.sentence == words) }

    private struct User: Decodable, Sendable {
        struct Name: Decodable, Sendable { let first: String }
        let names: [Name]
        let age: Int
    }

    @Test(
        "A body that a type does not fit is told by the field, without Swift's dump",
        arguments: [
            (#"{"names":[]}"#, #"there is no field "age""#),
            (#"{"age":1,"names":[{"first":"a"},{"last":"b"}]}"#, #"there is no field "first" in names[1]"#),
            (#"{"age":1,"names":[{"first":null}]}"#, "names[0].first is null or missing"),
            (#"{"age":"x","names":[]}"#, "age is not of type Int"),
            ("[]", "the value is not of type"),
        ])
    func fields(body: String, words: String) {
        let head = ResponseHead(statusCode: 200, headers: ["Content-Type": "application/json"])
        let result = DecodableResponseSerializer<User>().serialize(head: head, data: Data(body.utf8))
        let error = result.error.map { "\($0)" } ?? ""
        #expect(error.contains(words) && !error.contains("CodingKeys") && !error.contains("ebug"), "\(error)")
        #expect((result.error as? ResponseSerializationError)?.underlying is DecodingError)
    }

    @Test("A name that a server has made up, and a value, are told by their beginnings")
    func longNames() {
        let name = String(repeating: "k", count: 100_000)
        let body = Data("{\"\(name)\":\"x\"}".utf8)
        let result = DecodableResponseSerializer<[String: Int]>().serialize(head: nil, data: body)
        let error = result.error.map { "\($0)" } ?? ""
        #expect(error.contains("kkk") && error.contains("is not of type Int") && error.count < 400)
        // One character.
        let accents = "a" + String(repeating: "\u{301}", count: 100_000)
        let accented = DecodableResponseSerializer<[String: Int]>()
            .serialize(head: nil, data: Data("{\"\(accents)\":\"x\"}".utf8))
        let long = accented.error.map { "\($0)" } ?? ""
        #expect(long.contains("is not of type Int") && long.utf8.count < 2_000)
        enum Letter: String, Decodable, Sendable { case a }
        let letters = DecodableResponseSerializer<[Letter]>().serialize(head: nil, data: Data("[\"\(name)\"]".utf8))
        let other = letters.error.map { "\($0)" } ?? ""
        #expect(other.contains("[0]") && other.contains("kkk") && other.count < 600)
    }

    @Test("A body that is no JSON is told in the decoder's words alone")
    func syntax() {
        let result = DecodableResponseSerializer<[Int]>().serialize(head: nil, data: Data("[1,2,,]".utf8))
        let error = result.error.map { "\($0)" } ?? ""
        #expect(error.contains("not valid JSON") && !error.contains("ebug"), "\(error)")
    }

    @Test("A broken property list and a Cocoa error show no dump")
    func propertyList() {
        let serializer = PropertyListResponseSerializer(validation: ResponseValidation())
        let error = serializer.serialize(head: nil, data: Data("<plist>x".utf8)).error.map { "\($0)" } ?? ""
        #expect(!error.isEmpty && !error.contains("Domain=") && !error.contains("UserInfo"), "\(error)")
        #expect(!CocoaError(.fileReadUnknown).sentence.contains("Domain="))
        let check = DataResponseSerializer().validating { _, _ in throw CocoaError(.fileReadUnknown) }
        let refusal = check.serialize(head: ResponseHead(statusCode: 200), data: Data()).error.map { "\($0)" } ?? ""
        #expect(!refusal.isEmpty && !refusal.contains("Domain="), "\(refusal)")
    }

    @Test("A boundary that occurs in a part, an invalid one, and a folder are named")
    func forms() {
        var form = MultipartForm()
        form.boundary = "abc"
        form.append("--abc", name: "y")
        #expect(throws: RequestSerializationError.self) { try form.check() }
        #expect("\(RequestSerializationError(.invalidBoundary("abc")))".contains("occurs in a part"))
        let invalid = "\(RequestSerializationError(.invalidBoundary("a\r\nb")))"
        #expect(invalid.contains("a\\r\\nb") && !invalid.contains("\r"))
        let error = #expect(throws: RequestSerializationError.self) {
            try form.append(file: URL(fileURLWithPath: "/tmp"), name: "y")
        }
        #expect(error.map { "\($0)" } == "/tmp is a folder")
    }

    @Test("A session that this process has open itself is told from another program's")
    func sessionInUse() async throws {
        let folder = try TemporaryFolder()
        var configuration = SessionConfiguration.persistent(identifier: "twice")
        configuration.storeFolder = folder.path + "/store"
        let first = SessionManager(configuration: configuration)
        let second = SessionManager(configuration: configuration)
        let error = #expect(throws: SessionError.self) {
            try second.dataTask(with: TransferRequest(url: server.url("/x")), completionHandler: nil)
        }
        #expect(error?.code == .sessionInUse && error?.message.contains("this process") == true)
        await first.close()
    }

    @Test("A watched host has no port", arguments: ["localhost:80", "[::1]", "a:b"])
    func watchedPort(_ host: String) {
        let error = #expect(throws: SessionError.self) { try HostReachabilitySource(domain: host) }
        #expect(error?.code == .unknownHost && error?.message.contains(host) == true)
    }

    @Test("Addresses and names can be watched", arguments: ["localhost", "::1", "fe80::1%lo", "127.0.0.1"])
    func watchedHost(_ host: String) throws { _ = try HostReachabilitySource(domain: host) }

    @Test("A task that has ended is neither paused nor resumed by its progress", arguments: [200, 413])
    func progressAfterTheEnd(status: Int) async throws {
        server.setRoute("/file", .respond(.text("x", status: status)))
        let task = try manager.dataTask(with: TransferRequest(url: server.url("/file")), completionHandler: nil)
        let progress = try #require(manager.downloadProgress(for: task))
        let calls = EventLog<String>()
        progress.pausingHandler = { calls.add("pause") }
        task.resume()
        _ = await task.completion()
        progress.pause()
        #expect(!progress.isPaused && calls.entries == [])
    }
}

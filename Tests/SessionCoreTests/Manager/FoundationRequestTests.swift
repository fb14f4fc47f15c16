import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// What each property of Foundation's request does here, with the real engine and a server on loopback.
@Suite("Foundation's request", .timeLimit(.minutes(1)))
struct FoundationRequestTests {
    /// What becomes of a property.
    private enum Meaning: Sendable {
        /// A test below shows that it counts.
        case counts
        /// It is said once that it does not.
        case isSaid(IgnoredRequestProperty, @Sendable (inout URLRequest) -> Void)
    }

    /// Every property of Foundation's request on Linux that can be set.
    private static let meanings: [String: Meaning] = [
        "url": .counts, "httpMethod": .counts, "allHTTPHeaderFields": .counts, "httpBody": .counts,
        "httpBodyStream": .counts, "timeoutInterval": .counts, "cachePolicy": .counts,
        "httpShouldHandleCookies": .counts,
        "mainDocumentURL": .isSaid(.mainDocumentURL) { $0.mainDocumentURL = URL(string: "http://other.example/") },
        "networkServiceType": .isSaid(.networkServiceType) { $0.networkServiceType = .background },
        "allowsCellularAccess": .isSaid(.allowsCellularAccess) { $0.allowsCellularAccess = false },
        // A permission that is never used.
        "httpShouldUsePipelining": .counts,
    ]

    private let server = LoopbackServer()
    private let manager: SessionManager

    init() throws {
        try server.start()
        server.setRoute("/echo") { .text(String(decoding: $0.bodyPrefix, as: UTF8.self)) }
        var configuration = SessionConfiguration()
        configuration.options = RequestOptions()
        configuration.options?.cookies = CookieJar()
        manager = SessionManager(configuration: configuration)
    }

    private func request(_ path: String = "/echo", _ change: (inout URLRequest) -> Void = { _ in }) throws -> URLRequest
    {
        var request = URLRequest(url: try #require(URL(string: server.url(path))))
        change(&request)
        return request
    }

    @Test("Every property that a request shows is in the table")
    func complete() throws {
        var shown = Set<String>()
        for child in Mirror(reflecting: try request()).children { if let label = child.label { shown.insert(label) } }
        // What it shows beyond those is derived.
        let missing = shown.subtracting(Self.meanings.keys)
        #expect(missing.isEmpty, "\(missing)")
        #expect(shown.count >= 8, "\(shown)")
    }

    @Test(
        "What has no meaning here is said once, and the request is sent all the same", arguments: meanings.keys.sorted()
    )
    func said(property: String) async throws {
        guard case .isSaid(let expected, let change) = Self.meanings[property] else { return }
        let told = EventLog<IgnoredRequestProperty>()
        manager.onIgnoredProperty = { told.add($0) }
        for _ in 0..<2 {
            let completion = try await manager.data(for: request(change: change))
            #expect(completion.head?.statusCode == 200)
        }
        #expect(told.entries == [expected])
    }

    private func request(change: @Sendable (inout URLRequest) -> Void) throws -> URLRequest {
        try request("/echo") { change(&$0) }
    }

    @Test("A request as it comes says nothing that has no meaning")
    func plain() async throws {
        let told = EventLog<IgnoredRequestProperty>()
        manager.onIgnoredProperty = { told.add($0) }
        _ = try await manager.data(for: request())
        #expect(told.entries.isEmpty)
    }

    @Test("A document of its own is none that has to be said")
    func ownDocument() throws {
        #expect(IgnoredRequestProperty.set(in: try request { $0.mainDocumentURL = $0.url }).isEmpty)
    }

    @Test("A body stream is sent by data tasks, downloads and calls that wait")
    func bodyStream() async throws {
        func streamed() throws -> URLRequest {
            try request {
                $0.httpMethod = "POST"
                $0.httpBodyStream = InputStream(data: Data("streamed".utf8))
            }
        }
        #expect(try await manager.data(for: streamed()).body == Array("streamed".utf8))
        let download = try await manager.download(for: streamed())
        let file = try #require(download.fileURL)
        #expect(try Data(contentsOf: file) == Data("streamed".utf8))
        try FileManager.default.removeItem(at: file)
        #expect(try await manager.data(for: streamed(), as: .string) == "streamed")
        // An upload's own body wins, as with URLSession.
        #expect(try await manager.upload(for: streamed(), from: Data("own".utf8)).body == Array("own".utf8))
    }

    @Test("With interceptors a body stream is sent too, but never half or twice")
    func interceptedStream() async throws {
        server.setRoute("/closed") { .text(String(decoding: $0.bodyPrefix, as: UTF8.self), status: 503) }
        manager.interceptors = [RequestRetrier(maximumRetries: 3, firstDelay: 0, repeatsUnsafeRequests: true)]
        func streamed(_ path: String) throws -> URLRequest {
            try request(path) {
                $0.httpMethod = "POST"
                $0.httpBodyStream = InputStream(data: Data("streamed".utf8))
            }
        }
        #expect(try await manager.data(for: streamed("/echo")).body == Array("streamed".utf8))
        let error = await #expect(throws: ResponseSerializationError.self) {
            _ = try await manager.data(for: streamed("/closed"))
        }
        #expect(error?.data == Data("streamed".utf8))
        #expect(server.requests(for: "/closed").count == 1)
    }

    @Test("Cookies stay out of a request that handles none, both ways")
    func cookies() async throws {
        server.setRoute("/set") { request in
            var answer = ScriptedResponse.text(request.header("Cookie") ?? "none")
            answer.headers["Set-Cookie"] = "a=1"
            return answer
        }
        let without = try request("/set") { $0.httpShouldHandleCookies = false }
        #expect(try await manager.data(for: without, as: .string) == "none")
        #expect(try await manager.data(for: request("/set"), as: .string) == "none")
        #expect(try await manager.data(for: request("/set"), as: .string) == "a=1")
        #expect(try await manager.data(for: without, as: .string) == "none")
        var own = TransferRequest(url: server.url("/set"))
        own.options = RequestOptions()
        own.options?.cookies = NoCookies()
        #expect(try await manager.data(for: own, as: .string) == "none")
    }

    @Test("The cache policy counts, and passes remote caches by where it says so")
    func cachePolicy() throws {
        let policies: [(URLRequest.CachePolicy, CachePolicy, String?)] = [
            (.useProtocolCachePolicy, .useProtocolCachePolicy, nil),
            (.reloadIgnoringLocalCacheData, .reloadIgnoringCacheData, nil),
            (.reloadIgnoringLocalAndRemoteCacheData, .reloadIgnoringCacheData, "no-cache"),
            (.reloadRevalidatingCacheData, .reloadRevalidatingCacheData, nil),
            (.returnCacheDataElseLoad, .returnCacheDataElseLoad, nil),
            (.returnCacheDataDontLoad, .returnCacheDataDontLoad, nil),
        ]
        for (given, policy, field) in policies {
            let transfer = try TransferRequest(request { $0.cachePolicy = given })
            #expect(transfer.cachePolicy == policy && transfer.headers["Cache-Control"] == field)
            if given != .reloadIgnoringLocalAndRemoteCacheData { #expect(transfer.urlRequest?.cachePolicy == given) }
        }
    }

    @Test("URL, method, fields, body and time-out are taken over")
    func takenOver() async throws {
        let change: @Sendable (inout URLRequest) -> Void = {
            $0.httpMethod = "PATCH"
            $0.setValue("1", forHTTPHeaderField: "X-Own")
            $0.httpBody = Data("body".utf8)
            $0.timeoutInterval = 7
        }
        let task = try manager.dataTask(with: request(change: change), completionHandler: nil)
        task.resume()
        #expect(await task.completion().body == Array("body".utf8))
        #expect(task.request.idleTimeout == 7)
        let seen = try #require(server.requests(for: "/echo").first)
        #expect(seen.method == "PATCH" && seen.header("X-Own") == "1")
    }

    @Test("A request of Foundation's has the powers of the library's by its task's options")
    func powers() async throws {
        var options = TaskOptions()
        options.requestOptions = RequestOptions()
        options.requestOptions?.proxies = ProxySettings(try Proxy("127.0.0.1:\(server.port)"))
        options.allowsHTTP2 = false
        let elsewhere = URLRequest(url: try #require(URL(string: "http://nowhere.invalid/echo")))
        #expect(try await manager.data(for: elsewhere, options: options).head?.statusCode == 200)
        let task = try manager.dataTask(with: elsewhere, options: options, completionHandler: nil)
        #expect(task.request.allowsHTTP2 == false && task.request.options == options.requestOptions)
    }

    @Test("The library's request is made of Foundation's types too")
    func foundationTypes() async throws {
        let url = try #require(URL(string: server.url("/echo")))
        let request = TransferRequest(url: url, method: "POST", body: .data(Data("data".utf8)))
        let pieces = Locked(Data())
        _ = try await manager.data(
            for: request, options: TaskOptions(delivery: .data { piece in pieces.withLock { $0 += piece } }))
        #expect(pieces.withLock { $0 } == Data("data".utf8))
        let (bytes, _) = try await manager.bytes(for: request)
        var complete = Data()
        for try await chunk in bytes.chunks { complete += chunk }
        #expect(complete == Data("data".utf8))
    }
}

import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore
@testable import SessionHTTP
@testable import SessionStubs

@Suite("HTTP manager", .timeLimit(.minutes(1)))
struct HTTPManagerTests {
    private let server = LoopbackServer()
    private let http: HTTPManager

    init() throws {
        try server.start()
        server.setRoute(
            "/v1/json", .respond(.text(#"{"name":"x"}"#)).header("Content-Type", "application/json"))
        server.setRoute(
            "/v1/missing",
            .respond(.text(#"{"why":"gone"}"#, status: 404)).header("Content-Type", "application/json"))
        server.setRoute("/v1/echo", .echo)
        server.setRoute("/v1", .echo)
        http = try HTTPManager(baseURL: server.url("/v1"))
        http.completionQueue = DispatchQueue(label: "HTTPManagerTests")
        http.notificationQueue = http.completionQueue
    }

    /// What a closure function told: "success" with the object, or "failure" with the error, and whether there was a task.
    private struct Told: Sendable {
        var object: (any Sendable)?
        var error: (any Error)?
        var hasTask = false
    }

    private func call(
        _ body: (@escaping HTTPManager.SuccessHandler, @escaping HTTPManager.FailureHandler) -> Void
    ) async -> Told {
        let log = EventLog<Told>()
        body(
            { log.add(Told(object: $1, hasTask: $0.state == .completed)) },
            { log.add(Told(error: $1, hasTask: $0 != nil)) })
        return await log.wait(count: 1)[0]
    }

    @Test(
        "M01 KB47: a slash ends the base URL's path where it has one",
        arguments: [
            ("http://example.org", "http://example.org"), ("http://example.org/", "http://example.org/"),
            ("http://example.org/v1", "http://example.org/v1/"),
            ("http://example.org/v1/", "http://example.org/v1/"),
            ("http://example.org/v1?a=/", "http://example.org/v1/?a=/"),
        ])
    func baseURL(_ given: String, _ expected: String) throws {
        #expect(try HTTPManager(baseURL: given).baseURL == expected)
        #expect(try HTTPManager(baseURL: #require(URL(string: given))).baseURL == expected)
        #expect(HTTPManager().baseURL == nil)
    }

    @Test(
        "M01: a base URL that is none is one typed error",
        arguments: ["", "/v1", "example.org", "ftp://x/", "http://"])
    func badBaseURL(_ text: String) {
        #expect(throws: RequestSerializationError(.invalidURL(text), url: text)) {
            try HTTPManager(baseURL: text)
        }
    }

    @Test(
        "M02 LT9 KB47: paths are resolved as RFC 3986 says, and an empty one is the base",
        arguments: [
            ("foo", "http://example.org/v1/foo"), ("foo?bar=baz", "http://example.org/v1/foo?bar=baz"),
            ("/foo", "http://example.org/foo"), ("foo/", "http://example.org/v1/foo/"),
            ("", "http://example.org/v1/"),
            ("http://example2.org/x", "http://example2.org/x"), ("../a", "http://example.org/a"),
            ("a b", "http://example.org/v1/a%20b"),
        ])
    func urls(_ path: String, _ expected: String) throws {
        #expect(try HTTPManager(baseURL: "http://example.org/v1").url(of: path) == expected)
        #expect(
            try HTTPManager(baseURL: "http://example.org").url(of: "foo") == "http://example.org/foo")
    }

    @Test("M02 M13: without a base URL a path is a typed error and a whole URL is taken")
    func withoutBase() throws {
        #expect(throws: RequestSerializationError(.invalidURL("foo"), url: "foo")) {
            try HTTPManager().url(of: "foo")
        }
        #expect(try HTTPManager().url(of: "http://example.org/") == "http://example.org/")
        #expect(throws: RequestSerializationError.self) {
            try HTTPManager().request("GET", "ftp://example.org/")
        }
    }

    @Test("M03: each function resumes a task of its method, with the parameters where it has them")
    func verbs() async throws {
        let (success, failure): (HTTPManager.SuccessHandler, HTTPManager.FailureHandler) = (
            { _, _ in }, { _, _ in }
        )
        let tasks = [
            http.get("echo", parameters: ["a": 1], success: success, failure: failure),
            http.head("echo", parameters: ["a": 1], success: success, failure: failure),
            http.post("echo", parameters: ["a": 1], success: success, failure: failure),
            http.put("echo", parameters: ["a": 1], success: success, failure: failure),
            http.patch("echo", parameters: ["a": 1], success: success, failure: failure),
            http.delete("echo", parameters: ["a": 1], success: success, failure: failure),
        ]
        for task in tasks { _ = await task?.completion() }
        let requests = server.requests(for: "/v1/echo")
        #expect(Set(requests.map(\.method)) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
        for request in requests {
            let isInURL = ["GET", "HEAD", "DELETE"].contains(request.method)
            #expect(request.query == (isInURL ? "a=1" : nil), "\(request.method)")
            #expect(request.bodyPrefix == (isInURL ? [] : Array("a=1".utf8)), "\(request.method)")
        }
    }

    @Test("M04: a task of any method is not resumed")
    func dataTask() async throws {
        let task = try http.dataTask(method: "PROPFIND", "echo", success: nil, failure: nil)
        #expect(task.state == .suspended && task.request.method == "PROPFIND" && http.tasks == [task])
        task.resume()
        #expect(await task.completion().head?.statusCode == 200)
        #expect(throws: RequestSerializationError.self) {
            try http.dataTask(method: "GET", "ftp://x/", success: nil, failure: nil)
        }
    }

    @Test("M05: fields of one request replace the serializer's and are not added to them")
    func headers() async throws {
        http.requestSerializer.settings.headers["X-Own"] = "serializer"
        _ = try await http.get("echo", headers: ["x-own": "call", "User-Agent": "me"])
        let request = try #require(server.requests(for: "/v1/echo").last)
        #expect(request.header("X-Own") == "call" && request.header("User-Agent") == "me")
        _ = try await http.get("echo")
        #expect(server.requests(for: "/v1/echo").last?.header("X-Own") == "serializer")
    }

    @Test("M06: success has the object; an error is told to failure alone, also with an object")
    func successAndFailure() async {
        let fine = await call { http.get("json", success: $0, failure: $1) }
        #expect((fine.object as? [String: any Sendable])?["name"] as? String == "x" && fine.hasTask)
        let missing = await call { http.get("missing", success: $0, failure: $1) }
        #expect((missing.error as? ResponseSerializationError)?.reason == .unacceptableStatusCode(404))
        #expect(missing.hasTask && missing.object == nil)
    }

    @Test("M06: the success of HEAD has no object, whatever the serializer makes")
    func head() async {
        http.responseSerializer = DataResponseSerializer()
        let told = await call { http.head("json", success: $0, failure: $1) }
        #expect(told.error == nil && told.object == nil && told.hasTask)
    }

    @Test("M06 D11: the error of a function that waits has response, body and object")
    func thrownErrors() async throws {
        http.responseSerializer = JSONResponseSerializer()
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await http.get("missing")
        }
        #expect((error?.object as? [String: any Sendable])?["why"] as? String == "gone")
        #expect(error?.head?.statusCode == 404 && error?.data.isEmpty == false)
    }

    @Test("M07: a request that cannot be made returns nil and is told later, without a task")
    func requestFailure() async {
        let told = await call { success, failure in
            let task = http.get("echo", parameters: "nameless", success: success, failure: failure)
            #expect(task == nil)
        }
        #expect(!told.hasTask && (told.error as? RequestSerializationError)?.reason == .notAnObject)
        #expect(server.requests(for: "/v1/echo").isEmpty)
    }

    @Test("M08: a form is a streamed upload, with closures and waiting")
    func multipart() async throws {
        let log = EventLog<String>()
        let task = http.post(
            "echo", parameters: ["a": 1], build: { form in form.append("2", name: "b") },
            success: { _, _ in log.add("success") }, failure: { _, error in log.add("\(error)") })
        #expect(task?.kind == .upload)
        // What the echo says is no JSON of a type that is accepted, or it is: either way it was sent.
        _ = await log.wait(count: 1)
        let completion = try await http.post("echo") { form in form.append("2", name: "b") }
        #expect(completion.head?.statusCode == 200)
        let requests = server.requests(for: "/v1/echo")
        #expect(requests.count == 2)
        #expect(
            requests.allSatisfy {
                $0.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true
            })
        #expect(requests.allSatisfy { $0.header("Content-Length") == "\($0.bodyByteCount)" })
    }

    /// What a window has: a class of the main actor, whose closures use what belongs to that.
    @MainActor private final class Window {
        var title = "Holiday"

        func upload(with http: HTTPManager) async throws -> String {
            try await http.post("echo", as: .string) { form in
                form.append(title, name: "album")
                title = "sent"
            }
        }
    }

    @Test("M08: a form is built where the call is made, with what belongs to the main actor")
    @MainActor func multipartOnTheMainActor() async throws {
        let window = Window()
        #expect(try await window.upload(with: http).contains("Holiday"))
        #expect(window.title == "sent")
    }

    @Test("M09: a policy with pins needs a base URL of https")
    func policyGuard() throws {
        let pins = try SecurityPolicy(pinningMode: .publicKey)
        for manager in [http, HTTPManager()] {
            let error = #expect(throws: SessionError.self) { try manager.setSecurityPolicy(pins) }
            #expect(error?.message.hasPrefix("Invalid Security Policy") == true)
            #expect(manager.securityPolicy == .default)
        }
        let secure = try HTTPManager(baseURL: "https://example.org/")
        try secure.setSecurityPolicy(pins)
        #expect(secure.securityPolicy == pins && secure.manager.securityPolicy == pins)
        try http.setSecurityPolicy(.default)
    }

    @Test("M10: both serializers are there from the beginning, and what is set counts from then on")
    func serializers() async throws {
        #expect(
            http.requestSerializer is HTTPRequestSerializer
                && http.responseSerializer is JSONResponseSerializer)
        http.requestSerializer = JSONRequestSerializer()
        _ = try await http.post("echo", parameters: ["a": [1]])
        let request = try #require(server.requests(for: "/v1/echo").last)
        #expect(request.bodyPrefix == Array(#"{"a":[1]}"#.utf8))
        #expect(request.header("Content-Type") == "application/json")
    }

    private struct Item: Codable, Sendable, Equatable {
        var name: String
    }

    @Test("M03: the functions that wait decode what comes and encode what is sent")
    func typed() async throws {
        http.requestSerializer = JSONRequestSerializer()
        #expect(try await http.get("json", as: .decodable(Item.self)) == Item(name: "x"))
        _ = try await http.post("echo", body: Item(name: "y"), as: .data)
        _ = try await http.put("echo", body: Item(name: "y"), as: .string)
        _ = try await http.patch("echo", body: Item(name: "y"), as: .data)
        let requests = server.requests(for: "/v1/echo")
        #expect(requests.map(\.method) == ["POST", "PUT", "PATCH"])
        #expect(requests.allSatisfy { $0.bodyPrefix == Array(#"{"name":"y"}"#.utf8) })
        _ = try await http.delete("echo", parameters: ["a": "b"])
        #expect(server.requests(for: "/v1/echo").last?.query == "a=b")
        #expect(try await http.head("json").data.isEmpty)
    }

    @Test("M11: a copy has base URL, configuration, serializers and policy, and a session of its own")
    func copying() throws {
        let first = try HTTPManager(
            baseURL: "https://example.org/v1", manager: SessionManager(configuration: .init()))
        first.requestSerializer = JSONRequestSerializer()
        first.responseSerializer = HTTPResponseSerializer()
        let pins = try SecurityPolicy(pinningMode: .publicKey)
        try first.setSecurityPolicy(pins)
        first.onRedirect = { _, _, request in request }
        first.requestHeaders.setValue("1", forHTTPHeaderField: "X-Own")
        let copy = first.copy()
        #expect(copy.requestHeaders.snapshot == ["X-Own": "1"])
        copy.requestHeaders.setValue("2", forHTTPHeaderField: "X-Own")
        #expect(first.requestHeaders.value(forHTTPHeaderField: "X-Own") == "1")
        #expect(copy.baseURL == first.baseURL && copy.configuration == first.configuration)
        #expect(
            copy.requestSerializer is JSONRequestSerializer
                && copy.responseSerializer is HTTPResponseSerializer)
        #expect(copy.securityPolicy == pins && copy.onRedirect == nil && copy.manager !== first.manager)
    }

    @Test("A task that is never resumed keeps neither itself nor its closures")
    func lifetime() throws {
        weak var task: SessionTask?
        do {
            let manager = HTTPManager()
            let made = try manager.dataTask(
                method: "GET", server.url("/v1/echo"), success: { _, _ in }, failure: { _, _ in })
            task = made
            #expect(task != nil)
        }
        #expect(task == nil)
    }

    @Test("M11: what was not set stays unset in a copy, so that its bodies are judged as the first one's")
    func copyingDefaults() async throws {
        for http in [http, http.copy(), http.copy().copy()] {
            #expect(try await http.post("echo", headers: ["Content-Type": "text/html"]).head?.statusCode == 200)
            #expect(http.manager.state.withLock { $0.serializer == nil })
        }
    }

    @Test("M06 D3: a suspended task that everyone lets go of is a failure, told once and without a task")
    func forsaken() async throws {
        let gate = StubGate()
        let stubs = StubServer()
        stubs.answer("/w", with: .text("late").waiting(for: gate))
        let log = EventLog<Told>()
        do {
            let http = HTTPManager(manager: SessionManager(stubs: stubs))
            http.completionQueue = DispatchQueue(label: "HTTPManagerTests.forsaken")
            http.postsNotifications = false
            let task = http.get(
                "http://h/w", success: { _, object in log.add(Told(object: object)) },
                failure: { log.add(Told(error: $1, hasTask: $0 != nil)) })
            await gate.reached()
            task?.suspend()
        }
        let told = await log.wait(count: 1)
        #expect(told.count == 1 && (told[0].error as? SessionError)?.code == .cancelled && !told[0].hasTask)
    }
}

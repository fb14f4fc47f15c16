import Foundation
import FoundationNetworking
import LoopbackServer
import Testing

@testable import SessionCore

/// Redirects that only a caller can allow, and what a task says about where it is.
@Suite("Redirects that need consent", .timeLimit(.minutes(1)))
struct RedirectConsentTests {
    private let server = LoopbackServer()
    private let other = LoopbackServer()
    private let manager = SessionManager()

    init() throws {
        try server.start()
        try other.start()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        server.setRoute("/away", .redirect(to: other.url("/put"), status: 307))
        other.setRoute("/put", .uploadSink())
        server.setRoute("/text", .respond(.text("open")))
    }

    private func run(
        _ request: TransferRequest, handler: (any TaskHandler)? = nil
    ) async throws -> (task: SessionTask, completion: TaskCompletion) {
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.handler = handler
        task.resume()
        return (task, await task.completion())
    }

    private var upload: TransferRequest {
        TransferRequest(
            url: server.url("/away"), method: "PUT",
            headers: ["Authorization": "Bearer secret", "Content-Type": "a/b"],
            body: .bytes([1, 2, 3]))
    }

    @Test("E03: a body goes to another origin only when the closure returns the request")
    func body() async throws {
        final class Undecided: TaskHandler {}
        #expect((try await run(upload).completion.error as? SessionError)?.code == .redirectRefused)
        let undecided = try await run(upload, handler: Undecided()).completion.error as? SessionError
        #expect(undecided?.code == .redirectRefused && undecided?.statusCode == 307)
        #expect(other.requestCount == 0)
        let asked = EventLog<String>()
        manager.onRedirect = { _, head, request in
            asked.add("\(head.statusCode) \(request.url)")
            return request
        }
        let (task, completion) = try await run(upload)
        #expect(completion.error == nil && completion.head?.statusCode == 201)
        #expect(asked.entries == ["307 " + other.url("/put")])
        let recorded = try #require(other.requests.first)
        #expect(recorded.bodyPrefix == [1, 2, 3] && recorded.header("Authorization") == nil)
        #expect(recorded.header("Content-Type") == "a/b")
        #expect(task.currentRequest?.url?.absoluteString == other.url("/put"))
        manager.onRedirect = { _, _, _ in nil }
        #expect(try await run(upload).completion.head?.statusCode == 307)
        #expect(other.requestCount == 1)
    }

    @Test("E03: a handler of the task's own can allow it")
    func handler() async throws {
        final class Allowing: TaskHandler {
            func task(
                _ task: SessionTask, willFollow request: TransferRequest, from head: ResponseHead
            ) -> RedirectDecision { .follow(request) }
        }
        #expect(try await run(upload, handler: Allowing()).completion.head?.statusCode == 201)
    }

    @Test(
        "E03: https leads to http only when the closure returns the request, or an option allows it",
        .enabled(if: OpenSSLServer.isAvailable))
    func downgrade() async throws {
        let secure = try OpenSSLServer(
            keepsAlive: true,
            answer: "HTTP/1.1 302 Found\r\nLocation: \(server.url("/text"))\r\nContent-Length: 0\r\n\r\n")
        var anybody = SecurityPolicy.default
        (anybody.allowsInvalidCertificates, anybody.validatesDomainName) = (true, false)
        manager.securityPolicy = anybody
        let request = TransferRequest(url: secure.url, headers: ["Cookie": "a=b"])
        #expect((try await run(request).completion.error as? SessionError)?.code == .redirectRefused)
        #expect(server.requestCount == 0)
        manager.onRedirect = { _, _, request in request }
        #expect(try await run(request).completion.body == Array("open".utf8))
        manager.onRedirect = nil
        var allowed = request
        var options = RequestOptions()
        options.allowsPlainRedirects = true
        allowed.options = options
        #expect(try await run(allowed).completion.body == Array("open".utf8))
        #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test("Without a closure too the current request is that of the last hop, and of a retry the first one's again")
    func currentRequest() async throws {
        server.setRoute("/a", .redirect(to: "/b"))
        server.setRoute("/b", .redirect(to: "/text"))
        let (task, completion) = try await run(TransferRequest(url: server.url("/a"), headers: ["X-Own": "1"]))
        #expect(completion.error == nil)
        #expect(task.currentRequest?.url?.absoluteString == server.url("/text"))
        #expect(task.currentRequest?.value(forHTTPHeaderField: "X-Own") == "1")
        #expect(task.originalRequest?.url?.absoluteString == server.url("/a"))
        server.setRoute("/c", .sequence([.redirect(to: "/broken"), .respond(.text("direct"))]))
        server.setRoute("/broken", .respond(.text("x", status: 503)))
        let retried = try await run(TransferRequest(url: server.url("/c")))
        #expect(retried.task.currentRequest?.url?.absoluteString == retried.completion.head?.url)
    }
}

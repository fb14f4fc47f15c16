import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Bodies that are made again, of every kind a caller can make.
@Suite("Bodies made for a repetition", .timeLimit(.minutes(1)))
struct NewBodyTests {
    /// A stream that gives a text once.
    private static func stream(_ text: String) -> BodyStream {
        let rest = Locked(Array(text.utf8))
        return BodyStream(length: Int64(text.utf8.count)) { buffer in
            rest.withLock { rest in
                let count = min(rest.count, buffer.count)
                buffer.copyBytes(from: rest.prefix(count))
                rest.removeFirst(count)
                return count
            }
        }
    }

    /// Makes another text each time, of another length.
    private struct Report: BodyProvider {
        let kind: String
        let made = EventLog<Int>()

        func makeBody() throws(SessionError) -> BodySpecification {
            made.add(1)
            let text = "report" + String(repeating: "!", count: made.entries.count)
            guard kind != "form" else {
                var form = MultipartForm()
                form.parts = [MultipartForm.Part(name: "a", content: .stream(stream(text)))]
                return try form.makeBody()
            }
            return kind == "stream" ? .pieces([.stream(stream(text))]) : .bytes(Array(text.utf8))
        }
    }

    private let server = LoopbackServer()
    private let manager = SessionManager()
    private let asked = EventLog<String>()

    init() throws {
        try server.start()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        manager.onTaskChallenge = { _, _ in
            .use(URLCredential(user: "u", password: "p", persistence: .none))
        }
        server.setRoute("/sink", .uploadSink())
        server.setRoute("/307", .redirect(to: "/sink", status: 307))
        server.setRoute("/401", .guarded(authorization: "Basic dTpw", .uploadSink()))
        server.setRoute("/303", .redirect(to: "/sink", status: 303))
    }

    /// The bodies that the server got, and the task's error.
    private func send(_ path: String, _ body: any BodyProvider) async throws -> ([String], SessionError?) {
        let request = TransferRequest(url: server.url(path), method: "POST")
        let task = try manager.uploadTask(with: request, from: body, completionHandler: nil)
        task.resume()
        let error = await task.completion().error as? SessionError
        return (server.requests.map { String(decoding: $0.bodyPrefix, as: UTF8.self) }, error)
    }

    @Test(
        "A provider makes the body of each repetition, whatever it makes",
        arguments: ["bytes", "stream", "form"], ["/307", "/401"])
    func provider(kind: String, path: String) async throws {
        let (bodies, error) = try await send(path, Report(kind: kind))
        #expect(error == nil, "\(String(describing: error))")
        try #require(bodies.count == 2)
        #expect(bodies[0].contains("report!") && !bodies[0].contains("report!!") && bodies[1].contains("report!!"))
        #expect(server.requests.allSatisfy { $0.bodyIsComplete })
    }

    @Test("A redirect that drops the body asks for none", arguments: ["bytes", "stream"])
    func dropped(kind: String) async throws {
        let report = Report(kind: kind)
        let (bodies, error) = try await send("/303", report)
        #expect(error == nil && bodies == ["report!", ""] && report.made.entries.count == 1)
    }

    @Test("The manager's closure may answer with a stream, for a stream and for a provider", arguments: [true, false])
    func closure(isProvider: Bool) async throws {
        manager.onNeedNewBody = { _ in .pieces([.stream(Self.stream("new one"))]) }
        let first = MultipartForm([MultipartForm.Part(name: "a", content: .stream(Self.stream("first")))])
        let (bodies, error) = try await send("/307", isProvider ? Report(kind: "bytes") : first)
        #expect(error == nil && bodies.last == "new one" && server.requests.last?.header("Content-Length") == "7")
    }

    @Test("Data is sent again without a call of the manager's closure")
    func data() async throws {
        let asked = asked
        manager.onNeedNewBody = { _ in
            asked.add("asked")
            return .bytes([1])
        }
        let (bodies, error) = try await send("/307", Data("as it is".utf8))
        #expect(error == nil && bodies == ["as it is", "as it is"] && asked.entries == [])
    }

    @Test("A stream that was read already cannot be the new body, and the error says so")
    func usedStream() async throws {
        let stream = Self.stream("once")
        manager.onNeedNewBody = { _ in .pieces([.stream(stream)]) }
        let form = MultipartForm([MultipartForm.Part(name: "a", content: .stream(stream))])
        let (_, error) = try await send("/307", form)
        #expect(error?.code == .bodyUnreadable && error?.message == BodyErrors.formStreamRead)
    }
}

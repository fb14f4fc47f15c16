// swift-format-ignore-file
// Made of Sources/SessionStubs; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfStubAnswer() async throws {
        server.answer("/users/1", with: .text("who?", status: 401), .json(#"{"name":"Ada"}"#))
    }
    mutating func exampleOfStubAnswerStep() async throws {
        var answer = StubAnswer.text("")
        answer.steps = [.bytes(Array("half".utf8)), .fail(SessionError(.connectionLost, "Cut"))]
        server.answer("/half", with: answer)
        _ = answer
    }
    mutating func exampleOfStubGate() async throws {
        let gate = StubGate()
        server.answer("/slow", with: .text("late").waiting(for: gate))
        await gate.reached()
        gate.open()
        _ = gate
    }
    mutating func exampleOfStubServer() async throws {
        let server = StubServer()
        server.answer("/hello", with: .text("hello"))
        let manager = SessionManager(stubs: server)
        print(try await manager.data(for: TransferRequest(url: "https://example.org/hello"), as: .string))
        _ = server
        _ = manager
    }
    mutating func exampleOfStubRequest() async throws {
        server.answer("/echo") { request in .text("\(request.method) \(request.url)") }
    }
}

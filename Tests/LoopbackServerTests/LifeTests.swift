import Glibc
import LoopbackServer
import Testing

/// Counts what the whole process holds, so nothing else may run beside it.
@Suite("Life of a server", .serialized, .timeLimit(.minutes(1)))
struct LifeTests {
    @Test("A stopped server takes no connection and starts again on its port")
    func restarts() throws {
        let server = LoopbackServer()
        server.setRoute("/a", .respond(.text("a")))
        try server.start()
        let port = server.port
        #expect(try RawClient(server).exchange("GET", "/a").body == Array("a".utf8))
        server.stop()
        #expect(throws: RawClient.Failure.self) { try RawClient(server) }
        try server.start()
        #expect(server.port == port)
        #expect(try RawClient(server).exchange("GET", "/a").body == Array("a".utf8))
        server.stop()
        server.stop()
    }

    @Test("A port that is taken makes the start fail, and the next one succeed")
    func reportsTakenPort() throws {
        try withServer { server in
            var configuration = LoopbackServer.Configuration()
            configuration.port = server.port
            let second = LoopbackServer(configuration: configuration)
            let error = #expect(throws: ServerError.self) { try second.start() }
            #expect(error?.call == "bind")
            #expect(error?.number == EADDRINUSE)
            server.stop()
            try second.start()
            #expect(second.url("a b") == "http://127.0.0.1:\(server.port)/a b")
            second.stop()
        }
    }

    @Test("Stopping ends answers that stand still, are limited, or wait for the client")
    func stopsWaitingAnswers() throws {
        try withServer { server in
            let gate = try server.gate(named: "never")
            server.setRoute("/silent", .file(count: 10).waiting(for: gate))
            server.setRoute("/stalled", .file(count: 10).stalling(after: 5, until: gate))
            server.setRoute("/slow", .file(count: 1_000_000).limited(to: 1))
            server.setRoute("/huge", .file(count: 1 << 40))
            let clients = try ["/silent", "/stalled", "/slow", "/huge", "/missing"].map { path in
                let client = try RawClient(server)
                try client.request("GET", path)
                return client
            }
            #expect(server.waitForRequests(count: clients.count))
            #expect(gate.waitForArrivals(2))
            server.stop()
            #expect(server.connectionCount == 0)
            #expect(server.requests.allSatisfy { $0.outcome != .running })
        }
    }

    @Test("A client that leaves ends an answer that stands still")
    func noticesDeparture() throws {
        try withServer { server in
            let gate = try server.gate(named: "never")
            server.setRoute("/stalled", .file(count: 10).stalling(after: 5, until: gate))
            let client = try RawClient(server)
            try client.request("GET", "/stalled")
            #expect(gate.waitForArrivals())
            client.close()
            #expect(server.wait { $0.first?.outcome == .broken })
            #expect(server.requests.first?.responseBodyBytesSent == 5)
        }
    }
}

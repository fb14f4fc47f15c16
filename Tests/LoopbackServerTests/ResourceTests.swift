import CLinux
import Glibc
import LoopbackServer
import Testing

/// What a server holds and gives back.
///
/// Each test has a process of its own, so that only its own server counts.
@Suite("What a server holds", .timeLimit(.minutes(1)))
struct ResourceTests {
    @Test("Stopping gives every thread and descriptor back")
    func leaksNothing() async {
        await #expect(processExitsWith: .success) {
            let base = (try entries(of: "/proc/self/fd"), try entries(of: "/proc/self/task"))
            for round in 0..<3 {
                let server = LoopbackServer()
                try server.start()
                let gate = try Gate()
                server.setRoute("/stalled", .file(count: 10).stalling(after: 5, until: gate))
                server.setRoute("/reset", .file(count: 10).cutting(after: 5, .reset))
                let clients = try (0..<20).map { index in
                    let client = try RawClient(server)
                    try client.request("GET", ["/stalled", "/reset", "/none"][index % 3])
                    return client
                }
                try require(server.waitForRequests(count: clients.count))
                // Left running in one round, to see that letting go of it is enough.
                if round > 0 { server.stop() }
            }
            try require(try entries(of: "/proc/self/fd") == base.0)
            // A joined thread may stay listed for a moment while the kernel takes it down.
            let deadline = cl_monotonic_milliseconds() + 5_000
            while try entries(of: "/proc/self/task") > base.1, cl_monotonic_milliseconds() < deadline { sched_yield() }
            try require(try entries(of: "/proc/self/task") <= base.1)
        }
    }

    @Test("Threads of ended connections are given back while the server runs")
    func joinsEndedThreads() async {
        await #expect(processExitsWith: .success) {
            let server = LoopbackServer()
            try server.start()
            for _ in 0..<60 { _ = try RawClient(server).exchange("GET", "/none") }
            try require(try entries(of: "/proc/self/task") < 40)
            server.stop()
        }
    }

    @Test("A client that hangs up on a running answer raises no signal")
    func survivesHangUp() async {
        await #expect(processExitsWith: .success) {
            let server = LoopbackServer()
            try server.start()
            server.setRoute("/huge", .file(count: 1 << 40))
            let client = try RawClient(server)
            try client.request("GET", "/huge")
            _ = try client.head()
            client.close()
            try require(server.wait { $0.first?.outcome == .broken })
            server.stop()
        }
    }

    @Test("Connections over the limit wait until one ends")
    func limitsConnections() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.connectionLimit = 2
        try withServer(configuration) { server in
            let held = [try RawClient(server), try RawClient(server)]
            for client in held { _ = try client.exchange("GET", "/none") }
            let third = try RawClient(server)
            try third.request("GET", "/third")
            #expect(server.connectionCount == 2)
            #expect(server.requestCount == 2)
            held[0].close()
            #expect(try third.head().status == 404)
        }
    }

    @Test("Dropping the connections ends them and serves new ones")
    func dropsConnections() throws {
        try withServer { server in
            let client = try RawClient(server)
            _ = try client.exchange("GET", "/none")
            server.dropConnections()
            #expect(try client.rest().end == .closed)
            #expect(try RawClient(server).exchange("GET", "/none").head.status == 404)
        }
    }

    @Test("Only so many requests are remembered, and all are counted")
    func remembersTheNewest() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.recordedRequestLimit = 3
        try withServer(configuration) { server in
            let client = try RawClient(server)
            for index in 0..<20 { _ = try client.exchange("GET", "/\(index)") }
            #expect(server.waitForFinishedRequests(count: 3))
            #expect(server.requestCount == 20)
            #expect((3...6).contains(server.requests.count))
            #expect(server.requests.last?.path == "/19")
            server.clearRequests()
            #expect(server.requests.isEmpty)
            #expect(!server.waitForRequests(count: 1, timeoutMilliseconds: 1))
        }
    }
}

private struct Unfulfilled: Error {}

private func require(_ condition: Bool) throws {
    guard condition else { throw Unfulfilled() }
}

/// How many entries a folder of the proc file system has.
private func entries(of folder: String) throws -> Int {
    guard let stream = opendir(folder) else { throw Unfulfilled() }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    return count
}

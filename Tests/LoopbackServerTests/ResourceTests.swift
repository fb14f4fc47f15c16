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
            let before = try descriptors()
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
            let after = try descriptors()
            try require(after.sockets == before.sockets)
            // The runtime may open a timer or two of its own meanwhile; the three rounds needed six descriptors.
            try require(after.others <= before.others + 2)
            // A joined thread may stay listed for a moment while the kernel takes it down.
            try waitForServerThreads { $0 == 0 }
        }
    }

    @Test("Threads of ended connections are given back while the server runs")
    func joinsEndedThreads() async {
        await #expect(processExitsWith: .success) {
            let server = LoopbackServer()
            try server.start()
            for _ in 0..<60 { _ = try RawClient(server).exchange("GET", "/none") }
            // The last ones may not have seen yet that their clients are gone.
            try waitForServerThreads { $0 < 40 }
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
            let clients = [try RawClient(server), try RawClient(server)]
            for client in clients { _ = try client.exchange("GET", "/none") }
            let third = try RawClient(server)
            try third.request("GET", "/third")
            #expect(server.connectionCount == 2)
            #expect(server.requestCount == 2)
            clients[0].close()
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

/// The entries of a folder of the proc file system.
private func entries(of folder: String) throws -> [String] {
    guard let stream = opendir(folder) else { throw Unfulfilled() }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}

/// How many descriptors this process has: sockets, and all others.
private func descriptors() throws -> (sockets: Int, others: Int) {
    var counts = (sockets: 0, others: 0)
    for name in try entries(of: "/proc/self/fd") {
        var link = [CChar](repeating: 0, count: 64)
        let length = readlink("/proc/self/fd/" + name, &link, link.count)
        // The descriptor that reads the folder is gone by now.
        guard length > 0 else { continue }
        if strncmp(link, "socket:", 7) == 0 {
            counts.sockets += 1
        } else {
            counts.others += 1
        }
    }
    return counts
}

/// Waits until so many threads are a server's as wanted; throws after thirty seconds.
private func waitForServerThreads(_ isWanted: (Int) -> Bool) throws {
    let deadline = cl_monotonic_milliseconds() + 30_000
    while try !isWanted(serverThreads()) {
        try require(cl_monotonic_milliseconds() < deadline)
        sched_yield()
    }
}

/// How many threads of this process bear the name of a server's.
private func serverThreads() throws -> Int {
    try entries(of: "/proc/self/task").count { identifier in
        // A thread that ended since it was listed has no name any more.
        guard let file = fopen("/proc/self/task/\(identifier)/comm", "r") else { return false }
        defer { fclose(file) }
        var name = [CChar](repeating: 0, count: 32)
        guard fgets(&name, 32, file) != nil else { return false }
        return strncmp(name, "loopback", 8) == 0
    }
}

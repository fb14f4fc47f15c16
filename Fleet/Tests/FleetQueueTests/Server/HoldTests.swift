import Testing

@testable import FleetQueue

@Suite("Held hosts", needsServer, .timeLimit(.minutes(10)))
struct HoldTests {
    private let queue: FleetQueue

    init() throws { queue = try TestQueue().open() }

    @Test("A released host is asked at once, and its next hold is short again")
    func release() throws {
        try queue.listen(probe: "test")
        try queue.add(text: "http://h/a\nhttp://i/b")
        for _ in 0..<3 {
            try queue.hold("h", seconds: nil, cause: "refused")
            try queue.connection.run("UPDATE netdash.host SET not_before = now()")
        }
        try queue.hold("h", seconds: 3_600, cause: "status 429")
        let claimed = try queue.claim(5, for: worker("w")).map(\.host)
        #expect(claimed == ["i"])
        try eventually("notices are read") { try queue.notices().contains("hold h") }
        #expect(try queue.release("h"))
        try eventually("workers are told") { try queue.notices().contains("work") }
        #expect(try queue.status().hosts.first { $0.host == "h" }?.held == nil)
        #expect(try queue.claim(5, for: worker("w")).map(\.host) == ["h"])
        #expect(try queue.hold("h", seconds: nil) < 5.1)
    }

    @Test("A host that is not held, or unknown, is not released; its gap between starts stays")
    func notHeld() throws {
        try queue.add(text: "http://h/a\nhttp://h/b")
        try queue.connection.run("UPDATE netdash.host SET gap = '1 hour'")
        #expect(try queue.claim(5, for: worker("w")).count == 1)
        #expect(try !queue.release("h") && !queue.release("other"))
        try queue.hold("h", seconds: 10)
        #expect(try queue.release("h"))
        #expect(try queue.claim(5, for: worker("w")).isEmpty)
    }
}

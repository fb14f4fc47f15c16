import LoopbackServer
import Testing

@testable import SessionCore

/// Servers that send more than they said: the rest must not be taken for the answer to the next request.
@Suite("Bytes after an answer on a kept connection", .timeLimit(.minutes(1)))
struct EngineSurplusTests {
    private static let count = 20
    /// Longer than what is read at once, and the server's last piece is short.
    private static let longLength = 262_144 + 10_240
    private let server = LoopbackServer()

    init() throws { try server.start() }

    /// A whole answer of another file.
    private static func foreignAnswer(_ length: Int) -> [UInt8] {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nContent-Type: application/octet-stream\r\n\r\n"
        return Array(head.utf8) + [UInt8](repeating: 0x45, count: length)
    }

    @Test("None of twenty files holds what followed another", arguments: [10_240, longLength])
    func foreignAnswers(length: Int) throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        for number in 0..<Self.count {
            let file = Behaviour.file(seed: UInt64(number), count: Int64(length))
            server.setRoute("/\(number)", file.followed(by: Self.foreignAnswer(length)))
        }
        let ids = (0..<Self.count).map { harness.download(server.url("/\($0)"), name: .fixed("file\($0)")) }
        for id in ids { harness.resume(id) }
        for (number, id) in ids.enumerated() {
            let end = try #require(harness.outcome(of: id, resuming: false))
            #expect(end.error == nil)
            let content = DeterministicContent(seed: UInt64(number), count: Int64(length))
            let isRight = harness.folder.bytes(of: "file\(number)") == content.bytes
            #expect(isRight, "file \(number)")
        }
    }

    @Test("Nor do files of many connections at once, when a trusted server begins to do it")
    func late() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 8 }
        let length: Int64 = 2_000
        func run(_ numbers: Range<Int>) throws {
            let ids = numbers.map { harness.download(server.url("/\($0)"), name: .fixed("file\($0)")) }
            for id in ids { harness.resume(id) }
            for (number, id) in zip(numbers, ids) {
                let end = try #require(harness.outcome(of: id, resuming: false))
                let isComplete =
                    harness.folder.bytes(of: "file\(number)")
                    == DeterministicContent(seed: UInt64(number), count: length).bytes
                #expect(end.error != nil || isComplete, "file \(number)")
            }
        }
        for number in 0..<240 {
            let file = Behaviour.file(seed: UInt64(number), count: length)
            server.setRoute("/\(number)", number < 40 ? file : file.followed(by: Self.foreignAnswer(Int(length))))
        }
        try run(0..<40)
        try run(40..<240)
    }

    @Test("A server that did it once gets a connection for each request")
    func newConnections() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        let file = Behaviour.file(count: Int64(Self.longLength))
        server.setRoute("/first", file.followed(by: Self.foreignAnswer(Self.longLength)))
        server.setRoute("/next", file)
        #expect(
            harness.outcome(of: harness.download(server.url("/first"), name: .fixed("first")))?.error == nil)
        for number in 0..<3 {
            let id = harness.download(server.url("/next"), name: .fixed("next\(number)"))
            #expect(harness.outcome(of: id)?.error == nil)
        }
        #expect(Set((server.requests(for: "/first") + server.requests(for: "/next")).map(\.connectionID)).count == 4)
    }

    @Test("What cannot be the file is asked for again on a new connection when the one it came on was used before")
    func foreignPage() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        let page = ScriptedResponse(headers: ["Content-Type": "text/html"], body: .bytes(Array("other".utf8)))
        server.setRoute("/first", .file(count: 100))
        server.setRoute("/file.iso", .sequence([.respond(page), .file(count: 2_000)]))
        #expect(harness.outcome(of: harness.download(server.url("/first"), name: .fixed("first")))?.error == nil)
        let id = harness.download(server.url("/file.iso"), name: .fixed("file.iso"))
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file.iso")?.count == 2_000)
        let requests = server.requests
        #expect(requests.count == 3 && requests[0].connectionID == requests[1].connectionID)
        #expect(requests[2].connectionID != requests[0].connectionID)
    }

    @Test("A connection without surplus goes on")
    func keptConnections() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        server.setRoute("/next", .file(count: Int64(Self.longLength)))
        for number in 0..<3 {
            let id = harness.download(server.url("/next"), name: .fixed("next\(number)"))
            #expect(harness.outcome(of: id)?.error == nil)
        }
        #expect(Set(server.requests(for: "/next").map(\.connectionID)).count == 1)
    }
}

@Suite("Connections that no transfer uses")
struct IdleConnectionsTests {
    private final class User {}
    private let users = [User(), User()]
    private let origins = [
        IdleConnections.Origin(name: "http://a", isEncrypted: false),
        IdleConnections.Origin(name: "https://b", isEncrypted: true),
    ]

    private func port(_ socket: Int32) -> Int32 { 50_000 + socket }

    private func user(_ number: Int) -> ObjectIdentifier { ObjectIdentifier(users[number]) }

    @Test("A connection is idle from when its user leaves it until it is used again or gone")
    func life() {
        var idle = IdleConnections()
        idle.use(7, by: user(0))
        #expect(!idle.contains(7))
        #expect(idle.leave(7, of: origins[0], by: user(0), port: port) && idle.contains(7))
        idle.use(7, by: user(1))
        #expect(!idle.contains(7) && idle.remove(7) == nil)
        let isIdle = idle.leave(7, of: origins[1], by: user(1), port: port)
        #expect(isIdle && idle.remove(7) == origins[1] && idle.remove(7) == nil)
    }

    @Test("One whose answer was held back leaves nothing that somebody else uses meanwhile")
    func lateLeave() {
        var idle = IdleConnections()
        idle.use(7, by: user(0))
        idle.use(7, by: user(1))
        let isIdle = idle.leave(7, of: origins[0], by: user(0), port: port)
        #expect(!isIdle && !idle.contains(7))
    }

    @Test("A kept connection is found by its own port, which is asked for once")
    func ports() {
        var idle = IdleConnections()
        var asked: [Int32] = []
        func leave(_ socket: Int32) {
            _ = idle.leave(socket, of: origins[0], by: user(0)) { socket in
                asked.append(socket)
                return 40_000
            }
        }
        for socket in [Int32(7), 9] { idle.use(socket, by: user(0)) }
        leave(7)
        #expect(idle.sockets(from: 40_000) == [7] && idle.sockets(from: 0).isEmpty)
        leave(9)
        #expect(idle.sockets(from: 40_000) == [7, 9])
        // Its user may be done with it before that is known here.
        idle.use(7, by: user(0))
        #expect(idle.sockets(from: 40_000) == [7, 9])
        leave(7)
        #expect(asked == [7, 9])
        // A connection that was not idle is another one for somebody else.
        _ = idle.remove(9)
        idle.use(9, by: user(1))
        #expect(idle.sockets(from: 40_000) == [7])
    }

    @Test("What is no descriptor, or unknown, is never idle", arguments: [-1, 400])
    func unknown(_ number: Int32) {
        var idle = IdleConnections()
        let isIdle = idle.leave(number, of: origins[0], by: user(0), port: port)
        #expect(!isIdle && idle.remove(number) == nil)
    }
}

@Suite("Which connections may be used again")
struct ConnectionReuseTests {
    @Test("A request waits behind the first answer, once, and for connections that answer first meanwhile")
    func probation() {
        var reuse = ConnectionReuse()
        #expect(reuse.start(of: "a", now: 0) == nil)
        reuse.answered("a", isFirst: true, now: 100)
        #expect(reuse.start(of: "a", now: 100) == 110)
        #expect(reuse.start(of: "b", now: 100) == nil)
        reuse.answered("a", isFirst: true, now: 105)
        #expect(reuse.start(of: "a", now: 109) == 115)
        reuse.answered("a", isFirst: false, now: 110)
        #expect(reuse.start(of: "a", now: 114) == 115)
        #expect(reuse.start(of: "a", now: 115) == nil)
        reuse.answered("a", isFirst: true, now: 200)
        #expect(reuse.start(of: "a", now: 200) == nil)
    }

    @Test("A probation ends, however many connections answer first")
    func longest() {
        var reuse = ConnectionReuse()
        for now in stride(from: Int64(0), to: 60, by: 5) { reuse.answered("a", isFirst: true, now: now) }
        #expect(reuse.start(of: "a", now: 49) == ConnectionReuse.longestProbation)
        #expect(reuse.start(of: "a", now: 50) == nil)
    }

    @Test("An origin that was caught waits no more and is never trusted again")
    func unsound() {
        var reuse = ConnectionReuse()
        reuse.answered("a", isFirst: true, now: 0)
        reuse.distrust("a")
        #expect(reuse.start(of: "a", now: 1) == nil)
        #expect(reuse.isUnsound("a") && !reuse.isUnsound("b"))
        reuse.answered("a", isFirst: true, now: 2)
        #expect(reuse.start(of: "a", now: 3) == nil && reuse.isUnsound("a"))
    }
}

import SessionSupport
import Testing
import TransferValues

@testable import AriaRPC

/// The pure parts: numbers of tasks, pieces, lists, speeds, addresses, origins and secrets.
@Suite("Values of aria2's interface", .timeLimit(.minutes(1)))
struct ValueTests {
    // MARK: - GIDs

    @Test("A GID leads back to its row, and beginnings of neighbours differ")
    func rows() throws {
        let seed = GIDSeed()
        var beginnings: Set<String> = []
        for row in (1...2_000 as ClosedRange<UInt64>) {
            let gid = seed.gid(of: row)
            #expect(seed.row(of: gid) == row)
            #expect(GID(gid.description) == gid)
            beginnings.insert(String(gid.description.prefix(6)))
        }
        #expect(beginnings.count > 1_990)
        #expect(seed.row(of: seed.gid(of: .max)) == .max)
    }

    @Test("Each session has GIDs of its own, and a kept seed keeps them")
    func seeds() {
        let seeds = (0..<100).map { _ in GIDSeed() }
        #expect(Set(seeds.map { $0.gid(of: 1) }).count == 100)
        for seed in seeds { #expect(GIDSeed(seed.description) == seed) }
        for text in ["", "seed", "0000000000000000", seeds[0].description + "0"] { #expect(GIDSeed(text) == nil) }
    }

    @Test(
        "A text that is no complete GID is none", arguments: ["", "x", "0000000000000000", "aaaaaaaaaaaaaaaaa", "aaa"])
    func noGID(text: String) { #expect(GID(text) == nil) }

    @Test("A GID names one row, whichever row a client or a list has chosen it for")
    func uniqueGIDs() {
        let seed = GIDSeed()
        func job(_ gid: GID) -> Job {
            var job = Job(kind: .download, url: "http://h/a")
            job.aria = AriaTerms(gid: gid.description)
            return job
        }
        func gids(_ book: GIDBook) -> Set<GID> { Set((1...6 as ClosedRange<UInt64>).map { book.gid(of: $0) }) }
        var book = GIDBook(seed)
        // A list of another session, of which the first task is gone.
        book.learn(GIDBook.News(job(seed.gid(of: 2)), of: 1))
        book.learn(GIDBook.News(job(seed.gid(of: 3)), of: 2))
        #expect(book.gid(of: 1) == seed.gid(of: 2) && book.gid(of: 2) == seed.gid(of: 3))
        #expect(gids(book).count == 6)
        book.learn(GIDBook.News(job(seed.gid(of: 2)), of: 4))
        book.learn(GIDBook.News(job(seed.gid(of: 1)), of: 5))
        #expect(gids(book).count == 6 && book.gid(of: 1) == seed.gid(of: 2))
        var other = GIDBook(seed)
        other.learn(GIDBook.News(job(seed.gid(of: 1)), of: 2))
        #expect(other.gid(of: 1) == seed.gid(of: 1) && gids(other).count == 6)
    }

    // MARK: - Pieces

    @Test(
        "Pieces count whole, and the last one is short",
        arguments: [
            (3 << 20, [0..<(3 << 20)], "e0", 3 << 20), (3 << 20, [0..<(1 << 20)], "80", 1 << 20),
            (3 << 20, [(1 << 19)..<(5 << 19)], "40", 1 << 20), (3 << 20, [], "00", 0),
            ((3 << 20) + 1, [(3 << 20)..<((3 << 20) + 1)], "10", 1),
            (3 << 20, [0..<(3 << 19), (3 << 19)..<(2 << 20)], "c0", 2 << 20),
            (3 << 20, [0..<(3 << 19), ((3 << 19) + 1)..<(2 << 20)], "80", 1 << 20),
        ] as [(Int64, [Range<Int64>], String, Int64)])
    func pieces(total: Int64, ranges: [Range<Int64>], bitfield: String, bytes: Int64) {
        let pieces = Pieces(total: total)
        #expect(pieces.bitfield(ranges) == bitfield)
        #expect(pieces.completeBytes(ranges) == bytes)
    }

    @Test("A file without a length has no pieces, and a long one has longer ones")
    func otherPieces() {
        #expect(Pieces(total: 0).count == 0)
        #expect(Pieces(total: 0).bitfield([0..<0]) == "")
        let long = Pieces(total: 1 << 50)
        #expect(long.count <= 1 << 20 && long.length > 1 << 20)
    }

    // MARK: - Lists

    @Test(
        "A page begins where its offset says, and runs backwards from the end",
        arguments: [
            (0, 2, [1, 2]), (1, 9, [2, 3, 4]), (4, 1, []), (9, 9, []), (0, 0, []), (-1, 2, [4, 3]), (-4, 9, [1]),
            (-2, 9, [3, 2, 1]), (-5, 1, []), (-1, 0, []), (-4, 0, []),
            (.max, .max, []), (.min, .max, []), (-1, .max, [4, 3, 2, 1]),
        ] as [(Int64, Int64, [UInt64])])
    func pages(offset: Int64, count: Int64, expected: [UInt64]) {
        #expect(TaskList.page(of: [1, 2, 3, 4], from: offset, count: count) == expected)
    }

    @Test("Waiting tasks come as they will run, and stopped ones as they ended")
    func lists() {
        func row(_ id: UInt64, _ state: RowState, priority: Int8 = 0, position: UInt64, ended: Int64? = nil)
            -> RowStanding
        {
            RowStanding(id: id, position: position, endedAt: ended, state: state, priority: priority)
        }
        let rows = [
            row(1, .queued, position: 3), row(2, .paused, position: 1), row(3, .queued, priority: 1, position: 9),
            row(4, .running, position: 4), row(5, .done, position: 5, ended: 20),
            row(6, .failed, position: 6, ended: 10),
            row(7, .cancelled, position: 7, ended: 30), row(8, .retrying, position: 8),
        ]
        #expect(TaskList.waiting.ids(of: rows) == [3, 2, 1])
        #expect(TaskList.active.ids(of: rows) == [4, 8])
        #expect(TaskList.stopped.ids(of: rows) == [6, 5, 7])
    }

    // MARK: - Speeds

    @Test("A speed is that of the time between two questions, and at first that of the attempt")
    func speeds() {
        var book = SpeedBook()
        var row = RowFigures(id: 1, kind: .download)
        (row.state, row.startedAt, row.received, row.resumedAt) = (.running, 1_000, 5_000, 1_000)
        #expect(book.speed(of: row, at: 3_000) == 2_000)
        row.received = 6_000
        #expect(book.speed(of: row, at: 4_000) == 1_000)
        // Too soon for another measurement: the last one goes on.
        row.received = 6_100
        #expect(book.speed(of: row, at: 4_100) == 1_000)
        row.state = .paused
        #expect(book.speed(of: row, at: 5_000) == 0)
    }

    // MARK: - Addresses

    @Test(
        "An address is read and written",
        arguments: [
            ("6800", "127.0.0.1:6800"), ("127.0.0.1", "127.0.0.1:6800"), ("localhost:1", "127.0.0.1:1"),
            ("*:80", "0.0.0.0:80"), (":7000", "127.0.0.1:7000"), ("[::1]:9", "[::1]:9"), ("[::1]", "[::1]:6800"),
            ("unix:/run/x", "unix:/run/x"),
        ])
    func addresses(text: String, expected: String) {
        #expect(RPCAddress(text)?.text == expected)
    }

    @Test(
        "What is no address is none",
        arguments: [
            "", "host", "host:80", "1.2.3.4:", "1.2.3.4:x", "1.2.3.4:65536", "::1", "[::1", "[1.2.3.4]:1", "unix:",
            "99999",
            "unix:" + String(repeating: "a", count: 108),
        ])
    func noAddress(text: String) { #expect(RPCAddress(text) == nil) }

    @Test(
        "Only loopback and sockets of the file system are this machine's",
        arguments: [
            ("127.1.2.3:1", true), ("[::1]:1", true), ("unix:/a", true), ("0.0.0.0:1", false), ("[::]:1", false),
            ("10.0.0.1:1", false),
        ])
    func local(text: String, isLocal: Bool) { #expect(RPCAddress(text)?.isLocal == isLocal) }

    // MARK: - Origins

    @Test(
        "A Host other than this machine's is refused on loopback",
        arguments: [
            ("127.0.0.1:6800", true), ("localhost", true), ("LOCALHOST:6800", true), ("[::1]:6800", true),
            ("127.0.0.1.evil.example", false), ("evil.example", false), ("127.evil", false), ("", false),
        ])
    func hosts(host: String, isRight: Bool) {
        #expect(OriginRule(isLocal: true).accepts(host: host) == isRight)
        #expect(OriginRule(isLocal: false).accepts(host: host))
    }

    @Test(
        "A page of another site is refused unless it is named",
        arguments: [
            (nil, true), ("chrome-extension://abc", true), ("moz-extension://abc", true),
            ("https://good.example", true),
            ("https://evil.example", false), ("null", false), ("http://localhost:8080", false),
            ("http://localhost", true),
            ("", false), ("x-extension://abc", false),
        ] as [(String?, Bool)])
    func origins(origin: String?, isRight: Bool) {
        let rule = OriginRule(isLocal: true, allowed: ["https://good.example"])
        #expect(rule.accepts(origin: origin, host: "localhost") == isRight)
        #expect(OriginRule(isLocal: true, allowed: ["*"]).accepts(origin: origin, host: "localhost"))
    }

    // MARK: - Secrets

    @Test(
        "Only the token itself is one",
        arguments: [
            ("secret", true), ("", false), ("secre", false), ("secrets", false), ("secretsecret", false),
            ("Secret", false),
        ])
    func secrets(token: String, isRight: Bool) {
        #expect(AriaSecret("secret").matches(token) == isRight)
    }

    @Test(
        "SHA-1 of the examples of its standard",
        arguments: [
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"), ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (String(repeating: "a", count: 1_000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
        ])
    func digests(text: String, expected: String) {
        #expect(ByteText.hexadecimal(SHA1.digest(of: Array(text.utf8))) == expected)
    }

    @Test("A key that is not 16 bytes opens no WebSocket")
    func keys() {
        #expect(WebSocketKey.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(WebSocketKey.accept("YQ==") == nil)
        #expect(WebSocketKey.accept("?") == nil)
    }

    // MARK: - Failures

    @Test("Every cause of a failure has a number of aria2, and no other state has one")
    func numbers() {
        for cause in Cause.allCases {
            var row = RowFigures(id: 1, kind: .download)
            (row.state, row.cause) = (.failed, cause)
            #expect((1...32).contains(ErrorNumber.of(row)), "\(cause)")
        }
        for state in RowState.allCases where state != .failed {
            var row = RowFigures(id: 1, kind: .download)
            row.state = state
            #expect(ErrorNumber.of(row) == (state == .cancelled ? 31 : 0))
        }
    }

    @Test(
        "Statuses have the numbers that aria2 was seen to give them",
        arguments: [
            (404, 3), (401, 24), (407, 24), (503, 29), (429, 22), (500, 22),
        ])
    func statuses(status: Int, number: Int) {
        var row = RowFigures(id: 1, kind: .download)
        (row.state, row.cause, row.statusCode) = (.failed, .http, status)
        #expect(ErrorNumber.of(row) == number)
    }

    // MARK: - Notifications

    @Test(
        "Moments of a task become notifications, each once",
        arguments: [
            ([.added, .started, .completed], [.start, .complete]),
            ([.added, .paused, .resumed, .started, .failed], [.start, .error]),
            ([.added, .started, .paused, .paused, .resumed, .started, .cancelled], [.start, .pause, .start, .stop]),
            ([.paused, .resumed], [.pause, .start]),
            ([.completed, .started, .completed], [.complete, .start, .complete]),
        ] as [([AriaMoment], [AriaNotice])])
    func notices(moments: [AriaMoment], expected: [AriaNotice]) {
        var notices = AriaNotices()
        #expect(moments.compactMap { notices.notice(of: $0, 1) } == expected)
    }
}

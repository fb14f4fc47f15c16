import Testing
import TransferService

@testable import FleetQueue
@testable import FleetWindow

/// The SQL of filters and orders, without a server.
@Suite("Selections in SQL", .timeLimit(.minutes(10)))
struct SelectionTests {
    private func conditions(_ terms: RowRequest.Term...) -> SelectionConditions {
        var request = RowRequest(limit: 10)
        request.groups = [terms]
        return SelectionConditions(request)
    }

    private static let injections = [
        "'; DROP TABLE netdash.job; --", "\\'; SELECT pg_sleep(9); --", "$1", "%' OR '1'='1", "\0x", "\u{202E}",
        "$$; DELETE FROM netdash.job $$", "a\\", "''", "E'\\x27'",
    ]

    @Test("Text from outside is a parameter, whatever it says", arguments: injections)
    func injection(_ text: String) {
        let terms: [RowRequest.Condition] = [
            .text(text), .host(text), .worker(text), .error(text, [.http]), .pattern(text),
        ]
        for condition in terms {
            let made = conditions(RowRequest.Term(condition))
            let plain = conditions(RowRequest.Term(replaced(condition)))
            #expect(made.text == plain.text)
            #expect(Set(made.parameters) == [text.replacing("\0", with: "\u{FFFD}")])
        }
    }

    private func replaced(_ condition: RowRequest.Condition) -> RowRequest.Condition {
        switch condition {
        case .text: .text("x")
        case .host: .host("x")
        case .worker: .worker("x")
        case .error(_, let causes): .error("x", causes)
        case .pattern: .pattern("x")
        default: condition
        }
    }

    @Test("Each term has its condition")
    func terms() {
        let rows: [(RowRequest.Condition, String)] = [
            (.states([.failed]), "(j.state = 'dead')"),
            (
                .states([.running, .verifying]),
                "((j.state = 'running' AND j.wish <> 'pause') OR (false))"
            ),
            (.kinds([.download]), "(j.kind = ANY ($1::text[]))"),
            (
                .range(.size, lower: RowRequest.Bound(value: 5, isIncluded: true), upper: nil),
                "(COALESCE(j.total, j.received, 0) >= $1::double precision)"
            ),
            (
                .range(.size, lower: nil, upper: RowRequest.Bound(value: 5, isIncluded: false)),
                "((j.total IS NOT NULL OR j.state = 'done') AND COALESCE(j.total, j.received, 0) < $1::double precision)"
            ),
            (.text("a"), "(strpos(lower(j.url), $1) > 0 OR strpos(lower(j.dest), $1) > 0)"),
            (.range(.speed, lower: nil, upper: nil), "false"),
        ]
        for (condition, text) in rows {
            #expect(conditions(RowRequest.Term(condition)).text == "((\(text)))")
            #expect(conditions(RowRequest.Term(condition, isNegated: true)).text == "((NOT COALESCE(\(text), false)))")
        }
    }

    @Test("A term without a column matches nothing and says so")
    func noColumn() {
        #expect(conditions(RowRequest.Term(.range(.speed, lower: nil, upper: nil))).problem == WindowErrors.noSpeed)
        #expect(conditions(RowRequest.Term(.range(.age, lower: nil, upper: nil))).problem == WindowErrors.noAge)
        let long = String(repeating: "a", count: SelectionConditions.patternLimit + 1)
        #expect(conditions(RowRequest.Term(.pattern(long))).problem == WindowErrors.longPattern)
        #expect(conditions(RowRequest.Term(.text("a"))).problem == nil)
    }

    @Test("Alternatives are in brackets, and every parameter has its number")
    func groups() {
        var request = RowRequest(limit: 10)
        request.kind = .download
        request.states = [.done]
        request.groups = [
            [RowRequest.Term(.host("a")), RowRequest.Term(.text("b"), isNegated: true)], [RowRequest.Term(.text("c"))],
        ]
        let made = SelectionConditions(request)
        #expect(made.parameters == ["download", "a", "b", "c"])
        let start = "j.kind = $1 AND (j.state = 'done') AND ((((j.state <> 'running' AND j.host_id = ANY ($2::"
        #expect(made.text?.hasPrefix(start) == true)
        #expect(
            made.text?.contains("$3)") == true
                && made.text?.hasSuffix("strpos(lower(j.dest), $4) > 0)))") == true)
        #expect(!made.isByState && SelectionConditions(RowRequest(limit: 1)).isByState)
    }

    @Test("An order by state asks for one state after the other, and only for those that have jobs")
    func byState() {
        let all = SelectionPage(RowRequest(limit: 10))
        #expect(all.statements.count == 7 && all.statements.allSatisfy { $0.text.hasSuffix("ORDER BY j.id LIMIT 10") })
        let few = SelectionPage(RowRequest(limit: 10), present: [.queued, .done], hasPriorities: true)
        #expect(few.statements.map { $0.text.contains("ORDER BY j.priority DESC, j.id") } == [true, false])
        var inverted = RowRequest(limit: 10)
        inverted.orders = [RowRequest.Order(.state, isInverted: true)]
        let reversed = SelectionPage(inverted, present: [.queued, .done])
        #expect(reversed.statements.map { $0.text.contains("j.state = 'done'") } == [true, false])
    }

    @Test("Each column has its order", arguments: RowRequest.Column.allCases)
    func orders(_ column: RowRequest.Column) {
        let plain = SelectionPage.expression(RowRequest.Order(column))
        let inverted = SelectionPage.expression(RowRequest.Order(column, isInverted: true))
        #expect(plain.hasSuffix(" DESC") != inverted.hasSuffix(" DESC"))
        let isLargestFirst = column == .size || column == .progress
        #expect(plain.hasSuffix(" DESC") == isLargestFirst)
    }

    // MARK: - Bytes

    @Test("Reported bytes are spread over the time between two reports, and never exceed them")
    func playedBytes() {
        var played = PlayedBytes()
        played.report(0, of: 1, at: 0)
        played.report(1000, of: 1, at: 10_000)
        #expect([10_000, 15_000, 20_000, 90_000].map { played.bytes(of: 1, at: $0) } == [0, 500, 1000, 1000])
        #expect(played.isMoving(1, at: 15_000) && !played.isMoving(1, at: 20_000))
        // A report in between goes on from what is shown.
        played.report(3000, of: 1, at: 15_000)
        #expect([15_000, 17_500, 20_000].map { played.bytes(of: 1, at: $0) } == [500, 1750, 3000])
        // Another worker began again.
        played.report(100, of: 1, at: 21_000)
        #expect(played.bytes(of: 1, at: 21_000) == 100)
        played.keep([])
        #expect(played.bytes(of: 1, at: 21_000) == nil)
    }

    @Test("A speed is the average of some seconds, and removed jobs make none")
    func speeds() {
        var speeds = QueueSpeeds()
        speeds.add(bytes: 0, done: 0, at: 0)
        #expect(speeds.bytesPerSecond == nil)
        for second in 1...60 { speeds.add(bytes: Int64(second) * 100, done: second * 2, at: Int64(second) * 1000) }
        #expect(speeds.bytesPerSecond == 100 && speeds.rowsPerSecond == 2)
        speeds.add(bytes: 0, done: 0, at: 61_000)
        #expect(speeds.bytesPerSecond == 0)
    }

    @Test(
        "What ended while the database did not answer is spread over the time since the last count",
        arguments: [8, 90])
    func speedsAfterStall(seconds: Int64) {
        var speeds = QueueSpeeds()
        for second in (0...30 as ClosedRange<Int64>) {
            speeds.add(bytes: second * 100, done: Int(second) * 2, at: second * 1000)
        }
        let end = 30 + seconds
        speeds.resume(at: end * 1000)
        // The first count is old, and the next one comes at once with all that workers have reported meanwhile.
        speeds.add(bytes: 3_000, done: 60, at: end * 1000)
        speeds.add(bytes: end * 100, done: Int(end) * 2, at: end * 1000 + 30)
        for second in (end + 1)...(end + 90) {
            speeds.add(bytes: second * 100, done: Int(second) * 2, at: second * 1000)
            #expect((speeds.bytesPerSecond ?? .infinity) <= 100.01 && (speeds.rowsPerSecond ?? .infinity) <= 2.01)
        }
        #expect(speeds.bytesPerSecond == 100 && speeds.rowsPerSecond == 2)
    }

    @Test("A row's bytes of a stall come at no speed that it has not had, and are caught up", arguments: [8, 90])
    func bytesAfterStall(seconds: Int64) {
        var played = PlayedBytes()
        var shown: Int64 = 0
        for second in (0...30 as ClosedRange<Int64>) { played.report(second * 100, of: 1, at: second * 1000) }
        let end = 30 + seconds
        played.resume(at: end * 1000, began: 30_000)
        // The first counts are old: of before the stall, and of its first second. A further row is seen for the first time.
        played.report(3_000, of: 1, at: end * 1000)
        played.report(3_000, of: 2, at: end * 1000)
        played.report(3_100, of: 1, at: end * 1000 + 500)
        shown = played.bytes(of: 1, at: end * 1000 + 1000) ?? 0
        var other: Int64 = 3_000
        for second in (end + 1)...(end * 6) {
            for id in [1, 2] as [Int64] { played.report(second * 100, of: id, at: second * 1000) }
            let next = [1, 2].map { played.bytes(of: $0, at: second * 1000 + 1000) ?? 0 }
            #expect(next[0] - shown <= 126 && next[1] - other <= 126, "second \(second)")
            (shown, other) = (next[0], next[1])
        }
        #expect(shown == end * 600 && other == end * 600)
        // A download that has become fast is shown as fast after two reports.
        for second in (end * 6 + 1)...(end * 6 + 4) {
            played.report(end * 600 + (second - end * 6) * 10_000, of: 1, at: second * 1000)
        }
        #expect(played.bytes(of: 1, at: (end * 6 + 5) * 1000) == end * 600 + 40_000)
    }

    @Test("Two counts within a moment make no speed")
    func speedsOfMoment() {
        var speeds = QueueSpeeds()
        speeds.add(bytes: 0, done: 0, at: 0)
        speeds.add(bytes: 10_000_000, done: 20, at: 30)
        #expect(speeds.bytesPerSecond == nil && speeds.rowsPerSecond == nil)
    }

    @Test("A worker's sentence has a word in the table")
    func causes() {
        let rows: [(String, Cause, Int?)] = [
            ("status 404", .http, 404), ("status 401", .authenticationRequired, 401),
            ("connection reset", .connectionLost, nil),
            ("Checksum does not match", .checksum, nil), ("something", .internal, nil),
        ]
        for (text, cause, status) in rows {
            let found = RowMaking.reason(text)
            #expect(found.0 == cause && found.1 == status, "\(text)")
        }
    }

    @Test("Commands without a meaning over a queue have a reason")
    func refusals() {
        #expect(FleetService.refusal(of: .pause([1])) == nil)
        #expect(FleetService.refusal(of: .undo(.pause([1]))) == nil)
        #expect(FleetService.refusal(of: .undo(.restore([1]))) == QueueRefusalErrors.undo)
        let refused: [TransferCommand] = [
            .add([]), .clear([1]), .remove([1], deletingParts: false), .startNow([1]), .fetchAgain([1]),
            .setLimits(TransferLimits()), .moveInQueue([1], by: 1), .repeatRequest(1, seconds: 1), .forgetEnds(nil),
        ]
        for command in refused { #expect(FleetService.refusal(of: command) != nil, "\(command)") }
    }
}

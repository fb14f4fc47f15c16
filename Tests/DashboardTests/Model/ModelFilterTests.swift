import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("The filter language", .timeLimit(.minutes(1)))
struct ModelFilterTests {
    /// Seven rows that differ in everything a filter can ask for.
    private static let rows: [RowSnapshot] = [
        row(
            1, .running, .download, "debian-12.iso", "deb.example.org", moved: 50 << 20, size: 631 << 20, began: 90_000),
        row(
            2, .failed, .download, "big data.ZIP", "dl.example.net", moved: 10, size: 2 << 30, error: "The host refused"
        ),
        row(3, .done, .upload, "report.pdf", "up.example.com", moved: 1 << 20, size: 1 << 20, began: 1000),
        row(4, .paused, .download, "Ärger.iso", "deb.example.org", moved: 3, size: nil),
        row(5, .queued, .data, "GET /v2/orders", "api.example.com", moved: 0, size: nil),
        row(6, .failed, .upload, "or", "up.example.com", moved: 0, size: 5, error: "no space left"),
        row(7, .done, .download, "state:done", "dl.example.net", moved: 0, size: 0),
    ]

    private static func row(
        _ id: UInt64, _ state: RowState, _ kind: Job.Kind, _ name: SafeText, _ host: SafeText, moved: Int64,
        size: Int64?, began: Int64? = nil, error: SafeText? = nil
    ) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: kind, name: name, url: "https://" + host + "/x/" + SafeText(id))
        row.state = state
        row.host = host
        row.received = moved
        row.sent = moved
        row.expected = size
        row.startedAt = began
        row.error = error
        return row
    }

    private func shown(_ filters: String...) -> [UInt64] {
        var model = Model()
        _ = update(&model, .clock(100_000))
        _ = update(&model, .rows(Self.rows))
        for filter in filters { model.setFilter(filter) }
        return model.rows.shownIDs.sorted()
    }

    @Test(
        "What each form finds",
        arguments: [
            ("", [1, 2, 3, 4, 5, 6, 7]), ("   ", [1, 2, 3, 4, 5, 6, 7]),
            // Words: every one, wherever it stands, in either case.
            ("ISO", [1, 4]), ("iso debian", [1]), ("debian iso", [1]), ("big data", [2]), ("data big", [2]),
            ("ärger", [4]), ("example.org", [1, 4]), ("iso pdf", []), ("https", [1, 2, 3, 4, 5, 6, 7]),
            // Quotes: as it stands.
            ("\"big data\"", [2]), ("\"data big\"", []), ("\"or\"", [1, 3, 4, 5, 6]),
            ("\"\"", [1, 2, 3, 4, 5, 6, 7]), ("\"state:done\"", [7]),
            // The opposite.
            ("-iso", [2, 3, 5, 6, 7]), ("iso -debian", [4]), ("-iso -host:example.com", [2, 7]), ("- iso", [1]),
            ("-\"big data\"", [1, 3, 4, 5, 6, 7]), ("-state:done", [1, 2, 4, 5, 6]),
            // Alternatives.
            ("iso or pdf", [1, 3, 4]), ("iso debian OR pdf", [1, 3]), ("or iso or", [1, 4]),
            ("or", [1, 2, 3, 4, 5, 6, 7]),
            ("state:failed kind:up or debian", [1, 6]),
            // Words for states and kinds.
            ("state:failed", [2, 6]), ("state:run", [1]), ("state:run state:queued", [1, 5]),
            ("state:run,pau", [1, 4]),
            ("-state:failed,done", [1, 4, 5]), ("kind:data", [5]), ("KIND:Upload", [3, 6]),
            ("kind:up kind:data", [3, 5, 6]),
            ("host:example.com", [3, 5, 6]), ("host:", [1, 2, 3, 4, 5, 6, 7]),
            ("error:refused", [2]), ("error:", [2, 6]), ("error:\"space left\"", [6]), ("-error:", [1, 3, 4, 5, 7]),
            // Ranges.
            ("size:>100M", [1, 2]), ("size>100m", [1, 2]), ("size:<1M", [6, 7]), ("size<=1M", [3, 6, 7]),
            ("size:1M..631M", [1, 3]), ("size:..5", [6, 7]), ("size:>2", [1, 2, 3, 4, 6]), ("size:1.5G..", [2]),
            ("-size:>1k", [4, 5, 6, 7]),
            ("progress:>50", [3, 7]), ("progress:<10%", [1, 2, 6]), ("progress:100..", [3, 7]),
            ("age:<30s", [1]), ("age:>1m", [3]), ("age:..0.5h", [1, 3]), ("speed:>1", []),
            // Patterns.
            ("~iso$", [1, 4]), ("~^debian", [1]), ("~deb.*iso", [1]), ("~[0-9]{2}\\.iso", [1]),
            ("~^(or|report)", [3, 6]),
            ("-~example", []), ("~\"big data\"", [2]), ("~ärger", [4]), ("~^.rger", [4]),
            // Text with a colon that is no condition is text.
            ("https://deb", [1, 4]), ("12:30", []), ("name:x", []), ("ghost:8080", []),
        ] as [(String, [UInt64])])
    func forms(text: String, ids: [UInt64]) {
        #expect(shown(text) == ids)
        #expect(FilterExpression(text).problem == nil)
    }

    @Test("An open quotation mark extends to the end, and is named until it is closed")
    func openQuote() {
        #expect(shown("\"big data") == [2])
        #expect(FilterExpression("\"big data").isUsable)
        #expect(FilterExpression("\"big data\"").problem == nil)
    }

    @Test(
        "What makes no sense is named in one sentence, and what was shown stays",
        arguments: [
            (
                "state:lost",
                "No state lost: running retrying queued pausing paused verifying saving failed done cancelled"
            ),
            ("state:", "Enter a state: running retrying queued pausing paused verifying saving failed done cancelled"),
            ("kind:x", "No kind x: data upload download"),
            ("\"big data", FilterErrors.openQuote.string),
            ("size>", "Use size:>100M, size:<2G or size:100M..2G"),
            ("size>1x", "size is a number with k, M, G or T: size:>100M, size:<2G or size:100M..2G"),
            ("size<-1", "size is a number with k, M, G or T: size:>100M, size:<2G or size:100M..2G"),
            ("size>nan", "size is a number with k, M, G or T: size:>100M, size:<2G or size:100M..2G"),
            ("size:5M", "Use size:>100M, size:<2G or size:100M..2G"),
            ("size:2M..1M", FilterErrors.reversed("size", "100M", "2G").string),
            ("progress:90..10", FilterErrors.reversed("progress", "50", "90").string),
            ("age:>5x", "age is a number with s, m, h or d: age:>30s, age:<2h or age:30s..2h"),
            ("progress:a..b", "progress is a percentage: progress:>50, progress:<90 or progress:50..90"),
            ("stte:failed", FilterErrors.unknownCondition("stte", nearest: "state").string),
            ("hots:x", FilterErrors.unknownCondition("hots", nearest: "host").string),
            ("~", FilterErrors.patternMissing.string),
            ("~(a", FilterErrors.pattern("(a", PatternErrors.openGroup).string),
            ("~a)", FilterErrors.pattern("a)", PatternErrors.closingWithoutOpening).string),
            ("~[a", FilterErrors.pattern("[a", PatternErrors.openSet).string),
            ("~*", FilterErrors.pattern("*", PatternErrors.followsNothing("*")).string),
            ("~[ä]", FilterErrors.pattern("[ä]", PatternErrors.onlyASCII).string),
            ("~a{3,2}", FilterErrors.pattern("a{3,2}", PatternErrors.repetition).string),
            ("~[z-a]", FilterErrors.pattern("[z-a]", PatternErrors.backwards).string),
            ("~a{99}", FilterErrors.pattern("a{99}", PatternErrors.tooLong).string),
            ("iso or size:1x", "size is a number with k, M, G or T: size:>100M, size:<2G or size:100M..2G"),
        ])
    func problems(text: String, sentence: String) {
        #expect(FilterExpression(text).problem?.string == sentence)
        // What was shown before stays; what is only unfinished asks for nothing yet.
        #expect(shown("kind:data", text) == [5] || FilterExpression(text).isUsable)
    }

    @Test("A filter that is being typed never shows less than what stands complete before its last word")
    func typing() {
        for last in ["state:", "size:", "size:>", "size:1", "size:1.", "size:1M..", "~", "age:<"] {
            #expect(shown("iso " + last) == (last == "size:1M.." ? [1] : [1, 4]), "\(last)")
        }
        #expect(shown("iso", "iso state:zzz") == [1, 4])
        #expect(shown("iso state:zzz").count == 7, "Nothing was right yet")
        #expect(shown("iso state:zzz", "") == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test(
        "Rows come and go with the numbers that a filter is about, at most once a second where those move by themselves"
    )
    func moving() {
        var model = Model()
        _ = update(&model, .clock(1000))
        let other = Self.row(2, .running, .download, "b", "h", moved: 0, size: 10_000_000)
        _ = update(
            &model, .rows([Self.row(1, .running, .download, "a", "h", moved: 0, size: 10_000_000, began: 1000), other]))
        model.setFilter("speed:>100k")
        #expect(model.rows.shownIDs.isEmpty)
        for step in Int64(1)...6 {
            var figures = Self.row(
                1, .running, .download, "a", "h", moved: step * 500_000, size: 10_000_000, began: 1000
            ).figures
            figures.received = step * 500_000
            _ = update(&model, .figures([figures]))
            _ = update(&model, .clock(1000 + step * 500))
        }
        #expect(model.rows.shownIDs == [1])
        model.setFilter("progress:>50")
        #expect(model.rows.shownIDs.isEmpty)
        var figures = model.rows.figures(of: 1) ?? other.figures
        figures.received = 6_000_000
        _ = update(&model, .figures([figures]))
        #expect(model.rows.shownIDs == [1])
        model.setFilter("age:>5s")
        #expect(model.rows.shownIDs.isEmpty)
        for step in Int64(8)...12 { _ = update(&model, .clock(1000 + step * 500)) }
        #expect(model.rows.shownIDs == [1])
    }

    @Test("The cause is found by its sentence and by its word in the table")
    func causes() {
        var model = Model()
        var row = Self.row(1, .failed, .download, "a", "h", moved: 0, size: 1, error: "No room")
        row.cause = .diskFull
        _ = update(&model, .rows([row]))
        let filters = [
            ("error:room", 1), ("error:\"disk full\"", 1), ("error:DISK", 1), ("error:", 1), ("error:tls", 0),
        ]
        for (text, count) in filters {
            model.setFilter(text)
            #expect(model.rows.shownCount == count, "\(text)")
        }
    }

    @Test("The selected row stays when its state takes it out of the filter, until the selection leaves it")
    func anchored() {
        var model = Model()
        _ = update(&model, .clock(1000))
        var rows = (1...3).map { Self.row($0, .running, .download, "a", "h", moved: 0, size: 1) }
        _ = update(&model, .rows(rows))
        model.setFilter("state:run")
        rows[0].state = .failed
        _ = update(&model, .rows([rows[0]]))
        #expect(model.rows.shownIDs == [1, 2, 3])
        _ = update(&model, .key(.down))
        #expect(model.rows.shownIDs == [2, 3])
    }

    @Test("The prompt shows the error and the table goes on")
    func promptShowsProblem() {
        let size = Size(columns: 80, rows: 24)
        var model = GoldenScenes.start(size, rows: GoldenRows.mockUp)
        for key in "/state:nope".map(KeyPress.character) { _ = update(&model, .key(key)) }
        let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
        #expect(text.contains("No state nope: running retrying queued"))
        #expect(model.rows.shownCount == 13)
    }

    @Test("The filter's words are completed as far as that is certain")
    func completion() {
        func complete(_ text: String) -> String? {
            FilterCompletion.complete(
                text, hosts: { ["a.example", "a.example", "api.example"] }, workers: { ["Rack1", "rack1", "rack2"] })
        }
        #expect(complete("st") == "state:")
        #expect(complete("iso state:fa") == "iso state:failed ")
        #expect(complete("-state:fa") == "-state:failed ")
        #expect(complete("state:r") == nil)
        #expect(complete("kind:u") == "kind:upload ")
        #expect(complete("host:ap") == "host:api.example ")
        #expect(complete("host:") == "host:a")
        #expect(complete("worker:r") == "worker:rack" && complete("worker:rack1") == nil)
        #expect(complete("s") == nil)
        #expect(complete("si") == "size:")
        #expect(complete("iso") == nil)
        #expect(complete("") == nil)
    }

    @Test("Every form that the help shows is understood")
    func reference() {
        for row in FilterReference.rows { #expect(FilterExpression(row.form.string).problem == nil, "\(row.form)") }
        for name in FilterExpression.names {
            #expect(FilterReference.rows.contains { $0.form.string.hasPrefix(name + ":") }, "\(name)")
        }
    }
}

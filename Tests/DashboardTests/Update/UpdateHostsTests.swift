import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("What the hosts' lines tell")
struct UpdateHostsTests {
    private func row(_ id: UInt64, _ state: RowState, host: SafeText = "a.example") -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "row" + SafeText(id), url: "http://a/")
        (row.host, row.state, row.received, row.expected) = (host, state, 10, 100)
        return row
    }

    private func failed(_ id: UInt64, at end: Int64, _ cause: Cause, status: Int? = nil) -> RowSnapshot {
        var failed = row(id, .failed)
        (failed.cause, failed.statusCode, failed.endedAt, failed.error) = (cause, status, end, "why " + SafeText(id))
        return failed
    }

    private func model(_ rows: [RowSnapshot], columns: Int = 120, rows height: Int = 36) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: columns, rows: height)))
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(rows))
        _ = update(&model, .clock(2000))
        return model
    }

    private func text(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
    }

    @Test("Connections are asked for only while rows are grouped by host, once a second, and only for rows that run")
    func asking() {
        var model = model([row(1, .running), row(2, .running), row(3, .queued)])
        func asks(_ message: Message) -> [[UInt64]] {
            update(&model, message).compactMap { if case .countConnections(let ids) = $0 { ids } else { nil } }
        }
        #expect(asks(.clock(3000)).isEmpty)
        #expect(asks(.key(.character("&"))) == [[1, 2]])
        #expect(asks(.clock(3500)).isEmpty)
        #expect(asks(.clock(4100)) == [[1, 2]])
        for _ in 0..<3 { _ = asks(.key(.character("&"))) }
        #expect(asks(.clock(6000)).isEmpty)
    }

    @Test("Rows that share a connection count as one, and rows that have ended as none")
    func counting() {
        var model = model([row(1, .running), row(2, .running), row(3, .running), row(4, .running, host: "b.example")])
        _ = update(&model, .key(.character("@")))
        _ = update(&model, .connections([1: "x", 2: "x", 3: "y", 4: "z"]))
        _ = update(&model, .key(.home))
        #expect(text(model).contains("a.example  3 tasks ▸3/16, 2 connections"))
        #expect(text(model).contains("b.example  1 task ▸1/16, 1 connection "))
        #expect(text(model).contains("3 running on 2 connections (max 16)"))
        _ = update(&model, .rows([row(3, .done)]))
        #expect(text(model).contains("▸2/16 ✓1, 1 connection "))
        _ = update(&model, .connections([1: "x"]))
        #expect(text(model).contains("▸2/16 ✓1, 1+ connections "))
        #expect(text(model).contains("2 running on 1+ connections, 1 awaiting response (max 16)"))
        _ = update(&model, .connections([:]))
        #expect(text(model).contains("2 running, 2 awaiting response (max 16)"))
    }

    @Test("A host's line counts the connections of the tasks that the filter shows")
    func countingFiltered() {
        var model = model([row(1, .running), row(2, .running), failed(3, at: 1, .http), failed(4, at: 2, .http)])
        for key in "/state:failed".map(KeyPress.character) + [.enter, .character("@"), .home] {
            _ = update(&model, .key(key))
        }
        _ = update(&model, .connections([1: "x", 2: "y"]))
        #expect(text(model).contains("2 tasks ✗2"))
        #expect(!text(model).contains("connection"))
    }

    @Test("Who leaves the hosts is on the row of before, or on the first one of the host that was gone to")
    func leaving() {
        var model = model([row(1, .running), row(2, .running), row(3, .running, host: "b.example")])
        func press(_ keys: KeyPress...) { for key in keys { _ = update(&model, .key(key)) } }
        press(.home, .down)
        #expect(model.list.cursor == 2)
        press(.character("@"), .character("@"))
        #expect(model.list.cursor == 2 && model.list.group == nil && model.rows.query.grouping == .none)
        press(.character("@"), .end, .character("@"))
        #expect(model.list.cursor == 3 && model.list.group == nil)
        press(.character("@"), .home, .enter, .down, .character("@"))
        #expect(model.list.cursor == 1)
    }

    @Test("The limit is the one that holds now")
    func limit() {
        var model = model([row(1, .running)])
        for key in "@{".map(KeyPress.character) { _ = update(&model, .key(key)) }
        let limit = model.options.limits.perHost
        #expect(limit < 16)
        #expect(text(model).contains("▸1/\(limit)"))
    }

    @Test(
        "The reason of the failure that came last stands on the host's line, in the column that says it of a row",
        arguments: [(40, "404"), (80, "404"), (120, "404")])
    func lastError(columns: Int, word: String) {
        let failures = [failed(1, at: 500, .unknownHost), failed(2, at: 900, .http, status: 404)]
        var model = model(failures, columns: columns, rows: columns == 40 ? 10 : 36)
        for key: KeyPress in [.character("@"), .home] { _ = update(&model, .key(key)) }
        let line = text(model).split(separator: "\n").first { $0.contains("a.example") || $0.contains("a.ex") }
        #expect(line?.hasSuffix(word) == true, "\(line ?? "")")
        #expect(columns == 40 || text(model).contains("Last error: why 2 (row2)"))
        _ = update(&model, .rows([row(2, .done)]))
        #expect(text(model).contains(columns == 120 ? "DNS error" : "DNS"))
        _ = update(&model, .rows([row(1, .done)]))
        #expect(!text(model).contains("DNS") && !text(model).contains("Last error"))
    }

    @Test("A row that waits for another attempt says after what")
    func waiting() {
        var waiting = row(1, .retrying)
        (waiting.cause, waiting.statusCode, waiting.error, waiting.retryAt) = (.http, 503, "busy", 9000)
        var model = model([waiting])
        for key: KeyPress in [.character("@"), .home] { _ = update(&model, .key(key)) }
        #expect(text(model).contains("↻1"))
        #expect(text(model).contains(GroupLines.retryingAfter("busy", "row1").string))
    }
}

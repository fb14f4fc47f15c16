import DashboardTestSupport
import DashboardView
import Testing

@testable import Dashboard

@Suite("Servers that nobody asks")
struct ViewBackoffTests {
    private let busy = ServerBackoff(host: "a.example", cause: .http, statusCode: 429, askedAgainAt: 13_000)
    private let offline = ServerBackoff(host: "a.example", cause: .noNetwork, askedAgainAt: 13_000)

    private func model(_ servers: [ServerBackoff], columns: Int = 120) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: columns, rows: 14)))
        _ = update(&model, .clock(1_000))
        let rows = (UInt64(1)...3).map { id in
            var row = RowSnapshot(id: id, kind: .download, name: "file", url: "http://a.example/file")
            row.host = id == 3 ? "b.example" : "a.example"
            row.state = id == 1 ? .retrying : .queued
            if id == 1 { (row.cause, row.statusCode, row.failedAttempts, row.retryAt) = (.http, 429, 1, 13_000) }
            return row
        }
        _ = update(&model, .rows(rows))
        _ = update(&model, .backoffs(servers))
        return model
    }

    private func lines(_ model: Model) -> [String] {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities(glyphs: .ascii)))
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("The header says which server is waited for, and when it is asked again", arguments: [60, 80, 100, 120, 160])
    func header(columns: Int) {
        let header = lines(model([busy], columns: columns))[0]
        #expect(header.contains("429"), "\(header)")
        #expect(!lines(model([], columns: columns))[0].contains("429"))
        if columns >= 120 { #expect(header.contains("a.example: 429, retry in 12"), "\(header)") }
    }

    @Test("The header says that there is no network, in every window that has a header", arguments: [40, 60, 80, 120])
    func noNetwork(columns: Int) {
        #expect(lines(model([offline, busy], columns: columns))[0].contains("no network"))
    }

    @Test("Several servers are counted")
    func several() {
        var other = busy
        other.host = "b.example"
        #expect(lines(model([busy, other]))[0].contains(BackoffLabels.hostsDown(2).string))
    }

    @Test("A row that was never asked is queued, and what its server answers others stands in the header")
    func rows() {
        for server in [busy, offline] {
            let table = lines(model([server])).filter { $0.contains("file") }.prefix(3)
            #expect(table.map { $0.contains("429") } == [true, false, false])
            #expect(table.map { $0.contains("queued") } == [false, true, true])
        }
    }

    @Test("A row whose next try is due says no time, and one that has used up none of its tries counts none")
    func due() {
        var model = model([busy])
        _ = update(&model, .clock(14_000))
        #expect(lines(model)[0].contains("429, retrying now"))
        #expect(lines(model).filter { $0.contains("in 0s") }.isEmpty)
        var row = RowSnapshot(id: 1, kind: .download, name: "file", url: "http://a.example/file")
        (row.host, row.state, row.cause, row.retryAt) = ("a.example", .retrying, .connectionRefused, 13_000)
        row.error = "a.example refused the connection"
        _ = update(&model, .rows([row]))
        let texts = details(model)
        #expect(!texts.contains { $0.contains("attempt 0") || $0.contains("retry 0") || $0.contains("0s") }, "\(texts)")
        #expect(texts.contains("retry when a.example answers"))
    }

    @Test("A row that goes another way to a server in trouble is not said to wait, and a proxy is named")
    func routes() {
        let proxy = ServerBackoff(
            host: "a.example", route: "http://p:3128", unreached: "p:3128", cause: .connectionRefused,
            askedAgainAt: 13_000)
        var model = model([proxy])
        #expect(lines(model)[0].contains("p:3128: refused"))
        #expect(model.waitingWords(host: "a.example") == nil)
        let words = model.waitingWords(host: "a.example", route: "http://p:3128")
        #expect(words?.string.hasPrefix("queued: p:3128 refused, ") == true)
        var row = RowSnapshot(id: 2, kind: .download, name: "file", url: "http://a.example/file")
        (row.host, row.route, row.state) = ("a.example", "http://p:3128", .queued)
        _ = update(&model, .rows([row]))
        let table = lines(model).filter { $0.contains("file") }
        #expect(table.allSatisfy { !$0.contains("refused") } && model.rows[2]?.route == "http://p:3128")
    }

    @Test("The details say what is waited for")
    func details() {
        let model = model([busy])
        let words = model.waitingWords(host: "a.example")
        #expect(words?.string.hasPrefix("queued: a.example 429, retry in 12") == true)
        #expect(model.waitingWords(host: "b.example") == nil)
        #expect(self.model([offline]).waitingWords(host: "a.example") == BackoffLines.noNetwork("queued"))
        let retrying = model.waitingWords(host: "a.example", state: .retrying)
        #expect(retrying?.string.hasPrefix("retrying: a.example 429, retry in 12") == true)
    }

    @Test("The details of a row that waits for its turn say that its server gets fewer at once than the limits allow")
    func limited() {
        var model = model([])
        _ = update(&model, .limited(["a.example": 4, "c.example": 1]))
        let words = model.waitingWords(host: "a.example")
        #expect(words == BackoffLines.limited("a.example", 4))
        #expect(model.waitingWords(host: "c.example") == BackoffLines.limited("c.example", 1))
        #expect(model.waitingWords(host: "b.example") == nil)
        #expect(model.waitingWords(host: "a.example", state: .retrying) == nil)
        _ = update(&model, .backoffs([busy]))
        #expect(model.waitingWords(host: "a.example")?.string.hasPrefix("queued: a.example 429") == true)
        _ = update(&model, .backoffs([]))
        _ = update(&model, .limited([:]))
        #expect(model.waitingWords(host: "a.example") == nil)
    }

    @Test("Retries are counted against a limit only where it bounds them")
    func countedRetries() {
        #expect(details(model([busy])).contains { $0.hasPrefix("retry 1 ") && !$0.contains("1 of ") })
        #expect(details(model([])).contains { $0.hasPrefix("retry 1 of ") })
    }

    /// The overview of the row that is tried again.
    private func details(_ model: Model) -> [String] {
        guard var row = model.rows[1] else { return [] }
        row.error = "The server answered 429"
        return DetailsContent(model: model, row: row).lines(of: .overview).map(\.text.string)
    }
}

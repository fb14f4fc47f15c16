import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("What small things on the screen say")
struct ViewHonestyTests {
    private func row(_ id: UInt64, _ kind: Job.Kind, _ state: RowState, status: Int? = nil) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: kind, name: "row" + SafeText(id), url: "http://a/")
        row.state = state
        row.statusCode = status
        return row
    }

    private func model(_ rows: [RowSnapshot], columns: Int = 120, rows height: Int = 36) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: columns, rows: height)))
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(rows))
        return model
    }

    private func text(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
    }

    @Test("The status of an earlier run is not told as that of a row that runs again")
    func earlierStatus() {
        var model = model([row(1, .download, .failed, status: 404)])
        var details = RowDetails()
        details.statusLine = "404 Not Found"
        details.responseHeaders = [.init(name: "Server", value: "x")]
        _ = update(&model, .details(1, details))
        #expect(text(model).contains("Status     404 Not Found"))
        _ = update(&model, .rows([row(1, .download, .running)]))
        #expect(text(model).contains("Status     \(DetailsLines.noResponseYet(last: "404 Not Found"))"))
        _ = update(&model, .key(.character("]")))
        #expect(text(model).contains(DetailsLabels.responseBefore.string))
        _ = update(&model, .key(.character("[")))
        _ = update(&model, .rows([row(1, .download, .running, status: 200)]))
        #expect(text(model).contains("Status     200"))
        #expect(!text(model).contains("404"))
        details.statusLine = "200 OK"
        _ = update(&model, .details(1, details))
        #expect(text(model).contains("Status     200 OK"))
    }

    @Test("The counts of states name cancelled tasks too")
    func cancelledCount() {
        let rows = [row(1, .download, .done), row(2, .download, .cancelled), row(3, .download, .cancelled)]
        #expect(text(model(rows)).contains("done 1 · cancelled 2"))
        #expect(text(model(rows, columns: 80, rows: 24)).contains("done 1 cancelled 2"))
    }

    @Test("A list that nobody saves says so at every size that has a header", arguments: [(20, 3), (20, 5), (40, 10)])
    func unsaved(columns: Int, rows: Int) {
        var model = model([row(1, .download, .running)], columns: columns, rows: rows)
        #expect(!text(model).contains("*") && !text(model).contains(RuleLabels.unsaved.string))
        _ = update(&model, .notSaved)
        #expect(text(model).hasPrefix("*") == (columns < 40))
        #expect(text(model).contains(RuleLabels.unsaved.string) == (columns >= 40))
    }

    @Test("A session that the user has named is on the screen, in what room there is", arguments: [(20, 5), (40, 10)])
    func sessionName(columns: Int, rows: Int) {
        var model = model([row(1, .download, .done)], columns: columns, rows: rows)
        model.sessionName = "nightly-mirror"
        #expect(!text(model).contains("nigh"))
        model.hasNamedSession = true
        #expect(text(model).contains("nigh"))
        #expect(text(model).contains("q Quit"))
    }

    @Test("Only downloads are asked about partial files")
    func partialFiles() {
        var model = model([row(1, .upload, .running), row(2, .data, .running)])
        for key: KeyPress in [.character("A"), .character("x")] { _ = update(&model, .key(key)) }
        #expect(text(model).contains("[ No ]  Cancel the tasks "))
        #expect(!text(model).contains("partial") && !text(model).contains("delete"))
        #expect(text(model).contains("k Cancel  n/Esc No"))
        #expect(update(&model, .key(.character("d"))).isEmpty)
        #expect(model.screen == .cancelDialog)
        #expect(model.toasts.current?.text == TaskReasons.onlyDownloadsHaveParts)
        for key: KeyPress in [.right, .right] { _ = update(&model, .key(key)) }
        #expect(text(model).contains("[ No ]"))
        _ = update(&model, .rows([row(3, .download, .running)]))
        for key: KeyPress in [.escape, .character("A"), .character("x")] { _ = update(&model, .key(key)) }
        #expect(text(model).contains("Cancel, keep partial files"))
    }

    @Test("The question about a removal names its task on the smallest screens too", arguments: [4, 5, 6, 7])
    func namedRemoval(height: Int) {
        var model = model([row(1, .download, .running)], columns: 20, rows: height)
        _ = update(&model, .key(.character("X")))
        #expect(text(model).contains("row1") && text(model).contains("[ No ]"), "\(text(model))")
    }

    @Test("A refused key says why on the smallest screens too", arguments: [3, 4, 5])
    func refusedKey(height: Int) {
        var model = model([row(1, .download, .done)], columns: 20, rows: height)
        _ = update(&model, .key(.character("p")))
        #expect(text(model).contains("Nothing to pause"))
        #expect(text(model).contains("row1"))
        guard height == 3 else { return }
        for key: KeyPress in [.escape, .enter, .character("E")] { _ = update(&model, .key(key)) }
        #expect(text(model).contains("Only data"))
    }

    @Test("The last line of a small screen is never cut within a hint, however many rows there are")
    func wholeHints() {
        for count in [UInt64(9), 99, 999, 9999] {
            var model = Model()
            _ = update(&model, .resized(Size(columns: 20, rows: 5)))
            _ = update(
                &model,
                .rows((1...count).map { RowSnapshot(id: $0, kind: .download, name: "a", url: "http://a/") }))
            let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
            #expect(text.contains("? Help") && text.contains("q Quit"), "\(count): \(text)")
        }
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Searching in the details", .timeLimit(.minutes(1)))
struct UpdateSearchTests {
    /// Full-screen details on the log, of forty lines; every tenth one names a step.
    private func model(size: Size = Size(columns: 100, rows: 20)) -> Model {
        var model = Model()
        _ = update(&model, .resized(size))
        _ = update(&model, .clock(1000))
        var row = RowSnapshot(id: 1, kind: .download, name: "a.iso", url: "https://a.example/a.iso")
        row.state = .running
        _ = update(&model, .rows([row]))
        press(&model, "", .enter)
        var details = RowDetails()
        details.log = (0..<40).map { line in
            .init(time: "12:00:00", text: line % 10 == 5 ? "Step " + SafeText(line) : "line " + SafeText(line))
        }
        details.responseHeaders = [.init(name: "ETag", value: "\"abc\"")]
        _ = update(&model, .details(1, details))
        _ = update(&model, .detailsTab(.log))
        return model
    }

    private func press(_ model: inout Model, _ text: String, _ keys: KeyPress...) {
        for key in text.map(KeyPress.character) + keys { _ = update(&model, .key(key)) }
    }

    private func toast(_ model: Model) -> String? { model.toasts.current?.text.string }

    private func cells(_ role: Role, of model: Model) -> [String] {
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        return (0..<surface.size.rows).compactMap { row in
            let text = (0..<surface.size.columns).filter { surface[row, $0].role == role }
                .map { surface[row, $0].cluster.text }.joined()
            return text.isEmpty ? nil : text
        }
    }

    @Test("A search goes to the first line with the text, whatever its case, and n and N go on and back")
    func goesOn() {
        var model = model()
        press(&model, "/sTEP", .enter)
        #expect(model.screen == .details)
        #expect(model.details.search?.match == .init(line: 5, ordinal: 1, count: 4))
        #expect(model.details.top == 0)
        press(&model, "n")
        #expect(model.details.search?.match?.line == 15)
        #expect(model.details.top > 0 && model.details.top <= 15)
        press(&model, "nnN")
        #expect(model.details.search?.match == .init(line: 25, ordinal: 3, count: 4))
        #expect(toast(model) == nil)
    }

    @Test("A search goes round and says so")
    func goesRound() {
        var model = model()
        press(&model, "/step", .enter)
        press(&model, "N")
        #expect(model.details.search?.match?.ordinal == 4)
        #expect(toast(model) == "Search continued at the end")
        press(&model, "n")
        #expect(model.details.search?.match?.ordinal == 1)
        #expect(toast(model) == "Search continued at the top")
    }

    @Test("A search begins at the first line on the screen")
    func beginsOnScreen() {
        var model = model()
        press(&model, "", .pageDown)
        press(&model, "/step", .enter)
        #expect(model.details.search?.match?.line == 15)
    }

    @Test("A text that is not there moves nothing and is said in one sentence; in another part it may be found")
    func notFound() {
        var model = model()
        press(&model, "jj/etag", .enter)
        #expect(model.details.top == 2)
        #expect(toast(model) == ViewToasts.notFound("etag", in: "Log").string)
        _ = update(&model, .detailsTab(.headers))
        press(&model, "n")
        #expect(model.details.search?.match?.count == 1)
        #expect(cells(.matchSelected, of: model) == ["ETag"])
    }

    @Test("What is found is highlighted, the line that was gone to most, and the search is named above")
    func highlights() {
        var model = model(size: Size(columns: 100, rows: 40))
        press(&model, "/step", .enter)
        #expect(cells(.matchSelected, of: model) == ["Step"])
        #expect(cells(.match, of: model) == ["Step", "Step", "Step"])
        #expect(cells(.filter, of: model) == ["search \"step\" 1/4"])
        press(&model, "/", .control("u"), .enter)
        #expect(model.details.search == nil)
        #expect(cells(.match, of: model).isEmpty)
    }

    @Test("Where the found text was cut off, the ellipsis is highlighted; the line that was gone to shows it")
    func highlightsTheCut() {
        var model = model(size: Size(columns: 24, rows: 20))
        var details = RowDetails()
        details.log = ["first", "a line that is too long", "another one too long"].map {
            .init(time: "12:00:00", text: $0)
        }
        _ = update(&model, .details(1, details))
        press(&model, "/long", .enter)
        #expect(cells(.matchSelected, of: model) == ["long"])
        #expect(cells(.match, of: model) == ["…"])
        press(&model, "n")
        #expect(model.details.search?.match?.line == 2)
        #expect(cells(.matchSelected, of: model) == ["long"])
    }

    @Test("Left and right scroll the details, which shows what is cut off, and at the start left goes back")
    func scrollsSideways() {
        var model = model(size: Size(columns: 24, rows: 20))
        var details = RowDetails()
        details.log = ["0123456789abcdefghijklmnop TAIL"].map { .init(time: "12:00:00", text: $0) }
        _ = update(&model, .details(1, details))
        #expect(!text(of: model).contains("TAIL"), "\(text(of: model))")
        press(&model, "llll")
        #expect(text(of: model).contains("TAIL"))
        press(&model, "/56", .enter)
        #expect(cells(.matchSelected, of: model) == ["56"], "Left of the screen, too")
        press(&model, "hhhh")
        #expect(model.screen == .details)
        #expect(text(of: model).contains(" 12:00:00"))
        press(&model, "h")
        #expect(model.screen == .list)
    }

    private func text(of model: Model) -> String {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
    }

    @Test("Esc leaves the search as it was, and leaving the details ends it")
    func ends() {
        var model = model()
        press(&model, "n")
        #expect(toast(model) == TaskReasons.noSearch.string)
        press(&model, "/step", .enter)
        press(&model, "/x", .escape)
        #expect(model.details.search?.text.text == "step")
        press(&model, "q", .enter)
        #expect(model.screen == .details)
        #expect(model.details.search == nil)
    }

    @Test("Wide letters, marks and letters of other scripts are found where they are drawn")
    func otherScripts() throws {
        let search = try #require(TextSearch("ÄÖ"))
        let run = TextRun("日本 äö ÄÖ", capabilities: ViewCapabilities())
        #expect(run.cells(of: search) == [5..<7, 8..<10])
        #expect(TextSearch("") == nil)
        #expect(try #require(TextSearch("aa")).matches(in: "aaaAa".unicodeScalars) == [0..<2, 2..<4])
    }
}

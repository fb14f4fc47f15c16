import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Clicks on dialogs, menus and forms")
struct UpdateClickTests {
    private func model(_ keys: String) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 100, rows: 30)))
        _ = update(&model, .clock(1000))
        var row = RowSnapshot(id: 1, kind: .download, name: "a.iso", url: "http://a/a.iso")
        row.state = .running
        _ = update(&model, .rows([row]))
        for key in keys { _ = update(&model, .key(.character(key))) }
        return model
    }

    /// Clicks on the text that is drawn somewhere, as the dashboard would.
    private func click(_ model: inout Model, on text: String) throws -> [Effect] {
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        let lines = GoldenFiles.text(of: surface).split(separator: "\n", omittingEmptySubsequences: false)
        // Words of a menu may stand in the header too.
        let row = try #require(lines.dropFirst().firstIndex { $0.contains(text) }, "\(text) is not on the screen")
        let range = try #require(lines[row].firstRange(of: text))
        let column = lines[row].distance(from: lines[row].startIndex, to: range.lowerBound)
        let target = surface.targets.last { $0.row == row && $0.columns.contains(column) }
        switch target?.meaning {
        case .choice(let index): return update(&model, .chosen(index))
        case .detailsTab(let tab): return update(&model, .detailsTab(tab))
        case .tab(let tab): return update(&model, .tabbed(tab))
        case .key, .row, .group, .order, nil:
            Issue.record("\(text) cannot be clicked")
            return []
        }
    }

    @Test("A click on a button presses it, and one beside the dialog does nothing")
    func buttons() throws {
        var model = model("x")
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        #expect(!surface.targets.isEmpty)
        #expect(surface.targets.allSatisfy { if case .choice = $0.meaning { true } else { false } })
        #expect(try click(&model, on: "Cancel and delete") == [.send(.cancel([1], deletingParts: true))])
        #expect(model.overlay == nil)
        model = self.model("q")
        #expect(try click(&model, on: "Stay").isEmpty)
        #expect(model.overlay == nil)
        model = self.model("q")
        #expect(try click(&model, on: "Save and quit    Quit") == [.quit])
        model = self.model("q")
        #expect(try click(&model, on: "Quit when done") == [.awaitEnd(true)])
        #expect(model.leavesWhenDone)
        #expect(update(&model, .chosen(99)).isEmpty)
    }

    @Test("A click on a line of a menu takes it")
    func menus() throws {
        var model = model("s")
        _ = try click(&model, on: "size")
        #expect(model.rows.query.order.column == .size)
        #expect(model.overlay == nil)
        model = self.model("f")
        _ = try click(&model, on: "paused")
        #expect(model.rows.query.states == [.paused])
        model = self.model("o")
        #expect(try click(&model, on: "Mouse") == [.setMouse(true)])
        #expect(try click(&model, on: "Units").isEmpty)
        #expect(model.units == .decimal)
    }

    @Test("A click on a field goes there, and changes one that is chosen from")
    func fields() throws {
        var model = model("a")
        _ = try click(&model, on: "Headers")
        guard case .addForm(let form) = model.overlay else { return try #require(Bool(false), "The form is gone") }
        #expect(form.focus == .headers)
        _ = try click(&model, on: "start paused")
        guard case .addForm(let changed) = model.overlay else { return try #require(Bool(false), "The form is gone") }
        #expect(changed.startsPaused)
        #expect(changed.continues)
        _ = try click(&model, on: "resume")
        guard case .addForm(let other) = model.overlay else { return try #require(Bool(false), "The form is gone") }
        #expect(!other.continues)
        #expect(other.startsPaused)
    }

    @Test("A click on a button of the form presses it")
    func formButtons() throws {
        let job = Job(kind: .download, url: "http://h/f")
        var model = model("a")
        _ = update(&model, .paste("http://h/f"))
        #expect(try click(&model, on: "Add another") == [.send(.add([job]))])
        _ = update(&model, .paste("http://h/f"))
        #expect(try click(&model, on: "[ Add ]") == [.send(.add([job]))])
        #expect(model.overlay == nil)
        model = self.model("a")
        #expect(try click(&model, on: "  Cancel").isEmpty)
        #expect(model.overlay == nil)
    }

    @Test("A click on a name of the details' parts or of a tab shows it")
    func tabs() throws {
        var model = model("")
        _ = try click(&model, on: "Upload")
        #expect(model.rows.query.tab == .upload)
        model = self.model("")
        _ = update(&model, .key(.enter))
        _ = try click(&model, on: "Connection")
        #expect(model.details.tab == .connection)
    }
}

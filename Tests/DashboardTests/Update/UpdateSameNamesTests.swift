import DashboardTestSupport
import SessionSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Tasks of the same name outside the table")
struct UpdateSameNamesTests {
    private func row(_ id: UInt64, _ url: SafeText, path: SafeText? = "/d/f") -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "f", url: url)
        (row.host, row.state, row.received, row.expected, row.path) = ("h", .running, 10, 100, path)
        return row
    }

    private func model() -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 100, rows: 30)))
        _ = update(&model, .rows([row(1, "http://h/f?v=1"), row(2, "http://h/f?v=2"), row(3, "http://h/f?v=3")]))
        return model
    }

    private func text(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
    }

    @Test("A question tells its tasks apart in the words of the table, also from a task that it is not about")
    func questions() {
        var model = model()
        model.overlay = .question(.cancelling([1, 2]))
        #expect(["f ?v=1  ", "f ?v=2  "].allSatisfy(text(model).contains))
        model.overlay = .question(.removing([3]))
        #expect(Question.removing([3]).text(in: model).name == "f ?v=3")
        #expect(Question.aboutFile(of: 2).text(in: model).name == "f ?v=2")
    }

    @Test("The log tells tasks apart too")
    func log() {
        var model = model()
        _ = update(&model, .key(.character("L")))
        let entries = [1, 2].map { LogEntry(time: 0, id: $0, name: "f", text: "started", isError: false) }
        model.log.replace(with: entries)
        #expect(["f ?v=1  started", "f ?v=2  started"].allSatisfy(text(model).contains))
    }

    @Test("The name of a file that several running downloads would get is not told as settled")
    func unsettled() {
        var model = model()
        func isSettled(_ id: UInt64) -> Bool { model.rows[id].map { !model.sharesPath($0) } ?? false }
        #expect(!isSettled(1) && !isSettled(2))
        var done = row(2, "http://h/f?v=2")
        done.state = .done
        _ = update(&model, .rows([done, row(3, "http://h/f?v=3", path: "/d/g")]))
        #expect(isSettled(1) && isSettled(2) && isSettled(3))
    }
}

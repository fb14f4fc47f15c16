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
        #expect(Question.removing([3]).text(in: model).names == ["f ?v=3"])
        #expect(Question.aboutFile(of: 2).text(in: model).names == ["f ?v=2"])
    }

    @Test("A question about several tasks names the first three and counts the others; so does the move of their files")
    func several() {
        var model = model()
        let more = (4...9).map { row($0, "http://h/g") }.map { row in
            var named = row
            named.name = SafeText(untrusted: "g\(row.id)\u{1b}[2J" + String(repeating: "-", count: 80))
            return named
        }
        _ = update(&model, .rows(more))
        model.overlay = .question(.removing(Array(1...9)))
        #expect(["f ?v=1", "f ?v=2", "f ?v=3 and 6 more", "Stops 9 tasks"].allSatisfy(text(model).contains))
        model.overlay = .question(.clearing([1, 2]))
        #expect(["f ?v=1", "f ?v=2 "].allSatisfy(text(model).contains))
        model.overlay = .question(.removing(Array(4...9)))
        _ = update(&model, .resized(Size(columns: 40, rows: 10)))
        // The names that a low window has room for; the last one ends with the number of the others.
        #expect(text(model).contains("and 4 more") && !text(model).contains("\u{1b}"), "\(text(model))")
        _ = update(&model, .resized(Size(columns: 100, rows: 30)))
        let places = [FilePlace(id: 1, path: "/d/a.iso"), FilePlace(id: 2, path: "/d/b.iso")]
        model.overlay = .prompt(Prompt(purpose: .moveFiles(places), field: TextField("")))
        #expect(text(model).contains("Move a.iso and 1 more to folder"))
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

import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("The demo's tour", .timeLimit(.minutes(1)))
struct UpdateTourTests {
    /// A demo of two rows that run.
    private func demo() -> Model {
        var model = Model()
        model.tour = Tour()
        model.keys = model.keys.withTour
        _ = update(&model, .clock(1_000))
        for id: UInt64 in 1...2 {
            var row = RowSnapshot(id: id, kind: .download, name: "f" + SafeText(id), url: "http://h/f")
            row.state = .running
            row.startedAt = 900
            _ = update(&model, .rows([row]))
        }
        return model
    }

    private func press(_ model: inout Model, _ keys: KeyPress...) {
        for key in keys { _ = update(&model, .key(key)) }
    }

    private func line(_ model: Model) -> String? { model.tour?.line(keys: model.keys)?.string }

    @Test("The tour's line is seen whatever else is said, in every window")
    func messages() {
        var model = demo()
        press(&model, .character("?"))
        _ = update(&model, .toast("Worse than ever", isError: true))
        for (columns, rows) in [(120, 36), (80, 24), (60, 16), (40, 10), (24, 5)] {
            for isOpen in [false, true] {
                model.details.fullScreenID = isOpen ? 1 : nil
                let size = Size(columns: columns, rows: rows)
                _ = update(&model, .resized(size))
                let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
                #expect(text.contains("Tour 1/7: Down") || isOpen && rows < 6, "\(size) \(text)")
                #expect(text.contains("Worse than ever"), "\(size) \(text)")
            }
        }
        #expect(model.tourLine?.text == "Tour 1/7: Down selects the next task")
    }

    @Test("Each step names a key, and pressing it leads to the next one, to the end")
    func steps() {
        var model = demo()
        #expect(line(model) == "? begins a short tour")
        press(&model, .character("?"))
        #expect(model.overlay == nil)
        let steps: [(String, [KeyPress])] = [
            ("Tour 1/7: Down selects the next task", [.down]),
            ("Tour 2/7: p pauses a task that runs", [.character("p")]),
            ("Tour 3/7: r lets it go on from there", [.character("r")]),
            ("Tour 4/7: Enter shows all about a task", [.enter]),
            ("Tour 5/7: q goes back to the list", [.character("q")]),
            ("Tour 6/7: / filters as you type", [.character("/"), .escape]),
            ("Tour 7/7: x cancels, after a question", [.character("x"), .escape]),
        ]
        for (text, keys) in steps {
            #expect(line(model) == text)
            for key in keys {
                _ = update(&model, .key(key))
                // The session would tell so.
                if key == .character("p"), let id = model.list.cursor, var row = model.rows[id] {
                    row.state = .paused
                    _ = update(&model, .rows([row]))
                }
            }
        }
        #expect(line(model) == "That was the tour: F1 shows every key, q quits")
        #expect(update(&model, .key(.character("q"))).isEmpty)
        #expect(line(model) == nil)
        #expect(update(&model, .key(.character("q"))).isEmpty)
        #expect(model.screen == .quitDialog)
    }

    @Test("A key that cannot do anything here is no step, and the question mark passes over one")
    func passing() {
        var model = demo()
        press(&model, .character("?"), .character("r"))
        #expect(line(model)?.hasPrefix("Tour 1/7") == true)
        press(&model, .character("?"))
        #expect(line(model)?.hasPrefix("Tour 2/7") == true)
        for _ in 3...8 { press(&model, .character("?")) }
        #expect(line(model)?.hasPrefix("That was") == true)
        press(&model, .character("?"))
        #expect(line(model)?.hasPrefix("Tour 1/7") == true)
    }

    @Test(
        "Esc and q leave the tour and nothing else, and F1 is the help", arguments: [KeyPress.escape, .character("q")])
    func leaving(key: KeyPress) {
        var model = demo()
        press(&model, .character("?"), key)
        #expect(model.overlay == nil)
        #expect(line(model) == nil)
        press(&model, .function(1))
        #expect(model.screen == .help)
        press(&model, .escape, .character("?"))
        #expect(line(model)?.hasPrefix("Tour 1/7") == true)
    }

    @Test("Without a demo the question mark is the help, and with keys of one's own the tour names these")
    func keys() throws {
        var plain = Model()
        press(&plain, .character("?"))
        #expect(plain.screen == .help)
        let own = try KeyBindings(changes: [("pause", "u F5")]).withTour
        var tour = Tour()
        tour.goOn()
        tour.goOn()
        #expect(tour.line(keys: own) == "Tour 2/7: u pauses a task that runs")
        #expect(own.command(for: .character("?"), on: .list)?.id == "tour")
        #expect(own.command(for: .character("?"), on: .details)?.id == "help")
        #expect(own.command(for: .function(1), on: .list)?.id == "help")
        // A user who has the help elsewhere has no tour, and no line about it.
        let elsewhere = try KeyBindings(changes: [("help", "F2")]).withTour
        #expect(elsewhere == (try KeyBindings(changes: [("help", "F2")])))
    }
}

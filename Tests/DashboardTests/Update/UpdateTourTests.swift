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
        press(&model, .function(3))
        _ = update(&model, .toast("Worse than ever", isError: true))
        for (columns, rows) in [(120, 36), (80, 24), (60, 16), (40, 10), (24, 5)] {
            for isOpen in [false, true] {
                model.details.fullScreenID = isOpen ? 1 : nil
                let size = Size(columns: columns, rows: rows)
                _ = update(&model, .resized(size))
                let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
                let words = columns < 30 ? "Down" : "Tour 1/7: Down"
                #expect(text.contains(words) || isOpen && rows < 6, "\(size) \(text)")
                #expect(text.contains("Esc end") || isOpen && rows < 6, "\(size) \(text)")
                #expect(text.contains("Worse than ever"), "\(size) \(text)")
            }
        }
        _ = update(&model, .resized(Size(columns: 40, rows: 10)))
        #expect(model.tourLine?.words == TourHints.step(1, of: 7, TourHints.select("Down")))
    }

    @Test("Each step names a key, and pressing it leads to the next one, to the end")
    func steps() {
        var model = demo()
        #expect(line(model) == TourHints.invitation("F3").string)
        press(&model, .function(3))
        #expect(model.overlay == nil)
        let steps: [(SafeText, [KeyPress])] = [
            (TourHints.select("Down"), [.down]),
            (TourHints.pause("p"), [.character("p")]),
            (TourHints.resume("r"), [.character("r")]),
            (TourHints.details("Enter"), [.enter]),
            (TourHints.back("q"), [.character("q")]),
            (TourHints.filter("/"), [.character("/"), .escape]),
            (TourHints.cancel("x"), [.character("x"), .escape]),
        ]
        for (number, (text, keys)) in zip(1..., steps) {
            #expect(line(model) == TourHints.step(number, of: 7, text).string)
            for key in keys {
                _ = update(&model, .key(key))
                // The session would tell so.
                if key == .character("p"), let id = model.list.cursor, var row = model.rows[id] {
                    row.state = .paused
                    _ = update(&model, .rows([row]))
                }
            }
        }
        #expect(line(model) == TourHints.closing(help: "?", quit: "q").string)
        #expect(update(&model, .key(.character("q"))).isEmpty)
        #expect(line(model) == nil)
        #expect(update(&model, .key(.character("q"))).isEmpty)
        #expect(model.screen == .quitDialog)
    }

    @Test("A key that cannot do anything here is no step, and the key of the tour passes over one")
    func passing() {
        var model = demo()
        press(&model, .function(3), .character("r"))
        #expect(line(model)?.hasPrefix("Tour 1/7") == true)
        press(&model, .function(3))
        #expect(line(model)?.hasPrefix("Tour 2/7") == true)
        for _ in 3...8 { press(&model, .function(3)) }
        #expect(line(model)?.hasPrefix("End of tour") == true)
        press(&model, .function(3))
        #expect(line(model)?.hasPrefix("Tour 1/7") == true)
    }

    @Test(
        "Esc and q leave the tour and nothing else, and ? is the help as ever",
        arguments: [KeyPress.escape, .character("q")])
    func leaving(key: KeyPress) {
        var model = demo()
        press(&model, .function(3), key)
        #expect(model.overlay == nil)
        #expect(line(model) == nil)
        press(&model, .character("?"))
        #expect(model.screen == .help)
        press(&model, .escape, .function(3))
        #expect(line(model)?.hasPrefix("Tour 1/7") == true)
    }

    @Test("The tour has keys of its own, but for those that the user has given away, and names the user's")
    func keys() throws {
        let demo = KeyBindings.standard.withTour
        #expect(KeyBindings.standard.command(for: .function(3), on: .list) == nil)
        #expect([.function(3), .character("*")].allSatisfy { demo.command(for: $0, on: .list)?.id == "tour" })
        #expect([.function(1), .character("?")].allSatisfy { demo.command(for: $0, on: .list)?.id == "help" })
        let own = try KeyBindings(changes: [("pause", "u F3")]).withTour
        var tour = Tour()
        #expect(tour.line(keys: own) == TourHints.invitation("*"))
        tour.goOn()
        tour.goOn()
        #expect(tour.line(keys: own) == TourHints.step(2, of: 7, TourHints.pause("u")))
        #expect(own.command(for: .function(3), on: .list)?.id == "pause")
        let none = try KeyBindings(changes: [("pause", "F3 *")]).withTour
        #expect(Tour().line(keys: none) == TourHints.invitation(":tour"))
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

/// Parts that nothing owns any more, listed and removed by key; nothing is removed unasked.
@Suite("Left parts", .timeLimit(.minutes(1)))
struct UpdateLeftPartsTests {
    private func line(_ path: String) -> LeftoverLine {
        LeftoverLine(path: path, meaning: .resumable, byteCount: 10, age: 100)
    }

    private func opened(_ paths: [String]) -> Model {
        var model = Model()
        #expect(update(&model, .key(.character("~"))) == [.findParts])
        #expect(update(&model, .leftovers(paths.map(line), problem: nil)).isEmpty)
        #expect(model.screen == .leftovers)
        return model
    }

    private func press(_ model: inout Model, _ text: String, _ keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }
    }

    @Test("A part is removed when its question is answered with yes, and not before")
    func one() {
        var model = opened(["a", "b", "c"])
        #expect(press(&model, "y").isEmpty, "nothing was asked")
        #expect(press(&model, "jx").isEmpty)
        #expect(press(&model, "y") == [.removeParts(["b"])])
        #expect(press(&model, "y").isEmpty, "it is answered once")
        _ = update(&model, .leftovers(["a", "c"].map(line), problem: nil))
        #expect(press(&model, "X").isEmpty)
        #expect(press(&model, "y") == [.removeParts(["a", "c"])])
    }

    @Test("No, Esc, a movement and a new list take the question back", arguments: ["n", "k", "j"])
    func taken(key: String) {
        var model = opened(["a", "b"])
        _ = press(&model, "x" + key)
        #expect(press(&model, "y").isEmpty)
        #expect(model.screen == .leftovers)
        _ = press(&model, "x", .escape)
        #expect(press(&model, "y").isEmpty)
        _ = press(&model, "x")
        _ = update(&model, .leftovers([line("b")], problem: nil))
        #expect(press(&model, "y").isEmpty)
    }

    @Test("Esc closes the list where nothing is asked, and what is found later opens nothing")
    func closing() {
        var model = opened(["a"])
        _ = press(&model, "x", .escape, .escape)
        #expect(model.screen == .list)
        _ = update(&model, .leftovers([line("a")], problem: nil))
        #expect(model.screen == .list)
    }

    @Test("An empty list has nothing to remove")
    func empty() {
        var model = opened([])
        #expect(press(&model, "xyXyjk").isEmpty)
    }

    @Test("In every window the question keeps its verb and its keys, and nothing is offered that does nothing")
    func question() {
        for (columns, rows) in [(120, 36), (80, 24), (40, 10), (20, 5)] {
            var model = opened(["/dl/.a.iso.0a1b2c3d.part", "b", "c", "d", "e", "f", "g", "h", "i"])
            let size = Size(columns: columns, rows: rows)
            _ = update(&model, .resized(size))
            let idle = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            #expect(!idle.contains("y Yes"), "\(idle)")
            _ = press(&model, "x")
            let asking = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            #expect(asking.contains("Delete ") && asking.contains("y Yes  Esc/q No"), "\(asking)")
            #expect(!asking.contains("Delete all"), "\(asking)")
        }
    }

    @Test(
        "Ages have one unit",
        arguments: [(0.0, "<1m"), (60, "1m"), (3_700, "1h"), (90_000, "1d"), (-5, "<1m"), (.infinity, "<1m")])
    func ages(seconds: Double, text: String) {
        #expect(LeftoverLine.age(seconds).string == text)
    }
}

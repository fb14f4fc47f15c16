import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

/// A command that the program does not have, and its one record.
private let whistle = Command(
    "whistle", [.character("`"), .function(12)], on: [.list, .details], "Whistle",
    help: "Whistle once for each task",
    also: "chirp", footer: 3, menu: 25,
    needs: .init { $0.rows.count > 0 ? nil : "There is nothing to whistle at" },
    run: { [.copy("whistled at \($0.rows.count)")] })

/// A question that the program does not have is its text and the records of its buttons; its keys are those of a screen.
private let asks = Command(
    "asks", [.character("\"")], on: [.list], "Ask", help: "Ask whether to whistle",
    change: { model in
        model.overlay = .question(
            Question(on: .clearDialog) { _, _ in QuestionText(title: "Whistle?", lines: ["Loud."]) })
    })
private let aloud = Command(
    "aloud", [.character("w")], on: [.clearDialog], "aloud", help: "Whistle aloud", footer: 1,
    button: .saying("Aloud"), run: { _ in [.copy("aloud")] })

@Suite("A made-up command, declared in one record", .timeLimit(.minutes(1)))
struct MadeUpCommandTests {
    private static let keys = KeyBindings(
        sections: CommandTable.sections + [CommandSection("Noises", [whistle, asks, aloud])])
    private static let size = Size(columns: 200, rows: 300)

    private func model(rows: Int = 1) -> Model {
        var model = Model(keys: Self.keys)
        _ = update(&model, .resized(Self.size))
        let ids = (0..<UInt64(rows)).map { $0 + 1 }
        _ = update(&model, .rows(ids.map { RowSnapshot(id: $0, kind: .download, name: "a", url: "http://a/") }))
        return model
    }

    private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
        keys.flatMap { update(&model, .key($0)) }.filter { if case .copy = $0 { true } else { false } }
    }

    private func screen(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: Self.size, capabilities: ViewCapabilities()))
    }

    @Test("Each of its keys runs its handler, on each of its screens")
    func keys() {
        var model = model(rows: 2)
        #expect(press(&model, .character("`")) == [.copy("whistled at 2")])
        #expect(press(&model, .enter, .function(12)) == [.copy("whistled at 2")])
        #expect(screen(self.model()).contains("` Whistle"), "The footer does not show it")
    }

    @Test("The palette finds it by its synonym, and runs it")
    func palette() {
        var model = model()
        for key in ":chirp" { _ = press(&model, .character(key)) }
        #expect(screen(model).contains("Whistle once for each task"))
        #expect(press(&model, .enter) == [.copy("whistled at 1")])
    }

    @Test("Help and key reference show it, under its purpose")
    func help() {
        var model = model()
        _ = press(&model, .character("?"))
        let help = screen(model)
        #expect(help.contains("Noises") && help.contains("Whistle once for each task"))
        #expect(KeyReference.text(keys: Self.keys).contains("` F12"))
    }

    @Test("Where it cannot be done it says why, by its key, in the palette and in the menu")
    func reason() {
        var model = model(rows: 0)
        #expect(press(&model, .character("`")).isEmpty)
        #expect(model.toasts.current?.text == "There is nothing to whistle at")
        for key in ":whistle" { _ = press(&model, .character(key)) }
        #expect(screen(model).contains("There is nothing to whistle at"))
    }

    @Test("The menu of tasks has it at its place, and runs it")
    func menu() {
        var model = model()
        _ = press(&model, .character("m"))
        let line = model.keys.menu.firstIndex { $0.id == "whistle" } ?? 0
        #expect(model.keys.menu[line - 1].id == "resume" && model.keys.menu[line + 1].id == "start-now")
        #expect(screen(model).contains("Whistle"))
        #expect(update(&model, .chosen(line)).contains(.copy("whistled at 1")))
    }

    @Test("It can be bound to another key by its name")
    func binding() throws {
        var model = model()
        model.keys = try Self.keys.changed(by: [("whistle", "F11")])
        #expect(press(&model, .character("`")).isEmpty)
        #expect(press(&model, .function(11)) == [.copy("whistled at 1")])
    }

    @Test("A command with words for a button is one of its question's buttons")
    func button() {
        var model = model()
        _ = press(&model, .character("\""))
        let text = screen(model)
        #expect(text.contains("Whistle?") && text.contains("Loud.") && text.contains("[ No ]"))
        #expect(text.contains("Aloud") && text.contains("w aloud"))
        #expect(model.buttons.map(\.id) == ["declineDialog", "clearFromDialog", "aloud"])
        #expect(press(&model, .left, .enter) == [.copy("aloud")])
    }

    @Test("Every command that a sentence names has a record")
    func named() {
        let ids = KeyBindings.standard.withTour.commands.map(\.id)
        #expect(Set(ids).count == ids.count)
        for named in Command.Named.allCases { #expect(ids.contains(named.rawValue), "\(named)") }
    }
}

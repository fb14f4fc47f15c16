import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Key table", .timeLimit(.minutes(1)))
struct CommandsTests {
    @Test("No key has two meanings on a screen", arguments: Screen.allCases)
    func keysAreUnique(screen: Screen) {
        var seen: [KeyPress: String] = [:]
        for command in KeyBindings.standard.commands {
            for key in command.keys(on: screen) {
                #expect(seen[key] == nil, "\(key) is \(seen[key] ?? "") and \(command.title) on \(screen)")
                seen[key] = command.title.string
            }
        }
    }

    @Test("Keys that terminals keep for themselves are bound to nothing")
    func reservedKeysAreFree() {
        let reserved: [KeyPress] = "sqhijm[\\".map { .control($0) }
        for command in KeyBindings.standard.commands {
            for key in reserved { #expect(!command.keys.contains(key)) }
        }
    }

    @Test("No destructive command has a control key")
    func destructionNeedsALetter() {
        for command in KeyBindings.standard.commands
        where command.help.string.contains("Cancel the") || command.help.string.contains("delete") {
            for key in command.keys {
                if case .control = key { Issue.record("\(command.title) is on a control key") }
                #expect(key != .backspace)
            }
        }
    }

    @Test("Every key can be pressed on every screen", arguments: GoldenScenes.all)
    func everyKeyIsSafe(scene: GoldenScenes.Scene) {
        let size = Size(columns: 60, rows: 12)
        let model = scene.build(size)
        let before = view(model, size: size, capabilities: ViewCapabilities())
        for key in GoldenRandom.keys {
            var changed = model
            _ = update(&changed, .key(key))
            // What a field does with one plain letter that is no command, it does with all of them.
            if case .character(let letter) = key, letter.isASCII, letter != "a",
                model.keys.command(for: key, on: model.screen) == nil
            {
                continue
            }
            let surface = view(changed, size: size, capabilities: ViewCapabilities())
            // Most keys mean nothing on a screen, and one screen is looked at once.
            if surface == before { continue }
            #expect(ViewPropertyTests.problem(in: surface) == nil, "\(key)")
        }
    }

    @Test("The scenes in which every key is pressed are of every screen there is")
    func scenesAreComplete() {
        let screens = GoldenScenes.all.map { $0.build(Size(columns: 60, rows: 12)).screen }
        #expect(Set(screens) == Set(Screen.allCases))
    }

    @Test("The key reference names every command with a key")
    func referenceIsComplete() {
        let text = KeyReference.text()
        for command in KeyBindings.standard.commands { #expect(text.contains(command.help.string)) }
        for screen in Screen.allCases { #expect(text.contains(ScreenLabels.title(of: screen).string)) }
    }

    @Test("Every command can be reached on every screen it names")
    func screensAreMeant() {
        for command in KeyBindings.standard.commands {
            #expect(!command.keys.isEmpty)
            for screen in command.screens {
                #expect(!command.keys(on: screen).isEmpty, "\(command.title) on \(screen)")
            }
        }
    }

    @Test("A dialog has a letter of its own for each answer")
    func dialogsHaveLetters() {
        #expect(KeyBindings.standard.command(for: .character("k"), on: .cancelDialog)?.title == "Keep")
        #expect(KeyBindings.standard.command(for: .character("d"), on: .cancelDialog)?.title == "Delete")
        #expect(KeyBindings.standard.command(for: .escape, on: .cancelDialog)?.title == "No")
        #expect(KeyBindings.standard.command(for: .character("s"), on: .quitDialog)?.title == "Quit")
        #expect(KeyBindings.standard.command(for: .character("q"), on: .quitDialog)?.title == "Quit")
        #expect(KeyBindings.standard.command(for: .character("w"), on: .quitDialog)?.title == "When done")
        #expect(KeyBindings.standard.command(for: .escape, on: .quitDialog)?.title == "Stay")
    }

    @Test("Every command of the menu has a key, a title and a sentence")
    func menuTable() {
        let menu = KeyBindings.standard.menu
        for command in menu { #expect(!command.keys.isEmpty && !command.title.isEmpty, "\(command.id)") }
        #expect(menu.first?.id == "pause" && menu.last?.id == "remove")
        #expect(Set(menu.map(\.menuRank)).count == menu.count, "Two commands have the same place in the menu")
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Keys of the user's own")
struct KeyBindingTests {
    @Test("A command can be bound to other keys, and footer and help show them")
    func rebinding() throws {
        var model = Model()
        model.keys = try KeyBindings(changes: [("pause", "u F5"), ("write", "^W")])
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        row.state = .running
        _ = update(&model, .clock(1))
        _ = update(&model, .rows([row]))
        #expect(update(&model, .key(.character("p"))).isEmpty)
        #expect(update(&model, .key(.character("u"))) == [.send(.pause([1]))])
        #expect(update(&model, .key(.function(5))) == [.send(.pause([1]))])
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("u Pause"))
    }

    @Test(
        "What cannot be bound is said in one sentence",
        arguments: [
            ("nothing", "p", KeyErrors.unknownCommand("nothing")), ("pause", "^S", KeyErrors.reserved("^S")),
            ("pause", "Foo", KeyErrors.unknownKey("Foo")), ("pause", "", KeyErrors.missing("pause")),
        ])
    func problems(name: String, keys: String, sentence: String) {
        do {
            _ = try KeyBindings(changes: [(name, keys)])
            Issue.record("\(name) was bound to \(keys)")
        } catch {
            #expect(error.sentence == sentence)
        }
    }

    @Test(
        "A key that was chosen is taken from the command that has it by default, which the palette then finds",
        arguments: KeyBindings.standard.commands(on: .list).compactMap { command in
            command.name.flatMap { name in
                command.keys(on: .list).first.map { (name: name, key: KeyName.text($0).string) }
            }
        })
    func displacing(name: String, key: String) throws {
        // What an earlier version's file may have chosen: its keys had no meaning then.
        let chosen = name == "time" ? "follow" : "time"
        let keys = try KeyBindings(changes: [(chosen, key)])
        let press = try #require(KeyName.key(named: key))
        #expect(keys.command(for: press, on: .list)?.name == chosen)
        let displaced = try #require(keys.commands.first { $0.name == name })
        #expect(!displaced.keys(on: .list).contains(press))
        if name != "palette" {
            #expect(CommandSearch.commands(matching: name, on: .list, keys: keys).first?.name == name)
        }
        #expect(!keys.text(of: displaced, on: .list).isEmpty && keys.key(for: displaced).string != key)
    }

    @Test("A key is taken only where it was chosen, and help and reference say what finds a command without keys")
    func displacedInHelp() throws {
        let keys = try KeyBindings(changes: [("next-match", "S"), ("time", "; m")])
        #expect(keys.command(for: .character("S"), on: .details)?.name == "next-match")
        #expect(keys.command(for: .character("S"), on: .list)?.name == "start-now")
        #expect(keys.key(of: .saveView) == ":save-view")
        let help = String(KeyReference.text(keys: keys).split(separator: "\nDetails\n")[0])
        #expect(help.contains(/\ :save-view +save-view +Save filter/))
        #expect(!help.contains(/\ m +actions/) && help.contains(/\ ; m +time/))
        var model = Model()
        model.keys = keys
        _ = update(&model, .key(.character("?")))
        _ = update(&model, .paste("Save filter"))
        #expect(GoldenFiles.text(of: view(model, size: model.size, capabilities: .init())).contains(":save-view"))
    }

    @Test("A command that only its own screen has keeps its last key there")
    func lastKeyOfScreen() throws {
        let keys = try KeyBindings(changes: [("up", "0 +")])
        #expect(keys.command(for: .character("0"), on: .list)?.name == "up")
        #expect(keys.command(for: .character("0"), on: .options)?.id == "usualColumn")
        #expect(keys.command(for: .character("+"), on: .options)?.name == "up")
        #expect(keys.command(for: .character("="), on: .options)?.id == "widenColumn")
    }

    @Test("Two choices of one key contradict each other")
    func chosenTwice() {
        #expect(throws: KeyBindings.Problem(command: "resume", sentence: "u would be both pause and resume")) {
            try KeyBindings(changes: [("pause", "u"), ("resume", "u")])
        }
    }

    @Test("Two commands can change places")
    func swapping() throws {
        let keys = try KeyBindings(changes: [("pause", "r"), ("resume", "p")])
        #expect(keys.command(for: .character("r"), on: .list)?.name == "pause")
        #expect(keys.command(for: .character("p"), on: .details)?.name == "resume")
    }

    @Test("Every command of the list and the details has a name of its own")
    func names() {
        let names = KeyBindings.standard.commands.compactMap(\.name)
        #expect(Set(names).count == names.count)
        let commands = KeyBindings.standard.commands(on: .list) + KeyBindings.standard.commands(on: .details)
        #expect(commands.allSatisfy { $0.name != nil })
    }

    @Test("What only the details have can be bound to other keys, too")
    func detailsCommands() throws {
        let keys = try KeyBindings(changes: [
            ("search", "s"), ("next-match", ";"), ("previous-match", "M"), ("mouse", "F12"), ("back", "u Esc"),
        ])
        for (key, name) in [("s", "search"), (";", "next-match"), ("M", "previous-match"), ("u", "back")]
            as [(Character, String)]
        {
            #expect(keys.command(for: .character(key), on: .details)?.name == name)
        }
        #expect(keys.command(for: .character("n"), on: .details) == nil)
        #expect(keys.command(for: .character("s"), on: .list)?.name == "sort")
    }

    @Test("Every key's name is read back as that key")
    func keyNames() {
        for key in Set(KeyBindings.standard.commands.flatMap(\.keys)) {
            #expect(KeyName.key(named: KeyName.text(key).string) == key)
        }
    }
}

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
        #expect(update(&model, .key(.character("u"))) == [.pause([1])])
        #expect(update(&model, .key(.function(5))) == [.pause([1])])
        let screen = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(screen.contains("u Pause"))
    }

    @Test(
        "What cannot be bound is said in one sentence",
        arguments: [
            ("pause", "r", "r would be both pause and resume"), ("nothing", "p", "there is no command \"nothing\""),
            ("pause", "^S", "^S cannot be bound"), ("pause", ":", ": would be both pause and palette"),
            ("pause", "Foo", "\"Foo\" is no key"), ("pause", "", "a key is missing"),
        ])
    func problems(name: String, keys: String, sentence: String) {
        do {
            _ = try KeyBindings(changes: [(name, keys)])
            Issue.record("\(name) was bound to \(keys)")
        } catch {
            #expect(error.sentence.hasPrefix(sentence))
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
        let names = KeyTable.commands.compactMap(\.name)
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
        for key in Set(KeyTable.commands.flatMap(\.keys)) {
            #expect(KeyName.key(named: KeyName.text(key).string) == key)
        }
    }
}

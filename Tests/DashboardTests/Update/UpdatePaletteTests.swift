import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("The command palette and the help")
struct UpdatePaletteTests {
    private func titles(_ text: String, on screen: Screen = .list) -> [String] {
        CommandSearch.commands(matching: text, on: screen, keys: .standard).map(\.title.string)
    }

    private func press(_ model: inout Model, _ text: String, then keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    @Test("What fits best comes first: titles that begin so, words in them, what they do, letters in their order")
    func ranking() {
        #expect(titles("pause").prefix(2) == ["Pause", "Pause all"])
        #expect(titles("all").first == "All")
        #expect(titles("all").dropFirst().prefix(2) == ["Pause all", "Resume all"])
        #expect(titles("PAU all").first == "Pause all")
        #expect(titles("curl").first == "Copy as curl")
        #expect(titles("cyc") == ["Copy as curl"])
        #expect(titles("x").first == "Cancel", "A key finds its command")
        #expect(titles("zzzz").isEmpty)
        #expect(!titles("").contains("Commands"))
        #expect(titles("search", on: .details).first == "Search")
        #expect(!titles("search").contains("Search"))
    }

    @Test(
        "Words of other programs find the command that does it, before anything else that has their letters",
        arguments: [
            ("retry", "Resume"), ("retries", "Resume"), ("restart", "Resume"), ("continue", "Resume"),
            ("stop", "Pause"),
            ("delete", "Remove"), ("deleting", "Remove"), ("erase", "Remove"), ("abort", "Cancel"), ("kill", "Cancel"),
            ("throttle", "Limit speed"), ("throttling", "Limit speed"), ("bandwidth", "Limit speed"),
            ("concurrency", "More at once"), ("parallel", "More at once"), ("mirror", "New URL"), ("checksum", "Add"),
            ("import", "Add"), ("settings", "Options"), ("preferences", "Options"), ("theme", "Options"),
            ("colour", "Options"), ("exit", "Quit"), ("search", "Filter"), ("clipboard", "Copy URL"),
            ("history", "History"), ("archive", "History"), ("records", "History"),
            ("info", "Details"), ("rename", "Rename"), ("shortcuts", "Help"),
            ("login", "Add"), ("proxy", "Add"), ("redirect", "Add"), ("password", "Secrets"), ("speed", "Limit speed"),
            ("quit", "Quit"), ("undo", "Undo"),
        ])
    func synonyms(word: String, title: String) {
        #expect(titles(word).first == title, "\(titles(word))")
    }

    @Test("Every command that the palette offers on the list has words of other programs")
    func allHaveSynonyms() {
        let moving: Set<String> = Set(CommandTable.movement.map(\.id)).union([
            "interrupt", "step-back", "previous-column", "next-column",
        ])
        let bare = KeyBindings.standard.allCommands(on: .list).filter {
            $0.name != nil && $0.synonyms.isEmpty && !moving.contains($0.id) && $0.id != "palette"
        }
        #expect(bare.map(\.id) == [])
    }

    @Test("Every command of the list and of the details can be found by its title", arguments: [Screen.list, .details])
    func everyCommand(screen: Screen) {
        let commands = KeyBindings.standard.commands(on: screen).filter { $0.name != nil && $0.id != "palette" }
        #expect(CommandSearch.commands(matching: "", on: screen, keys: .standard).map(\.id) == commands.map(\.id))
        for command in commands {
            #expect(titles(command.title.string, on: screen).first == command.title.string)
        }
    }

    @Test("Enter runs the command as its key would, also one that opens something")
    func runs() {
        var model = GoldenScenes.table(Size(columns: 80, rows: 24))
        #expect(press(&model, ":copy u", then: .enter) == press(&model, "y"))
        #expect(model.overlay == nil)
        _ = press(&model, ":sort", then: .enter)
        #expect(model.screen == .sortMenu)
        _ = press(&model, "", then: .escape)
        _ = press(&model, ":help", then: .enter)
        guard case .help(let help) = model.overlay else {
            Issue.record("There is no help")
            return
        }
        #expect(help.screen == .list)
    }

    @Test("What cannot be done now is dimmed, Enter says why, and the palette stays")
    func disabled() {
        let size = Size(columns: 80, rows: 24)
        var model = GoldenScenes.table(size)
        _ = press(&model, "U")
        #expect(press(&model, ":unmark", then: .enter).isEmpty)
        #expect(model.screen == .palette)
        #expect(model.toasts.current?.text == TaskReasons.nothingMarked)
        _ = update(&model, .clock(90_000))
        let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
        #expect(text.contains(/Unmark all +U +Remove all marks/) && !text.contains(TaskReasons.nothingMarked.string))
        _ = press(&model, "xyz", then: .enter)
        #expect(model.toasts.current?.text == TaskReasons.noCommand)
        _ = press(&model, "", then: .escape)
        #expect(model.screen == .list)
    }

    @Test("The highlighted line stays within what fits, and goes back to the best when something is typed")
    func movement() {
        var model = GoldenScenes.table(Size(columns: 80, rows: 24))
        func line() -> Int { if case .palette(let palette) = model.overlay { palette.line } else { -1 } }
        _ = press(&model, ":", then: .up)
        #expect(line() == 0)
        _ = press(&model, "", then: .down, .down, .pageDown)
        #expect(line() > 2)
        _ = press(&model, "p")
        #expect(line() == 0)
        for _ in 0..<200 { _ = press(&model, "", then: .down) }
        #expect(line() == titles("p").count - 1)
    }

    @Test("In the details the palette has the commands of the details")
    func details() {
        var model = GoldenScenes.table(Size(columns: 80, rows: 24))
        _ = press(&model, "", then: .enter)
        _ = press(&model, ":next tab", then: .enter)
        #expect(model.screen == .details && model.details.tab == .headers)
    }

    @Test("The help closes by ? and q while nothing is typed; afterwards they are text")
    func closingHelp() {
        var model = GoldenScenes.table(Size(columns: 80, rows: 24))
        for key in ["?", "q"] {
            _ = press(&model, "?" + key)
            #expect(model.screen == .list, "\(key)")
        }
        _ = press(&model, "?eq?")
        #expect(model.screen == .help)
        _ = press(&model, "", then: .escape)
        // From the filter it goes back to the filter.
        _ = press(&model, "/iso", then: .function(1))
        #expect(model.screen == .help)
        _ = press(&model, "q")
        #expect(model.screen == .filterPrompt && model.rows.query.filter == "iso")
    }

    @Test("The help begins with what only its screen has", arguments: Screen.allCases.filter { $0 != .list })
    func ownKeysFirst(screen: Screen) {
        let own = KeyBindings.standard.commands(on: screen).filter(\.isOfOneScreen)
        let size = Size(columns: 80, rows: 400)
        var model = Model()
        _ = update(&model, .resized(size))
        model.overlay = .help(HelpState(screen: screen, previous: nil))
        let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
        let title = HelpLines.ownKeys(ScreenLabels.title(of: screen)).string
        let all = text.split(separator: "\n").dropFirst()
        // The filter's help explains the filter before the keys.
        let lines = screen == .filterPrompt ? all.drop { !$0.contains(title) } : all
        #expect((lines.first?.contains(title) ?? false) == !own.isEmpty)
        for (line, command) in zip(lines.dropFirst(), own) { #expect(line.contains(command.help.string.prefix(40))) }
    }

    @Test("The help shows every command of its screen under what it is for, and the list's the signs")
    func grouped() {
        for screen in Screen.allCases {
            let size = Size(columns: 80, rows: 400)
            var model = Model()
            _ = update(&model, .resized(size))
            model.overlay = .help(HelpState(screen: screen, previous: nil))
            let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            for command in KeyBindings.standard.commands(on: screen) {
                #expect(text.contains(command.help.string.prefix(40)), "\(command.title) on \(screen)")
            }
            #expect(text.contains("Signs") == [.list, .details].contains(screen))
            #expect(text.contains(HelpLines.filterSyntax.string) == (screen == .filterPrompt))
        }
    }
}

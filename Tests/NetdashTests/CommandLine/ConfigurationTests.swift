import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView
@testable import TransferService
@testable import netdash

@Suite("The configuration file")
struct ConfigurationTests {
    /// Lines, and what a run without arguments then is.
    struct Lines: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isAsWanted: @Sendable (Invocation) -> Bool

        init(_ text: String, _ isAsWanted: @escaping @Sendable (Invocation) -> Bool) {
            testDescription = text
            self.isAsWanted = isAsWanted
        }
    }

    private static func configuration(_ text: String, home: String? = "/h") throws(UsageError) -> Configuration {
        try ConfigurationParser.configuration(in: Array(text.utf8), name: "config", home: home)
    }

    private static func invocation(_ text: String, _ arguments: String...) throws -> Invocation {
        try CommandLine.parse(arguments) { () throws(UsageError) in try configuration(text) }.get()
    }

    private static func problem(in text: String) -> String? {
        do throws(UsageError) {
            _ = try configuration(text)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        "Lines set what options of the same names set",
        arguments: [
            Lines("") { $0 == Invocation() },
            Lines("# nothing\n\n   # here\n\t\n") { $0 == Invocation() },
            Lines("fps = 10") { $0.settings.framesPerSecond == 10 },
            Lines("  fps=10\t") { $0.settings.framesPerSecond == 10 },
            Lines("fps = 10 # smooth") { $0.settings.framesPerSecond == 10 },
            Lines("\u{FEFF}fps = 10\r\nretries = 2\r\n") {
                $0.settings.framesPerSecond == 10 && $0.settings.retries == 2
            },
            Lines("dir = ~/Downloads") { $0.settings.directory == "/h/Downloads" },
            Lines("dir = a = b #1") { $0.settings.directory == "a = b #1" },
            Lines("log = ~other/x") { $0.settings.logPath == "~other/x" },
            Lines("max-concurrent = 7\nmax-per-host = 8") {
                $0.settings.maximumConcurrent == 7 && $0.settings.maximumPerHost == 8
            },
            Lines("connect-timeout = 1.5\nstall-timeout = 60") {
                $0.settings.connectTimeout == 1.5 && $0.settings.stallTimeout == 60
            },
            Lines("continue = no") { !$0.jobDefaults.continues },
            Lines("no-continue = yes") { !$0.jobDefaults.continues },
            Lines("no-continue = no") { $0.jobDefaults.continues },
            Lines("if-exists = skip") { $0.jobDefaults.ifExists == .skip },
            Lines("header = A: 1\nheader = B: 2") { $0.jobDefaults.headers.map(\.name) == ["A", "B"] },
            Lines("session = work") { $0.settings.session == .named("work") },
            Lines("ephemeral = yes") { $0.settings.session == .ephemeral },
            Lines("ephemeral = no") { $0.settings.session == .automatic },
            Lines("plain = on") { $0.output == .plain },
            Lines("json = true") { $0.output == .json },
            Lines("quiet = 1") { $0.settings.isQuiet },
            Lines("http2 = yes") { $0.jobDefaults.usesHTTP2 },
            Lines("log-level = debug") { $0.settings.logLevel == .debug },
            Lines("color = never\nglyphs = ascii") { $0.settings.color == .never && $0.settings.glyphs == .ascii },
            Lines("mouse = yes\nexit-when-done = yes") { $0.settings.usesMouse && $0.settings.exitsWhenDone },
            Lines("title = no") { !$0.settings.layout.setsTitle && $0.settings.layout.showsTaskbarProgress },
            Lines("taskbar = no") { $0.settings.layout.setsTitle && !$0.settings.layout.showsTaskbarProgress },
            Lines("focus = yes") { $0.settings.layout.watchesFocus },
            Lines("units = decimal\ntime-column = end") {
                $0.settings.layout.units == .decimal && $0.settings.layout.timeColumn == .finish
            },
            Lines("columns = host, size") { $0.settings.layout.columns == [.host, .size] },
            Lines("columns = host:24, size") {
                $0.settings.layout.columns == [.host, .size] && $0.settings.layout.columnWidths == [.host: 24]
            },
            Lines("sort = speed") { $0.settings.layout.order == SortOrder(column: .speed) },
            Lines("sort = Host reversed, size") {
                $0.settings.layout.order
                    == SortOrder(column: .host, isInverted: true, tieBreaker: .init(column: .size))
            },
            Lines("pane = large") { $0.settings.layout.pane == .large && !$0.settings.layout.showsGraph },
            Lines("group = host") { $0.settings.layout.grouping == .host },
            Lines("view.5 = big files | sort size reversed | filter size>1G") {
                $0.settings.layout.views[5]
                    == SavedView(
                        name: "big files",
                        query: RowQuery(filter: "size>1G", order: SortOrder(column: .size, isInverted: true)))
            },
            Lines("theme = light") { $0.settings.layout.theme == .light },
            Lines("color.state-failed = magenta bold\ncolor.rule = default") {
                $0.settings.layout.styles == [.stateFailed: Style(.magenta, .bold), .rule: Style()]
            },
            Lines("view.6 =") { $0.settings.layout.views.isEmpty },
            Lines("graph = yes") { $0.settings.layout.showsGraph },
            Lines("columns = none") { $0.settings.layout.columns.isEmpty },
            Lines("key.pause = u F5\nkey.undo = #") {
                $0.keys.key(of: .pause).string == "u" && $0.keys.key(of: .undo).string == "#"
            },
            Lines("key.pause = r\nkey.resume = p") { $0.keys.key(of: .resume).string == "p" },
        ])
    func settings(lines: Lines) throws {
        let invocation = try Self.invocation(lines.testDescription)
        #expect(lines.isAsWanted(invocation), "\(invocation)")
    }

    private static func unknown(_ name: String, near: String) -> String {
        ConfigurationUsage.unknown(name, hint: CommandLineUsage.didYouMean(near))
    }

    @Test(
        "What cannot be meant is one sentence with file and line",
        arguments: [
            ("fps", "config:1: \(ConfigurationUsage.noSign("fps"))"),
            ("= 3", "config:1: \(ConfigurationUsage.noName)"),
            ("# a\n\nfsp = 3", "config:3: \(Self.unknown("fsp", near: "fps"))"),
            ("FPS = 3", "config:1: \(Self.unknown("FPS", near: "fps"))"),
            (
                "frobnicate = 3",
                "config:1: \(ConfigurationUsage.unknown("frobnicate", hint: ConfigurationUsage.seeHelp))"
            ),
            ("fps = 99", "config:1: fps: \(ValueUsage.notNumber("99", from: 1, to: 30))"),
            ("fps =", "config:1: fps: \(ValueUsage.notNumber("", from: 1, to: 30))"),
            ("fps = 3\nfps = 4", "config:2: \(ConfigurationUsage.twice("fps", line: 1))"),
            ("dir =", "config:1: dir: \(ValueUsage.emptyPath)"),
            ("color = sometimes", "config:1: color: \(OptionUsage.notOneOf("sometimes", "auto, always, never"))"),
            ("http2 = maybe", "config:1: http2: \(OptionUsage.notYesOrNo("maybe"))"),
            ("units = metric", "config:1: units: \(OptionUsage.notOneOf("metric", "binary, decimal"))"),
            ("columns = size size", "config:1: columns: \(ValueUsage.twice("size"))"),
            ("columns = host:4", "config:1: columns: \(ValueUsage.notNumber("4", from: 9, to: 60))"),
            ("columns = host:", "config:1: columns: \(ValueUsage.notNumber("", from: 9, to: 60))"),
            (
                "sort = speed backwards",
                "config:1: sort: "
                    + ValueUsage.order(
                        "speed backwards", columns: "state, name, progress, size, speed, eta, host, added")
            ),
            ("color.zzzz = red", "config:1: color.zzzz: \(ValueUsage.role("zzzz", hint: ValueUsage.seeRoles))"),
            (
                "color.state-faild = red",
                "config:1: color.state-faild: "
                    + ValueUsage.role("state-faild", hint: CommandLineUsage.didYouMean("state-failed"))
            ),
            ("color.rule = pink", "config:1: color.rule: \(ValueUsage.style("pink"))"),
            ("view.4 = x", "config:1: view.4: \(ValueUsage.notNumber("4", from: 5, to: 9))"),
            ("view.5 = x | sort sideways", "config:1: view.5: \(ValueUsage.view("x | sort sideways"))"),
            ("view.5 = a\nview.5 = b", "config:2: \(ConfigurationUsage.twice("view.5", line: 1))"),
            ("pane = huge", "config:1: pane: \(OptionUsage.notOneOf("huge", "off, small, large"))"),
            ("columns =", "config:1: columns: \(ValueUsage.empty("none", forNo: "column"))"),
            ("time-colum = end", "config:1: \(Self.unknown("time-colum", near: "time-column"))"),
            ("title = maybe", "config:1: title: \(OptionUsage.notYesOrNo("maybe"))"),
            ("header = nothing", "config:1: header: \(ValueUsage.headerWithoutColon)"),
            ("out = x", "config:1: \(ConfigurationUsage.ofOneRun("out", option: "--out"))"),
            ("help = yes", "config:1: \(ConfigurationUsage.ofOneRun("help", option: "--help"))"),
            ("plain = yes\njson = yes", "config:2: json: \(CommandLineUsage.excludes("--plain"))"),
            ("json = yes\nquiet = yes", "config:2: quiet: \(CommandLineUsage.jsonAndQuiet)"),
            ("session = a\nephemeral = yes", "config:2: ephemeral: \(CommandLineUsage.twoSessions)"),
            ("key.pause = u\nkey.resume = u", "config:2: u would be both pause and resume"),
            ("key.pause = u\nfps = 3\nkey.mark = u", "config:3: u would be both pause and mark"),
            ("key.resume = u\nkey.pause = p u", "config:2: u would be both pause and resume"),
            ("key.fly = f", "config:1: \(KeyErrors.unknownCommand("fly"))"),
            ("key.pause = Foo", "config:1: \(KeyErrors.unknownKey("Foo"))"),
            ("key.pause = ^S", "config:1: ^S cannot be bound: terminals keep it"),
            ("key.pause =", "config:1: \(KeyErrors.missing("pause"))"),
            ("key.pause = u\nkey.pause = v", "config:2: \(ConfigurationUsage.twice("key.pause", line: 1))"),
        ])
    func problems(text: String, sentence: String) {
        #expect(Self.problem(in: text) == sentence)
    }

    @Test("A file that is no text is refused")
    func bytes() {
        do throws(UsageError) {
            _ = try ConfigurationParser.configuration(in: [0x66, 0xFF], name: "config", home: nil)
            Issue.record("it was read")
        } catch {
            #expect(error.message == "config: \(ConfigurationUsage.notUTF8)")
        }
    }

    @Test("The command line wins, and headers add up")
    func precedence() throws {
        let text = "fps = 10\nplain = yes\nsession = work\ncontinue = no\nheader = A: 1\nquiet = no"
        let invocation = try Self.invocation(
            text, "--fps", "2", "--json", "--ephemeral", "-c", "-H", "B: 2", "http://a/")
        #expect(invocation.settings.framesPerSecond == 2)
        #expect(invocation.output == .json)
        #expect(invocation.settings.session == .ephemeral)
        #expect(invocation.jobs.first?.continues == true)
        #expect(invocation.jobs.first?.headers.map(\.name) == ["A", "B"])
        #expect(try Self.invocation("quiet = yes", "--json", "http://a/").settings.isQuiet == false)
    }

    @Test("The demo ignores the session of the configuration, and help the whole of it")
    func questions() throws {
        #expect(try Self.invocation("session = work", "demo").settings.session == .ephemeral)
        for arguments in [["--help"], ["--version"], ["help", "request"]] {
            #expect(throws: Never.self) {
                try CommandLine.parse(arguments) { () throws(UsageError) in
                    throw UsageError("read")
                }.get()
            }
        }
        #expect(throws: UsageError("read")) {
            try CommandLine.parse(["--help-keys"]) { () throws(UsageError) in throw UsageError("read") }.get()
        }
    }

    @Test("The file is where the environment says")
    func path() {
        #expect(ConfigurationFile.path(environment: ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/netdash/config")
        #expect(
            ConfigurationFile.path(environment: ["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/netdash/config")
        #expect(ConfigurationFile.path(environment: ["HOME": "/h"]) == "/h/.config/netdash/config")
        #expect(ConfigurationFile.path(environment: [:]) == nil)
    }

    @Test("Every option either belongs to one run or may be set for all of them")
    func everyOption() throws {
        for option in CommandLineOption.allCases where option.isSetting {
            let value = CommandTableTests.example(of: option) ?? "yes"
            let configuration = try Self.configuration("\(option.longName) = \(value)")
            #expect(configuration.settings.map(\.option) == [option])
        }
    }

    @Test("Sentences, footer, help and the list of keys name the keys that were chosen")
    func keysAreShown() throws {
        let keys = try Self.invocation("key.undo = u\nkey.resume = B\nkey.details = b\nkey.add = f5").keys
        #expect(KeyReference.text(keys: keys).contains("  u "))
        var model = Model()
        model.keys = keys
        let empty = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(empty.contains("Press F5 to add a task"))
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        row.state = .running
        _ = update(&model, .clock(1))
        _ = update(&model, .rows([row]))
        _ = update(&model, .key(.character("P")))
        #expect(model.toasts.current?.text.string.contains(" · u undo") == true)
        row.state = .failed
        row.error = "gone"
        _ = update(&model, .rows([row]))
        #expect(model.toasts.current?.text.string.contains(" · B retry, b details") == true)
        _ = update(&model, .key(.character("?")))
        let help = GoldenFiles.text(
            of: view(model, size: Size(columns: 80, rows: 200), capabilities: ViewCapabilities()))
        #expect(help.contains("u        "))
        #expect(!help.contains("│ z "))
    }
}

import Dashboard
import Foundation
import Testing

@testable import TransferService
@testable import netdash

/// The tables of commands, options and variables, and what help and the manual page make of them.
@Suite("The table of commands", .timeLimit(.minutes(1)))
struct CommandTableTests {
    /// What stands behind each command so that only the option under test can be refused.
    private static func words(_ command: ProgramCommand, with option: CommandLineOption) -> [String] {
        let url = "http://h/a"
        let operands =
            switch command {
            case .download, .request, .aria2c, .doctor: [url]
            case .upload: option == .body ? [url] : ["file", url]
            case .completions: ["bash"]
            case .parts, .demo, .help, .serve, .stop, .events, .history: [String]()
            case .add: [url]
            case .status, .pause, .resume, .cancel, .retry, .wait: ["all"]
            case .limit: ["2M"]
            }
        let choosesLinks = ["accept", "reject"].contains(option.longName) && [.download, .add].contains(command)
        let companions =
            command == .request && option.job == .maximumPages
            ? ["--paginate"]
            : choosesLinks ? ["-i", "x"] : option.longName.hasPrefix("rpc-") && command == .serve ? ["--rpc"] : []
        return [command.rawValue] + operands + companions + words(option)
    }

    private static func words(_ option: CommandLineOption) -> [String] {
        [option.spelling] + (example(of: option).map { [$0] } ?? [])
    }

    /// A value that an option takes, by the word that its help has for it; nil for an option without one.
    static func example(of option: CommandLineOption) -> String? {
        if let job = option.job { return job.isSwitch ? nil : JobOptionTests.example(of: job) }
        return switch option.valueName {
        case nil: nil
        case "ALGO=HEX": "md5=" + String(repeating: "0", count: 32)
        case "'Name: value'": "A: b"
        case "N", "SECONDS": "7"
        case "RATE": "512k"
        case "N/s": "5/s"
        case "TIME": "22:00"
        case "HOURS": "22:00-06:00"
        case "PRIORITY": "high"
        case "POLICY": "skip"
        case "METHOD": "PUT"
        case "LEVEL": "debug"
        case "WHEN", "MOMENTS": "never"
        case "COMMAND": "true"
        case "SET": "ascii"
        case "[ADDRESS]": "6800"
        case "ORIGIN": "https://h"
        default: "name"
        }
    }

    @Test(
        "A command takes the options that its table has, and refuses every other in a sentence that names it",
        arguments: ProgramCommand.allCases.filter { ![.aria2c, .help].contains($0) }, CommandLineOption.allCases)
    func optionsAreThoseOfTheTable(command: ProgramCommand, option: CommandLineOption) {
        var configuration = Configuration()
        configuration.profiles = [.init(name: "name")]
        let found = configuration
        let result = CommandLine.parse(Self.words(command, with: option)) { () throws(UsageError) in found }
        switch result {
        case .success: #expect(option.commands.contains(command) || option.isQuestion)
        case .failure(let error):
            #expect(!option.commands.contains(command), "\(error.message)")
            let names = option.spellings + (command == .demo ? ["demo"] : [])
            #expect(names.contains { error.message.hasPrefix("\($0):") }, "\(error.message)")
        }
    }

    @Test("Help on a command has its options and no others", arguments: ProgramCommand.allCases)
    func helpHasTheOptions(command: ProgramCommand) throws {
        let text = HelpText.text(command)
        let table = try #require(text.split(separator: "\nOptions\n").last?.split(separator: "\n\n").first)
        let shown = table.split(separator: "\n").compactMap { $0.firstMatch(of: /--[a-z0-9.-]+/)?.output }
        #expect(shown.map(String.init) == command.options.map(\.spelling))
        #expect(text.hasPrefix(command.synopsis + "\n"))
        for example in command.examples { #expect(text.contains(example.line)) }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test("The help names every option and every command")
    func generalHelp() {
        let text = HelpText.text(nil)
        for option in CommandLineOption.allCases { #expect(text.contains(option.spelling)) }
        for command in ProgramCommand.allCases { #expect(text.contains("\n" + command.synopsis + "  ")) }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test("Every example is understood, and means the command that it stands with", arguments: ProgramCommand.allCases)
    func examples(command: ProgramCommand) throws {
        #expect(!command.examples.isEmpty)
        for example in command.examples {
            let words = Self.shellWords(example.line)
            let invocation = try CommandLine.parse(words).get()
            let expected: [Invocation.Action] =
                switch command {
                case .download, .upload, .request: [.run]
                case .aria2c: [.run, .serve]
                case .demo: [.demo]
                case .doctor: [.doctor]
                case .parts:
                    [
                        .parts(folders: ["~/Downloads"], removes: false), .parts(folders: ["."], removes: true),
                    ]
                case .completions: Shell.allCases.map { .completions($0) }
                case .help: [.help(.upload), .search("proxy")]
                case .serve: [.serve]
                case .add: [.order(.add)]
                case .status: [.order(.status(.all)), try .order(.status(Self.tasks("state:failed")))]
                case .pause:
                    [
                        try .order(.pause(Self.tasks("3-7"))),
                        try .order(.pause(Self.tasks("*.iso", "host:example.com"))),
                    ]
                case .resume: [.order(.resume(.all))]
                case .cancel:
                    [
                        try .order(.cancel(Self.tasks("host:example.com"))),
                        try .order(.cancel(Self.tasks("tag=night"))),
                    ]
                case .retry: [.order(.retry(.all))]
                case .limit:
                    [
                        try .order(.limit(RateSchedule("2M"), nil)),
                        try .order(.limit(RateSchedule("100k"), Self.tasks("3"))),
                    ]
                case .wait: [try .order(.wait(Self.tasks("3")))]
                case .stop: [.order(.stop)]
                case .events: [.order(.events)]
                case .history: [.order(.history("host:example.com")), .order(.history("failed"))]
                }
            #expect(expected.contains(invocation.action), "\(example.line)")
            #expect(example.meaning.hasSuffix("."))
            #expect(example.line.count <= 71, "a line of the manual page has no room for more: \(example.line)")
        }
    }

    private static func tasks(_ operands: String...) throws -> TaskSelection {
        try #require(try TaskSelection(operands, of: .status))
    }

    /// The arguments of netdash in a line for a shell, which has quotes, pipes and redirections.
    private static func shellWords(_ line: String) -> [String] {
        var words: [String] = []
        for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index.isMultiple(of: 2) {
                words += part.split(separator: " ").map(String.init)
            } else {
                words.append(String(part))
            }
        }
        let start = words.firstIndex { $0.hasSuffix("netdash") && !$0.hasPrefix(">") } ?? words.endIndex
        let rest = words[start...].dropFirst().prefix { $0 != "|" && !$0.hasPrefix(">") }
        return rest.map { $0.hasSuffix(")") ? String($0.dropLast()) : $0 }
    }

    // MARK: - The manual page

    @Test("The list that the manual page shows is read as it says")
    func listOfTheManual() throws {
        let page = try ProjectFiles.read("docs/netdash.1")
        let section = try #require(page.split(separator: ".SH INPUT LISTS\n").last?.split(separator: ".SH ").first)
        let example = try #require(section.split(separator: ".EX\n").last?.split(separator: ".EE\n").first)
        let text = example.replacing("\\-", with: "-")
        let list = InputListParser.jobs(in: Array(text.utf8), name: "list", defaults: Job(kind: .download, url: ""))
        let jobs = try list.get()
        #expect(jobs.map(\.kind) == [.download, .download, .upload, .data])
        #expect(jobs[1].output == .name("monday.tar.gz") && jobs[1].directory == "backup")
        #expect(jobs[1].checksum?.algorithm == .sha1 && jobs[1].headers.map(\.name) == ["Authorization"])
        #expect(jobs[2].body == .file(path: "photo.jpg"))
        #expect(jobs[3].startsPaused && jobs[3].body == .text("{\"name\": \"tea\"}"))
    }

    @Test("The files that the manual page names are where the program looks for them")
    func filesOfTheManual() throws {
        let page = try ProjectFiles.read("docs/netdash.1").replacing("\\-", with: "-").replacing("\\(ti", with: "~")
        let files = try #require(page.split(separator: ".SH FILES\n").last?.split(separator: ".SH ").first)
        for (variable, folder) in [("XDG_CONFIG_HOME", "/config"), ("XDG_STATE_HOME", "/state"), ("HOME", "/home")] {
            let environment = [variable: folder]
            let shown = variable == "HOME" ? "~" : "$" + variable
            if variable != "XDG_STATE_HOME" {
                let path = try #require(ConfigurationFile.path(environment: environment))
                #expect(files.contains(".I " + path.replacing(folder, with: shown, maxReplacements: 1) + "\n"))
            }
            if variable != "XDG_CONFIG_HOME" {
                let path = try #require(UserFolder.sessions(environment: environment))
                #expect(
                    files.contains(".I " + path.replacing(folder, with: shown, maxReplacements: 1) + "/NAME.sqlite\n"))
            }
        }
    }

    // MARK: - The environment

    /// Names that stand in the sources and say nothing to a user: one is the runtime's own, two are set for a moment,
    /// whatever they were, and one is read by the library's request serializers, which the program has no use for.
    private static let internalNames: Set<String> = ["SWIFT_BACKTRACE", "LINES", "COLUMNS", "LANGUAGE"]

    @Test("The variables that the program reads are those of the table")
    func environmentIsThatOfTheTable() throws {
        let table = Set(EnvironmentVariable.all.flatMap(\.names))
        let sources = try ["netdash", "ServiceWire", "SessionCore", "CNcurses", "CCurl", "CLinux"].map(Self.source)
            .joined()
        let pattern = /(?:environment\[|getenv\(|variable\(|path\(named: )"([A-Za-z_]+)"/
        let read = Set(sources.matches(of: pattern).map { String($0.1) }).subtracting(Self.internalNames)
        #expect(read.isSuperset(of: ["NO_COLOR", "XDG_STATE_HOME", "TMPDIR", "PAGER"]), "the search finds them")
        #expect(read.subtracting(table).isEmpty, "not in the table")
        let known = table.subtracting(["TERMINFO", "TERMINFO_DIRS"])
        #expect(known.filter { !sources.contains("\"\($0)\"") }.isEmpty, "in the table alone")
    }

    /// The text of every source file below a folder, but for the table itself.
    private static func source(of target: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/\(target)")
            .standardized
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
            ($0.hasSuffix(".swift") || $0.hasSuffix(".c")) && !$0.hasSuffix("EnvironmentVariable.swift")
        }
        return try paths.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }.joined()
    }
}

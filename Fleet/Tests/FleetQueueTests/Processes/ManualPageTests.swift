import Foundation
import Testing

@testable import FleetQueue

/// The manual page is written by hand, so that it and the help are compared name by name.
@Suite("The manual page of netdash-fleet", .timeLimit(.minutes(10)))
struct ManualPageTests {
    /// Options by the name of their command; those of every command are under an empty name.
    private typealias Names = [String: Set<String>]

    /// Commands that a program without SessionCore has not.
    private static let needingTransfers = ["worker", "window"]

    private static let page = Result {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "../../../../docs/netdash-fleet.1"), encoding: .utf8)
    }

    /// Each long or short option of a text.
    private func options(in text: some StringProtocol) -> Set<String> {
        let words = text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") }).map { String($0) }
        return Set(words.filter { $0.hasPrefix("-") && $0.dropFirst().contains { $0.isLetter } })
    }

    /// The lines of a section, without escapes.
    private func section(_ title: String) throws -> [Substring] {
        let plain = try Self.page.get().replacing("\\-", with: "-").replacing("\\~", with: " ")
        let lines = plain.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0 == ".SH " + title })
        let rest = lines[(start + 1)...]
        return Array(rest[..<(rest.firstIndex { $0.hasPrefix(".SH ") } ?? rest.endIndex)])
    }

    /// What the page says: commands are paragraphs, and their options are indented below them.
    private func documented() throws -> Names {
        var names: Names = [:]
        var command = ""
        var depth = 0
        var isTag = false
        for line in try section("COMMANDS") {
            switch line {
            case ".RS": depth += 1
            case ".RE": depth -= 1
            case ".PP": command = ""
            case ".TP": isTag = true
            default:
                guard isTag else { continue }
                isTag = false
                let text = line.drop { $0 != " " }.replacing(#/\\f./#, with: "")
                let found = options(in: text)
                if depth == 0, found.isEmpty {
                    command = text.split(separator: " ").first.map(String.init) ?? ""
                    names[command] = []
                } else {
                    names[command, default: []].formUnion(found)
                }
            }
        }
        return names
    }

    private func run(_ words: String...) throws -> String {
        let program = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), words, environment: [:])
        #expect(program.wait() == 0, "\(program.output)")
        return program.output
    }

    /// What the program says of itself.
    private func offered() throws -> Names {
        var names: Names = ["help": [], "": ["--queue"]]
        let commands = try run("help").split(separator: "\n").filter { $0.hasPrefix("  ") }
        for command in commands.compactMap({ $0.split(separator: " ").first.map(String.init) }) {
            let lines = try run(command, "--help").split(separator: "\n").filter { $0.hasPrefix("  -") }
            let all = lines.reduce(into: Set<String>()) { found, line in
                // The names are before the summary, which may name other options.
                let end = line.dropFirst(2).firstRange(of: "  ")?.lowerBound ?? line.endIndex
                found.formUnion(options(in: line[..<end]))
            }
            #expect(all.contains("--queue"))
            names[command] = all.subtracting(["--queue"])
        }
        return names
    }

    @Test("The version of the program is the page's", arguments: ["--version", "-V"])
    func version(option: String) throws {
        let program = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), [option])
        #expect(program.wait() == 0)
        let words = program.output.split { $0.isWhitespace }
        #expect(words.count == 2 && words.first == "netdash-fleet", "\(program.output)")
        let title = try Self.page.get().split(separator: "\n").first { $0.hasPrefix(".TH ") }
        #expect(title?.contains("\"netdash \(words.last ?? "")\"") == true, "\(title ?? "")")
    }

    @Test("The page and the help name the same commands and options")
    func names() throws {
        var documented = try documented()
        let offered = try offered()
        for command in Self.needingTransfers where offered[command] == nil { documented[command] = nil }
        #expect(documented == offered)
        #expect(offered.count > 6)
    }

    @Test("The synopsis names each command of the page")
    func synopsis() throws {
        let lines = try section("SYNOPSIS").filter { $0.hasPrefix("netdash-fleet ") }
        let commands = Set(lines.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
        #expect(commands == Set(try documented().keys).subtracting([""]))
    }

    @Test("The page explains each exit status, and each option of a list")
    func rest() throws {
        let statuses = try section("EXIT STATUS").filter { $0.hasPrefix(".B ") }.map { $0.dropFirst(3) }
        #expect(statuses == ["0", "1", "2", "3", "4"])
        let lists = try section("LISTS").joined(separator: "\n")
        for name in ["out", "dir", "checksum", "priority", "header", "query", "auth", "bearer"] {
            #expect(lists.contains(name + "="))
        }
    }

    @Test("The settings of tables that the page names are the schema's, and the limits are its defaults")
    func settings() throws {
        let page = try section("OPERATION").joined(separator: " ").replacing("  ", with: " ")
        for (text, setting) in [
            ("has a fillfactor of 85", "(fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02"),
            ("analyzed after 5 %", "autovacuum_analyze_scale_factor = 0.05"),
            ("have a fillfactor of 50", "fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02"),
            (".BR host_active , 16)", "host_active integer NOT NULL DEFAULT 16"),
            (".I netdash.queue (6)", "tries integer NOT NULL DEFAULT 6"),
            ("ten times at most", "j.lapses >= 9"),
        ] {
            #expect(page.contains(text), "\(text)")
            #expect(Schema.statements.contains { $0.contains(setting) }, "\(setting)")
        }
    }
}

import Dashboard
import Foundation
import Testing

@testable import TransferService
@testable import netdash

/// What the manual pages show is what the program takes.
@Suite("The manual pages", .timeLimit(.minutes(1)))
struct ManualPageTests {
    /// A section of a page without the escapes of its language.
    private static func section(_ name: String, of path: String) throws -> String {
        let page = try ProjectFiles.read(path)
        let text = try #require(page.split(separator: ".SH \(name)\n").last?.split(separator: "\n.SH ").first)
        return [("\\-", "-"), ("\\(aq", "'"), ("\\(ti", "~"), ("\\(ha", "^"), ("\\e", "\\")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// The blocks of a section that are shown as they are typed.
    private static func blocks(_ section: String) -> [String] {
        section.components(separatedBy: ".EX\n").dropFirst().compactMap {
            $0.split(separator: ".EE").first.map(String.init)
        }
    }

    /// The arguments of netdash in a command for a shell, up to the first pipe.
    private static func words(_ command: String) -> [String] {
        var words: [String] = []
        for (index, part) in command.replacing("\\\n", with: "").split(
            separator: "'", omittingEmptySubsequences: false
        ).enumerated() {
            words += index.isMultiple(of: 2) ? part.split { " \n".contains($0) }.map(String.init) : [String(part)]
        }
        return Array(words.dropFirst().prefix { $0 != "|" })
    }

    @Test("Each job of netdash(1) is understood")
    func jobs() throws {
        let blocks = Self.blocks(try Self.section("EXAMPLES", of: "docs/netdash.1"))
        #expect(blocks.count > 12)
        for block in blocks {
            #expect(block.hasPrefix("netdash "), "\(block)")
            #expect(block.split(separator: "\n").allSatisfy { $0.count <= 71 }, "\(block)")
            #expect(throws: Never.self, "\(block)") { try CommandLine.parse(Self.words(block)).get() }
        }
    }

    @Test("The example of netdash-config(5) is a configuration")
    func configuration() throws {
        let text = try #require(
            Self.blocks(try Self.section("EXAMPLES", of: "docs/netdash-config.5")).first)
        let configuration = try ConfigurationParser.configuration(
            in: Array(text.utf8), name: "config", home: "/home/me")
        #expect(configuration.settings.first?.value == "/home/me/Downloads")
        #expect(configuration.layout.setsTitle == false && configuration.changedKeys != nil)
    }

    @Test("netdash-config(5) has every setting of the dashboard", arguments: DashboardSetting.allCases)
    func dashboardSettings(setting: DashboardSetting) throws {
        let section = try Self.section("DASHBOARD SETTINGS", of: "docs/netdash-config.5")
        #expect(section.contains("\\fB\(setting.rawValue)\\fR = "))
    }

    @Test("netdash-config(5) names every role that can have a look of its own", arguments: Role.allCases)
    func roles(role: Role) throws {
        let section = try Self.section("COLOURS", of: "docs/netdash-config.5")
        let words = section.replacing("\\-", with: "-").split { " ,.\n".contains($0) }
        #expect(words.contains { $0 == role.word }, "\(role.word)")
    }
}

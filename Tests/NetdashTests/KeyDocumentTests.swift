import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// The documents made from the key table; NETDASH_UPDATE_DOCUMENTS=1, as `script/keys` sets it, writes them.
@Suite("Documents on keys and options", .timeLimit(.minutes(1)))
struct KeyDocumentTests {
    @Test("docs/KEYS.md says what the key table says")
    func keysAreCurrent() throws {
        let text = KeyReference.markdown()
        if ProjectFiles.isUpdating { return try ProjectFiles.write(text, to: "docs/KEYS.md") }
        #expect(try ProjectFiles.read("docs/KEYS.md") == text, "run script/keys")
    }

    /// The sections of the manual page that are made from tables, by the names in their marks.
    private static let sections = [
        ("SYNOPSIS", ManualSections.synopsis()), ("COMMANDS", ManualSections.commands()),
        ("OPTIONS", ManualSections.options()), ("KEYS", KeyReference.manual()),
        ("FILTER", KeyReference.filterManual()), ("LIST KEYS", ListKey.manual()),
        ("EXAMPLES", ManualSections.examples()), ("TEMPLATES", ManualSections.templates()),
        ("ENVIRONMENT", ManualSections.environment()), ("HOOK FACTS", ManualSections.hookFields()),
    ]

    /// The sections of the page on the configuration file.
    private static let configurationSections = [
        ("SETTINGS", ManualSections.settings()), ("KEY NAMES", KeyReference.names()),
    ]

    @Test(
        "The manual pages' commands, options, settings, keys, examples and variables are those of the program",
        arguments: ["docs/netdash.1", "docs/netdash-config.5"])
    func manualIsCurrent(path: String) throws {
        let page = try ProjectFiles.read(path)
        let sections = path == "docs/netdash.1" ? Self.sections : Self.configurationSections
        let current = try sections.reduce(page) { text, section in
            try Self.replacingSection(section.0, of: text, with: section.1)
        }
        if ProjectFiles.isUpdating { return try ProjectFiles.write(current, to: path) }
        #expect(page == current, "run script/keys")
    }

    @Test("The completions of the repository are those that the program prints", arguments: Shell.allCases)
    func completionsAreCurrent(shell: Shell) throws {
        let (text, path) = (Completions.script(for: shell), Completions.path(of: shell))
        if ProjectFiles.isUpdating { return try ProjectFiles.write(text, to: path) }
        #expect(try ProjectFiles.read(path) == text, "run script/keys")
    }

    private static func replacingSection(_ name: String, of page: String, with text: String) throws -> String {
        let begin = try #require(page.range(of: ".\\\" \(name): made by script/keys from here\n"))
        let end = try #require(page.range(of: ".\\\" \(name): to here\n"))
        return page.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: text)
    }

    @Test("A key or a sentence with a character that the formats use comes out as itself")
    func charactersAreEscaped() {
        let keys = KeyReference.markdown()
        #expect(keys.contains("`\\`"), "the backslash of the filter")
        #expect(KeyReference.manual().contains("\\fB\\e\\fR"))
        #expect(KeyReference.manual().contains("\\fB\\(haC\\fR"))
        for (name, text) in Self.sections + Self.configurationSections {
            let requests = text.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
            #expect(requests.allSatisfy { $0 == ".TP" || $0 == ".br" || $0.hasPrefix(".SS ") }, "\(name)")
        }
    }
}

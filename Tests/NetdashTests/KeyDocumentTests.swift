import Foundation
import Testing

@testable import Dashboard
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

    @Test("The manual page's keys and options are those of the program")
    func manualIsCurrent() throws {
        let page = try ProjectFiles.read("docs/netdash.1")
        let withKeys = try Self.replacingSection("KEYS", of: page, with: KeyReference.manual())
        let current = try Self.replacingSection("OPTIONS", of: withKeys, with: CommandLineOption.manual())
        if ProjectFiles.isUpdating { return try ProjectFiles.write(current, to: "docs/netdash.1") }
        #expect(page == current, "run script/keys")
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
        #expect(!KeyReference.manual().contains("\n.\n"))
    }
}

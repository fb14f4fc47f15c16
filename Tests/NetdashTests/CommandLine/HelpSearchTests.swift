import Dashboard
import Testing

@testable import netdash

@Suite("Help on a word")
struct HelpSearchTests {
    @Test(
        "names the options and keys that have to do with it, by the words of other tools too",
        arguments: [
            ("retries", "--retries N", nil), ("tries", "--retries N", nil), ("proxy", "--proxy URL", nil),
            ("bandwidth", "--limit-rate RATE", "limit-rate"), ("throttling", "--limit-upload RATE", "limit-rate"),
            ("certificate", "--insecure", nil), ("clipboard", nil, "Copy"), ("output-document", "--out NAME", nil),
            ("login", "--user NAME:PASSWORD", nil), ("threads", "--connections N|auto", "more-at-once"),
            ("overwrite", "--if-exists POLICY", nil), ("timeout", "--stall-timeout SECONDS", nil),
        ] as [(String, String?, String?)])
    func found(word: String, option: String?, key: String?) throws {
        guard case .search(word) = try CommandLine.parse(["help", word]).get().action else {
            Issue.record("\(word) is not searched for")
            return
        }
        let text = HelpText.search(word, keys: .standard)
        for part in [option, key].compactMap(\.self) { #expect(text.contains(part), "\(text)") }
        #expect(text.hasSuffix("\n"))
    }

    @Test("Every synonym leads to an option")
    func synonyms() {
        for name in OptionSynonyms.entries.flatMap(\.options) {
            #expect(CommandLineOption.named(name) != nil, "\(name)")
        }
    }
}

import Dashboard
import Testing

@testable import netdash

@Suite("Help on a word")
struct HelpSearchTests {
    @Test(
        "names the options and keys that have to do with it, by the words of other tools too",
        arguments: [
            ("retries", "--retries N", nil), ("tries", "--retries N", nil), ("bandwidth", nil, "limit-rate"),
            ("proxy", "--proxy URL", nil), ("throttle", nil, "limit-rate"), ("certificate", "--insecure", nil),
            ("clipboard", nil, "Copy"), ("output-document", "--out NAME", nil),
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
}

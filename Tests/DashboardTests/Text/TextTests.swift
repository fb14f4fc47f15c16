import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("Text")
struct TextTests {
    @Test(
        "Outside text is made harmless and stays readable",
        arguments: [
            ("plain.iso", "plain.iso"), ("a\u{1B}[31mb", "a␛[31mb"), ("a\r\nb\tc\u{7F}", "a␍␊b␉c␡"),
            ("\u{9B}31m\u{85}", "\u{FFFD}31m\u{FFFD}"),
            ("x\u{202E}y\u{2066}z", "x·y·z"), ("a\u{200B}\u{200D}\u{FEFF}\u{AD}b", "a····b"),
            ("\u{E0041}\u{E000}", "··"),
            ("👨‍👩‍👧!", "👨!"), ("🇩🇪", "DE"), ("1️⃣", "1"), ("✔️", "✔"), ("👍🏽", "👍"), ("1\u{200D}2", "1·2"), ("\u{301}x", "·x"),
            ("e\u{301}", "e\u{301}"), ("\u{378}", "\u{FFFD}"), ("a\u{2028}b", "a·b"), ("a\u{A0}b", "a b"), ("", ""),
        ])
    func sanitises(raw: String, safe: String) {
        #expect(SafeText(untrusted: raw).string == safe)
    }

    @Test(
        "A shown URL is a URL of the same resource: what no terminal shows alike stands percent-encoded",
        arguments: [
            ("http://h/a.iso?q=1", "http://h/a.iso?q=1"), ("http://h/日本", "http://h/日本"),
            ("http://h/👨‍👩‍👧.png", "http://h/%f0%9f%91%a8%e2%80%8d%f0%9f%91%a9%e2%80%8d%f0%9f%91%a7.png"),
            ("http://h/👍🏽", "http://h/%f0%9f%91%8d%f0%9f%8f%bd"), ("http://h/🇩🇪", "http://h/%f0%9f%87%a9%f0%9f%87%aa"),
            ("http://h/x\u{202E}y", "http://h/x%e2%80%aey"), ("http://h/\u{200B}/z", "http://h/%e2%80%8b/z"),
            ("http://h/a\u{A0}b", "http://h/a%c2%a0b"), ("http://h/\u{1B}[2J", "http://h/%1b[2J"),
            ("http://h/?token=x\u{202E}&b=\u{200B}", "http://h/?token=***&b=%e2%80%8b"),
        ])
    func urls(raw: String, shown: String) {
        #expect(SafeText(url: raw).string == shown)
    }

    @Test(
        "Holes of our own words take safe texts, numbers and counted nouns", arguments: [(1, "1 task"), (3, "3 tasks")])
    func holes(count: Int, counted: String) {
        let name = SafeText(untrusted: "a\u{1B}b")
        let text: SafeText = "\(name): \(count, "task", "tasks"), \(count)"
        #expect(text.string == "a␛b: \(counted), \(count)")
    }

    @Test("No more than four marks stay on a base")
    func marksAreLimited() {
        let text = SafeText(untrusted: "a" + String(repeating: "\u{301}", count: 50) + "b")
        #expect(text.string.unicodeScalars.count == 6)
    }

    @Test(
        "Every scalar of the blocks that matter becomes safe, and a sample of all others",
        arguments: [
            (0...0x3100, 1), (0xD7A4...0xFFFF, 3), (0x1F000...0x1FFFF, 1), (0xE0000...0xE0FFF, 1),
            (0x3100...0x10FFFF, 509),
        ] as [(ClosedRange<UInt32>, Int)])
    func scalarsAreSafe(range: ClosedRange<UInt32>, step: Int) {
        for value in stride(from: range.lowerBound, through: range.upperBound, by: step) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let safe = SafeText(untrusted: "x" + String(Character(scalar))).string.unicodeScalars
            if !safe.allSatisfy(ViewPropertyTests.isSafe) { Issue.record("U+\(String(value, radix: 16)) is not safe") }
        }
    }

    @Test("Sanitising twice changes nothing more")
    func sanitisingIsIdempotent() {
        var random = GoldenRandom(seed: 7)
        for _ in 0..<500 {
            let once = random.text()
            #expect(SafeText(untrusted: once.string) == once)
        }
    }

    @Test("Long text is cut at a scalar's border before any other work")
    func longTextIsCut() {
        let text = SafeText(untrusted: String(repeating: "é", count: 5000))
        #expect(text.string.utf8.count == 4096 + 3)
        #expect(text.string.hasSuffix("…"))
    }

    @Test("Bytes that are not UTF-8 become replacement characters")
    func invalidBytesAreReplaced() {
        #expect(SafeText(untrusted: [0x61, 0xFF, 0x62] as [UInt8]).string == "a\u{FFFD}b")
    }

    @Test(
        "Sizes have at most three digits and are never rounded up",
        arguments: [
            (0, "0"), (1, "1B"), (999, "999B"), (1000, "0.9K"), (1024, "1.0K"), (1_048_575, "0.9M"),
            (48 * 1024 + 512, "48.5K"),
            (631 << 20, "631M"), (4 << 30, "4.0G"), (7 << 60, "7.0E"), (-5, "0"),
        ] as [(Int64, String)])
    func sizesAreShort(bytes: Int64, text: String) {
        #expect(SizeText.short(bytes).string == text)
        #expect(SizeText.short(bytes).string.count <= 6)
    }

    @Test(
        "Time left is coarser the longer it is",
        arguments: [
            (0, "0:00"), (21.4, "0:21"), (61, "1:00"), (63, "1:05"), (421, "7:00"), (599, "10m"), (700, "12m"),
            (11_160, "3h06m"),
            (86_400, "> 1d"), (.infinity, "-"), (.nan, "-"), (-1, "-"),
        ] as [(Double, String)])
    func remainingIsCoarse(seconds: Double, text: String) {
        #expect(DurationText.remaining(seconds).string == text)
    }

    @Test(
        "Time taken fits its column",
        arguments: [(180, "0.18s"), (12_345, "12.3s"), (125_000, "2:05"), (3_720_000, "1h02m")] as [(Int64, String)])
    func takenIsShort(milliseconds: Int64, text: String) {
        #expect(DurationText.elapsed(milliseconds: milliseconds).string == text)
    }

    @Test("Percent is cut, and 100 only when nothing is missing")
    func percentIsCut() {
        #expect(PercentText.percent(999_999, of: 1_000_000)?.string == "99%")
        #expect(PercentText.tenths(999_999, of: 1_000_000)?.string == "99.9%")
        #expect(PercentText.percent(5, of: 5)?.string == "100%")
        #expect(PercentText.percent(0, of: 0)?.string == "100%")
        #expect(PercentText.percent(5, of: nil) == nil)
    }

    @Test("Cutting keeps whole clusters and the asked width")
    func cutsKeepClusters() {
        let capabilities = ViewCapabilities()
        let ellipsis = TextRun("…", capabilities: capabilities)
        let run = TextRun(SafeText(untrusted: "漢字e\u{301}漢字漢字.iso"), capabilities: capabilities)
        for limit in 0...run.width {
            #expect(run.cut(limit, ellipsis: ellipsis).width <= limit)
            #expect(run.middleCut(limit, ellipsis: ellipsis).width <= limit)
        }
        #expect(run.middleCut(9, ellipsis: ellipsis).text.hasSuffix(".iso"))
        #expect(run.middleCut(9, ellipsis: ellipsis).text.hasPrefix("漢"))
    }
}

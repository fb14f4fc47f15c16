import Testing

@testable import SessionCore

@Suite("Sizes in sentences")
struct SizeWordsTests {
    @Test(
        "Sizes that are compared have units, and bytes where the units would hide the difference",
        arguments: [
            (41_943_040, 5, "40.0 MiB, 5 B"), (300_000, 299_999, "300000 B, 299999 B"), (5, 5, "5 B, 5 B"),
            (999, 1_000, "999 B, 1000 B"), (0, 3, "0 B, 3 B"), (2 << 30, 1 << 30, "2.0 GiB, 1.0 GiB"),
        ] as [(Int64, Int64, String)])
    func pairs(first: Int64, second: Int64, text: String) {
        let sizes = SizeWords.pair(first, second)
        #expect(sizes.first + ", " + sizes.second == text)
    }

    @Test("A mismatch names both sizes")
    func sentences() {
        #expect(ResponseErrors.tooLarge(40 << 20, limit: 100) == "Too large: 40.0 MiB, limit 100 B")
        #expect(MirrorReasons.otherLength(34, expected: 5) == "File has 34 B, expected 5 B")
        #expect(ResumeReasons.afterRestarts("Why", 1) == "Why, after 1 restart")
    }
}

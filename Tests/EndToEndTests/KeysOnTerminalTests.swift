import TerminalTestSupport
import Testing

/// Every key of a keyboard on the screens of the real program.
@Suite("Keys on a terminal", .serialized, .timeLimit(.minutes(1)))
struct KeysOnTerminalTests {
    /// What a key sends, but for those that leave: `q`, `Q`, F10, `^C`, `^Z`; and `v`, which hands the terminal over.
    static let keys: [String] =
        (0x20...0x7E).compactMap { Unicode.Scalar($0).map { String($0) } }.filter { !"qQv".contains($0) }
        + (1...26).compactMap { [3, 26].contains($0) ? nil : Unicode.Scalar($0).map { String($0) } }
        + ["\u{7F}", "é", "漢", "👍🏽"]
        + ["A", "B", "C", "D", "F", "H", "Z", "1~", "2~", "3~", "4~", "5~", "6~"].map { "\u{1B}[\($0)" }
        + [15, 17, 18, 19, 20, 23, 24].map { "\u{1B}[\($0)~" } + ["P", "Q", "R", "S"].map { "\u{1B}O\($0)" }

    @Test(
        "Every key can be pressed, and Esc leads back to a whole list",
        arguments: ["", "\r", "?", "x", "C", "a", "/", "s", "f", "o", "L"])
    func everyKey(opener: String) async throws {
        let download = try HeldDownload()
        let terminal = try await download.dashboard()
        for start in stride(from: 0, to: Self.keys.count, by: 10) {
            let keys = Self.keys[start..<min(start + 10, Self.keys.count)].filter { key in
                // The answers that end the only task: what follows would find none.
                opener != "x" || !"kd".contains(key)
            }
            // Escape closes what is open, takes messages away, and gives up filter and marks. The tab's key behind it
            // keeps the next key from looking like the rest of a sequence.
            let back = String(repeating: "\u{1B}", count: 5) + "1"
            try await terminal.press(keys.map { opener + $0 + back }.joined())
            #expect(terminal.screen.errors.isEmpty, "\(terminal.screen.errors) after one of \(keys)")
        }
        try await terminal.waitForScreen("the list") { $0.text.contains("file") && $0.text.contains("q Quit") }
        try terminal.type("Q")
        #expect(try await terminal.waitForEnd() == 0)
        TerminalLifeTests.expectRestored(terminal)
    }
}

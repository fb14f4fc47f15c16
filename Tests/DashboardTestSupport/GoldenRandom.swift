package import Dashboard
import FuzzTestSupport

/// A small generator with a seed, so that a failing case can be had again.
package struct GoldenRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    package mutating func next() -> UInt64 { generator.next() }

    /// Any of the keys that a keyboard has.
    package mutating func key() -> KeyPress { GoldenRandom.keys.randomElement(using: &self) ?? .escape }

    package static let keys: [KeyPress] =
        (0x20...0x7E).compactMap { Unicode.Scalar(UInt32($0)).map { .character(Character($0)) } }
        + "abcdefghijklmnopqrstuvwxyz".map { .control($0) } + (1...12).map { .function($0) }
        + [
            .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end,
            .pageUp,
            .pageDown, .character("é"), .character("👨‍👩‍👧"), .character("漢"),
        ]

    /// A row with anything in it, strange text included.
    package mutating func row(id: UInt64) -> RowSnapshot {
        var row = RowSnapshot(
            id: id, kind: Job.Kind.allCases.randomElement(using: &self) ?? .data, name: text(), url: text())
        row.state = RowState.allCases.randomElement(using: &self) ?? .queued
        row.host = text()
        row.received = Int64.random(in: 0...(1 << 40), using: &self)
        row.sent = Int64.random(in: 0...(1 << 20), using: &self)
        row.expected = Bool.random(using: &self) ? Int64.random(in: 0...(1 << 41), using: &self) : nil
        row.statusCode = Bool.random(using: &self) ? Int.random(in: 100...599, using: &self) : nil
        row.error = Bool.random(using: &self) ? text() : nil
        row.retryAt = Bool.random(using: &self) ? Int64.random(in: 0...100_000, using: &self) : nil
        row.startedAt = Bool.random(using: &self) ? Int64.random(in: 0...100_000, using: &self) : nil
        row.endedAt = Bool.random(using: &self) ? Int64.random(in: 0...100_000, using: &self) : nil
        row.continuation = Bool.random(using: &self) ? .yes : .no
        row.priority = Int8.random(in: -2...2, using: &self)
        return row
    }

    /// Details of all kinds.
    package mutating func details() -> RowDetails {
        var details = RowDetails()
        details.statusLine = text()
        details.firstByte = Int.random(in: 0...1000, using: &self)
        details.total = Int.random(in: 0...100_000, using: &self)
        details.log = [.init(time: text(), text: text())]
        details.requestHeaders = [.init(name: text(), value: text(), isSecret: Bool.random(using: &self))]
        details.latencies = (0..<Int.random(in: 0...50, using: &self)).map { _ in Int.random(in: 0...9000, using: &self)
        }
        let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &self) }
        details.body = BodyPreview(bytes: bytes, total: 5000, contentType: text().string)
        return details
    }

    /// Text made of what breaks terminals.
    package mutating func text() -> SafeText {
        let count = Int.random(in: 0...12, using: &self)
        return SafeText(untrusted: (0..<count).map { _ in Self.parts.randomElement(using: &self) ?? "" }.joined())
    }

    private static let parts = [
        "file", ".iso", "\u{1B}[2J", "\r\n", "\u{9B}", "\u{202E}", "\u{200D}", "漢字", "👨‍👩‍👧", "🇩🇪", "e\u{301}\u{302}",
        "\u{301}",
        "\u{FEFF}", "\u{E0041}", "한", "\u{1FAE8}", " ", "\u{3164}", "ﷺ", "\u{1F3FB}", "́",
    ]
}

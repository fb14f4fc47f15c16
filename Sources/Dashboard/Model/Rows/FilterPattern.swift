/// A regular expression that a filter looks for, matched without regard to case and never slowly.
///
/// It is run as one automaton over the bytes (Glushkov's: one bit for each place in the pattern that takes a byte), so
/// each byte is looked at once whatever the pattern is; one that backtracks could stand for minutes on one row of a
/// hundred thousand. Known are `.`, `[a-z]`, `[^a-z]`, `\d \w \s`, groups, `|`, `* + ? {2,5}`, `^` and `$`.
struct FilterPattern: Sendable, Equatable {
    /// The reason why a pattern cannot be used.
    struct Problem: Error, Equatable {
        var sentence: SafeText
    }

    /// Places that take a byte: the bits of a number but the one for the beginning.
    static let placeLimit = 63

    /// The byte that stands before and behind each text: no text has it.
    private static let edge = RowTexts.separator

    /// By byte, the places that take it.
    private let takers: [UInt64]
    /// By place, the places that may take the next byte.
    private let followers: [UInt64]
    private let first: UInt64
    private let last: UInt64
    /// Whether it matches nothing at all, and so everything.
    private let isEmpty: Bool
    /// Whether it names the beginning or the end of a text.
    let hasEdges: Bool

    /// Reads a pattern.
    init(_ text: String) throws(Problem) {
        var reader = PatternReader(text)
        let whole = try reader.read()
        takers = reader.takers
        followers = reader.followers
        first = whole.first
        last = whole.last
        isEmpty = whole.isEmpty
        hasEdges = reader.hasEdges
    }

    /// Whether it is found in a text, in lower case or not.
    func isFound(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        if isEmpty { return true }
        var run = Run()
        if step(Self.edge, &run) { return true }
        for position in range where step(bytes[position], &run) { return true }
        return step(Self.edge, &run)
    }

    /// The state of the automaton within a text.
    private struct Run {
        /// The places that have taken the byte before.
        var active: UInt64 = 0
        /// The places of a byte before that, and those that may follow them.
        ///
        /// Patterns that keep many places active keep the same ones: `.*` thirty times took 234 ms for 100,000 URLs
        /// without this, and 8 ms with it.
        var known: UInt64 = 0
        var followers: UInt64 = 0
    }

    /// Takes one byte; answers whether a match ends with it.
    private func step(_ byte: UInt8, _ run: inout Run) -> Bool {
        if run.active != run.known {
            run.known = run.active
            run.followers = 0
            var rest = run.active
            while rest != 0 {
                run.followers |= followers[rest.trailingZeroBitCount]
                rest &= rest - 1
            }
        }
        // A match may begin everywhere.
        run.active = (first | run.followers) & takers[Int(byte)]
        return run.active & last != 0
    }

    /// Whether it is found in a text that stands alone.
    func isFound(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { isFound(in: $0, bytes.indices) }
    }
}

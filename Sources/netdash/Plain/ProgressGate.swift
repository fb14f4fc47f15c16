/// Decides which progress reports of one transfer are worth printing.
struct ProgressGate: Sendable {
    /// How often is often enough.
    enum Rule: Sendable {
        /// Every 10 seconds, or 10 % of the whole, whichever comes first.
        case lines
        /// Twice a second.
        case json
        /// At a quarter, a half and three quarters.
        case milestones
    }

    private let rule: Rule
    private var lastTime: Int64
    private var lastMoved: Int64 = 0
    private var lastTenth: Int64 = 0
    private var lastQuarter: Int64 = 0

    /// A gate of a transfer that starts at a moment, in milliseconds of the monotonic clock.
    init(rule: Rule, startedAt: Int64) {
        self.rule = rule
        lastTime = startedAt
    }

    /// Whether to print now; the gate remembers that it did.
    ///
    /// Nothing is printed when nothing moved, and lines leave the last byte to the line that says how it ended.
    mutating func admits(moved: Int64, of expected: Int64?, at time: Int64) -> Bool {
        guard moved != lastMoved else { return false }
        if rule != .json, moved == expected { return false }
        let tenth = expected.map { $0 > 0 ? moved * 10 / $0 : 0 } ?? 0
        let quarter = expected.map { $0 > 0 ? moved * 4 / $0 : 0 } ?? 0
        let isDue =
            switch rule {
            case .json: time - lastTime >= 500
            case .lines: time - lastTime >= 10_000 || (tenth > lastTenth && time - lastTime >= 500)
            case .milestones: quarter > lastQuarter
            }
        guard isDue else { return false }
        lastTime = time
        lastMoved = moved
        lastTenth = tenth
        lastQuarter = quarter
        return true
    }
}

import Dashboard

/// The result of one check.
struct Finding: Sendable, Equatable {
    /// How a finding affects transfers.
    enum Verdict: String, Sendable {
        case good = "ok"
        /// Transfers work less well than they could.
        case note = "warn"
        /// A part of the transfers does not work.
        case wrong = "ERROR"
    }

    var verdict = Verdict.good
    /// One word or two.
    var topic: SafeText
    var fact: SafeText
    /// What to do about it; empty where nothing is necessary.
    var advice: SafeText = .empty

    static func note(_ topic: SafeText, _ fact: SafeText, advice: SafeText) -> Finding {
        Finding(verdict: .note, topic: topic, fact: fact, advice: advice)
    }

    static func wrong(_ topic: SafeText, _ fact: SafeText, advice: SafeText) -> Finding {
        Finding(verdict: .wrong, topic: topic, fact: fact, advice: advice)
    }

    /// `ok     terminal      xterm-256color, 120 x 36`, and a second line with the advice.
    var lines: [SafeText] {
        let start = Self.padded(SafeText(untrusted: verdict.rawValue), 7) + Self.padded(topic, 14)
        let space = SafeText(untrusted: String(repeating: " ", count: 21))
        return [start + fact] + (advice.isEmpty ? [] : [space + advice])
    }

    /// The findings in a sentence.
    static func summary(_ findings: [Finding]) -> SafeText {
        let wrong = findings.count { $0.verdict == .wrong }
        let notes = findings.count { $0.verdict == .note }
        return [
            wrong == 0 ? DoctorFindings.noErrors : DoctorFindings.errors(wrong),
            notes == 0 ? .empty : DoctorFindings.warnings(notes),
        ].joined(by: ", ")
    }

    private static func padded(_ text: SafeText, _ width: Int) -> SafeText {
        text + SafeText(untrusted: String(repeating: " ", count: max(width - text.string.count, 1)))
    }
}

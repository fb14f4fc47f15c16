/// Commands of the program for a session, which only the default one needs no name for.
package enum SessionLines {
    /// The session that commands mean without a name.
    package static let defaultSession = "default"

    package static func command(_ word: SafeText, _ session: SafeText) -> SafeText {
        session.string == defaultSession ? "netdash \(word)" : "netdash \(word) --session \(session)"
    }

    /// The command that opens the dashboard.
    package static func dashboard(_ session: SafeText) -> SafeText {
        session.string == defaultSession ? "netdash" : "netdash --session \(session)"
    }
}

/// The reason why a job does not begin.
package struct TransferFault: Error, Equatable {
    package let text: String
    /// Whether the next attempt may succeed.
    package let isPassing: Bool

    init(_ text: String, isPassing: Bool = false) {
        self.text = text
        self.isPassing = isPassing
    }
}

/// The texts of faults of jobs at a worker, which are causes of dead letters.
package enum TransferFaults {
    package static let badSecrets =
        "--secrets: write env:NAME, file:PATH, file:FOLDER/ or cmd:/PROGRAM WORDS, with =HOST if one host alone gets it"
    package static func notAllowed(_ reference: String, host: String) -> String {
        "this worker may not use @\(reference) for \(host); start it with --secrets \(reference)"
    }
    package static func noVariable(_ name: String) -> String { "this worker has no variable \(name)" }
    package static func unreadable(_ path: String) -> String { "this worker cannot read \(path)" }
    package static func command(_ text: String, _ reason: String) -> String { "secret of @cmd:\(text): \(reason)" }
    package static let commandNotRun = "it has not run"
    package static let commandPrintedNothing = "it printed nothing"
    package static func commandTooLong(bytes: Int) -> String { "it printed more than \(bytes) bytes" }
    package static func commandTooSlow(seconds: Int) -> String { "it did not end within \(seconds) s" }
    package static func commandStatus(_ status: Int32) -> String { "it ended with status \(status)" }
    package static func commandSignal(_ signal: Int32) -> String { "signal \(signal) ended it" }
    package static func commandNotStarted(_ reason: String) -> String { "it could not be started: \(reason)" }
    package static let badCredentials = "auth: write NAME:PASSWORD into the secret"
    package static func otherFile(_ name: String) -> String {
        "destination exists with other content; saved as \(name)"
    }
    package static func status(_ code: Int) -> String { "status \(code)" }
}

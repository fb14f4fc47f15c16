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
    /// `isFirst` says that the worker was started without a list.
    package static func notAllowed(_ reference: String, host: String, isFirst: Bool) -> String {
        let fault = "this worker may not use @\(reference) for \(host)"
        guard !reference.contains(where: { ",='".contains($0) }) else {
            return "\(fault); --secrets cannot name a place with , = or ': give the secret another one"
        }
        guard !reference.hasPrefix("cmd:") || reference.hasPrefix("cmd:/") else {
            return "\(fault); --secrets takes commands with their folders: write @cmd:/FOLDER/PROGRAM"
        }
        let rule = "\(reference)=\(host)"
        return isFirst ? "\(fault); start it with --secrets '\(rule)'" : "\(fault); add ,\(rule) to its --secrets"
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
    package static let badBucket = "-d: write s3://BUCKET/PREFIX, with a bucket's name in small letters"
    package static let noKeys = "-d s3://…: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    package static let badEndpoint = "AWS_ENDPOINT_URL: write https://HOST or http://HOST:PORT"
    package static let otherObject = "the bucket has another object of this name"
    package static let storeAnswer = "the bucket's server answered in an unknown form"
    package static func store(_ reason: String) -> String { "bucket: \(reason)" }
    package static func storeStatus(_ status: Int, code: String?) -> String {
        code.map { "the bucket's server answered \(status) \($0)" } ?? "the bucket's server answered \(status)"
    }
    package static func unreadableSpool(_ reason: String) -> String { "spool: \(reason)" }
    package static func status(_ code: Int) -> String { "status \(code)" }
}

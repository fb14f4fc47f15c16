/// A mistake in what the user asked for, found before anything was started.
///
/// The message is one sentence: which argument, what is wrong with it, and what would be right. It holds the user's own
/// text, so it is made safe for a terminal before it is printed.
package struct UsageError: Error, Sendable, Equatable {
    package var message: String
    /// Whether the disk refuses, which no other word on the command line changes.
    package var isOfDisk = false

    package init(_ message: String) {
        self.message = message
    }

    /// An error of one argument: `--fps: "x" is not a number; write …`.
    package init(argument: String, _ problem: String) {
        message = "\(argument): \(problem)"
    }
}

/// What is wrong with the value of an option, in words that follow the option's name.
///
/// They never repeat what may be secret.
package struct OptionProblem: Error, Sendable, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// A mistake in the user's arguments, found before the run.
///
/// The message is one sentence: the argument, the error, and a right value. It contains the user's own text, so it is
/// sanitised before it is printed.
package struct UsageError: Error, Sendable, Equatable {
    package var message: String
    /// Whether the disk is the cause, which other arguments would not change.
    package var isOfDisk = false
    /// Whether a file that an option names cannot be used, where the option itself is right.
    package var isOfFile = false

    package init(_ message: String) {
        self.message = message
    }

    /// Whether an option is wrong, which then begins the message.
    package var isOfOption: Bool { message.hasPrefix("-") }

    /// The same error about a file that the option names.
    package var ofFile: UsageError {
        var error = self
        error.isOfFile = true
        return error
    }

    /// An error of one argument: `--fps: "x" is not a number; write …`.
    package init(argument: String, _ problem: String) {
        message = "\(argument): \(problem)"
    }
}

/// The problem with an option's value, as a phrase that follows the option's name.
///
/// It never repeats a possible secret.
package struct OptionProblem: Error, Sendable, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// A mistake in what the user asked for, found before anything was started.
///
/// The message is one sentence: which argument, what is wrong with it, and what would be right. It holds the user's own
/// text, so whoever prints it makes it safe for a terminal first.
package struct UsageError: Error, Sendable, Equatable {
    package var message: String

    package init(_ message: String) {
        self.message = message
    }

    /// An error of one argument: `--fps: "x" is not a number; write …`.
    package init(argument: String, _ problem: String) {
        message = "\(argument): \(problem)"
    }
}

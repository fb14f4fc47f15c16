/// Reports that the queue has not taken yet, in the order in which they are sent.
package struct Outbox: Equatable, Sendable {
    /// A host that is to be held.
    package struct Hold: Equatable, Sendable {
        package let host: String
        package let seconds: Double?
        package let cause: JobCause
    }

    package var holds: [Hold] = []
    package var completions: [Completion] = []
    package var failures: [Failure] = []
    package var handBacks: [HandBack] = []
    /// Lines about the jobs above.
    package var notes: [String] = []

    package init(
        holds: [Hold] = [], failures: [Failure] = [], handBacks: [HandBack] = [], notes: [String] = []
    ) {
        self.holds = holds
        self.failures = failures
        self.handBacks = handBacks
        self.notes = notes
    }

    package var isEmpty: Bool {
        holds.isEmpty && completions.isEmpty && failures.isEmpty && handBacks.isEmpty
    }
}

/// What the caller decides before a transfer goes on.
enum CallerQuestion: Sendable, Hashable {
    /// What becomes of a response.
    case disposition
    /// Which credentials a server is shown.
    case credentials
    /// Whether a redirect is followed.
    case redirect
    /// Whether a server is believed, to which nothing was sent yet.
    case trust
    /// What is sent in place of a body that cannot be read again.
    case body

    /// Whether the question is about a response, which is held until the answer, its end included.
    var holdsResponse: Bool {
        switch self {
        case .disposition, .credentials: true
        case .redirect, .trust, .body: false
        }
    }
}

/// The question of a transfer that has no answer yet: a value, and a part of the state machine's.
///
/// Questions are numbered, so that an answer to an earlier one is not taken for this one's.
struct UnansweredQuestion: Sendable, Hashable {
    /// The question; it may have to wait for a slot before it is asked.
    private(set) var question: CallerQuestion?
    private var count = 0

    /// A question comes up that is asked with the next slot.
    mutating func comeUp(_ question: CallerQuestion) { _ = ask(question) }

    /// The caller is asked; the number identifies the answer.
    mutating func ask(_ question: CallerQuestion) -> Int {
        self.question = question
        count += 1
        return count
    }

    /// Whether an answer of this number is the one that is waited for.
    func isLatest(_ number: Int) -> Bool { question != nil && number == count }

    /// Withdraws the question; returns it if it had no answer.
    @discardableResult
    mutating func close() -> CallerQuestion? {
        defer { question = nil }
        return question
    }

    /// The response that a question was about is gone.
    mutating func closeIfResponseIsHeld() {
        if question?.holdsResponse == true { question = nil }
    }
}

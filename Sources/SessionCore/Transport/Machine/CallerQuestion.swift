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
    /// Which credentials a proxy is shown that has made no tunnel.
    case proxy
    /// What is sent in place of a body that cannot be read again.
    case body

    /// Whether the question is about a response, which is held until the answer, its end included.
    var holdsResponse: Bool {
        switch self {
        case .disposition, .credentials: true
        case .redirect, .trust, .proxy, .body: false
        }
    }
}

/// The question of a transfer that has no answer yet: a value, and a part of the state machine's.
///
/// Questions are numbered, so that an answer to an earlier one is not taken for this one's. The numbers are the loop's:
/// a transfer may have had the identifier of this one before, and answers to its questions may still come.
struct UnansweredQuestion: Sendable, Hashable {
    /// The question; it may have to wait for a slot before it is asked.
    private(set) var question: CallerQuestion?
    /// What identifies its answer; nil until somebody is asked.
    private(set) var number: Int?

    /// A question comes up that is asked with the next slot.
    mutating func comeUp(_ question: CallerQuestion) { (self.question, number) = (question, nil) }

    /// The caller is asked; the number identifies the answer.
    mutating func ask(_ question: CallerQuestion, number: Int) { (self.question, self.number) = (question, number) }

    /// Withdraws the question; returns it if it had no answer.
    @discardableResult
    mutating func close() -> CallerQuestion? {
        defer { (question, number) = (nil, nil) }
        return question
    }

    /// The response that a question was about is gone.
    mutating func closeIfResponseIsHeld() {
        if question?.holdsResponse == true { close() }
    }
}

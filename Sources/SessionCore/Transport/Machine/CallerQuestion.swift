/// A question that the caller answers before a transfer continues, with what it is about.
///
/// Large cases are indirect, because nearly all transfers ask nothing.
enum CallerQuestion: Sendable, Hashable {
    /// What to do with a response.
    case disposition
    /// Which credentials to send to a server.
    case credentials
    /// Whether to follow a redirect.
    indirect case redirect(UndecidedRedirect)
    /// Whether to trust a server that was sent nothing yet.
    indirect case trust(TrustReview.Question)
    /// Which credentials to send to a proxy that refused a tunnel.
    indirect case proxy(CredentialQuestion)
    /// Which body to send instead of one that cannot be read again.
    case body

    /// Whether the question is about a response, which is withheld with its end until the answer.
    var holdsResponse: Bool {
        switch self {
        case .disposition, .credentials, .redirect: true
        case .trust, .proxy, .body: false
        }
    }

    /// Hashes the kind alone, of which a transfer has one at a time.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .disposition: hasher.combine(0)
        case .credentials: hasher.combine(1)
        case .redirect: hasher.combine(2)
        case .trust: hasher.combine(3)
        case .proxy: hasher.combine(4)
        case .body: hasher.combine(5)
        }
    }
}

/// The open question of a transfer, a part of the state machine.
///
/// Questions are numbered, so that an answer to an earlier question is not taken for an answer to the present one. The
/// loop assigns the numbers: an earlier transfer may have had the same identifier, and answers to its questions may
/// still arrive.
struct UnansweredQuestion: Sendable, Hashable {
    /// The question; it may have to wait for a slot before it is asked.
    private(set) var question: CallerQuestion?
    /// The number of its answer; nil until the caller is asked.
    private(set) var number: Int?

    /// Sets a question that is asked with the next slot.
    mutating func comeUp(_ question: CallerQuestion) { (self.question, number) = (question, nil) }

    /// Records that the caller is asked; the number identifies the answer.
    mutating func ask(_ question: CallerQuestion, number: Int) { (self.question, self.number) = (question, number) }

    /// Withdraws the question, and returns it if it was open.
    @discardableResult
    mutating func close() -> CallerQuestion? {
        defer { (question, number) = (nil, nil) }
        return question
    }

    /// Closes a question about a response that is gone.
    mutating func closeIfResponseIsPending() {
        if question?.holdsResponse == true { close() }
    }
}

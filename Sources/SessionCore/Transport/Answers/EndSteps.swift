/// The facts about an attempt that libcurl has finished.
protocol EndFacts: AnyObject {
    /// Whether libcurl reports no failure.
    var isOrderly: Bool { get }
    /// The error noticed inside a callback.
    var failure: SessionError? { get }
    /// The question that is open about the server's chain.
    var trustQuestion: TrustReview.Question? { get }
    /// The verdict on its response.
    var verdict: AttemptVerdict { get }
    /// Whether a TLS connection ended a body without a length and without a close_notify.
    var isCutOff: Bool { get }
    /// Whether the body ended before its content coding did.
    var isCutInCoding: Bool { get }
    /// The error of an accepted response with an error status; nil for any other.
    var refusal: SessionError? { get }
    /// Whether a head had begun.
    var hasBegun: Bool { get }
    /// The next step after a proxy refused to connect to the server; nil if it did not.
    var proxyRefusal: NextStep? { get }
    /// The next step after a server did not answer the question about resumable uploads; nil for any other request.
    var stepAfterSilence: NextStep? { get }
    /// The server's name for messages.
    var hostName: String { get }
    var url: String { get }
}

/// The meaning of an attempt's end.
enum EndVerdict: Sendable, Equatable {
    /// The response is over, and the handler decides what follows.
    case bodyEnded
    /// The attempt failed with the error that libcurl reports.
    case failed
    indirect case next(NextStep)
}

/// One judgement of an attempt's end; nil if it does not apply.
typealias EndStep = @Sendable (any EndFacts) -> EndVerdict?

/// The steps that the end of every lead goes through, in order.
enum EndSteps {
    static let all: [EndStep] = [
        ownFailure, trust, decided, unanswered, refused, interrupted, cutOff, cutInCoding,
    ]

    static func verdict(on facts: any EndFacts) -> EndVerdict {
        for step in all {
            if let verdict = step(facts) { return verdict }
        }
        return .bodyEnded
    }

    /// Prefers the error noticed inside a callback to libcurl's result.
    static let ownFailure: EndStep = { facts in
        guard var error = facts.failure else { return nil }
        error.failingURL = error.failingURL ?? facts.url
        return .next(.fail(error))
    }

    static let trust: EndStep = { facts in facts.trustQuestion.map { .next(.askForTrust($0)) } }

    /// Follows the decision made at the head.
    static let decided: EndStep = { facts in
        switch facts.verdict {
        case .decided(.complete): .bodyEnded
        case .decided(let next): .next(next)
        case .accepted, .pending: nil
        }
    }

    /// Judges an attempt without a head.
    static let unanswered: EndStep = { facts in
        guard facts.verdict == .pending else { return nil }
        if let refusal = facts.proxyRefusal { return .next(refusal) }
        guard facts.isOrderly else { return facts.stepAfterSilence.map { .next($0) } ?? .failed }
        let error = SessionError(
            .connectionLost, silence(of: facts.hostName, hasBegun: facts.hasBegun), failingURL: facts.url)
        return .next(.retry(error, afterMilliseconds: nil))
    }

    /// Accepts an error status even if its body is cut off: no request is repeated for the rest of an error page.
    static let refused: EndStep = { facts in
        guard facts.verdict == .accepted, !facts.isOrderly || facts.isCutOff || facts.isCutInCoding else { return nil }
        return facts.refusal.map { .next(.fail($0)) }
    }

    static let interrupted: EndStep = { facts in facts.isOrderly ? nil : .failed }

    static let cutOff: EndStep = { facts in
        guard facts.isCutOff else { return nil }
        let sentence = TransportErrors.tlsCutOff(facts.hostName)
        return .next(.retry(SessionError(.truncated, sentence, failingURL: facts.url), afterMilliseconds: nil))
    }

    static let cutInCoding: EndStep = { facts in
        guard facts.isCutInCoding else { return nil }
        let sentence = TransportErrors.codingCutOff(facts.hostName)
        return .next(.retry(SessionError(.truncated, sentence, failingURL: facts.url), afterMilliseconds: nil))
    }

    /// Returns the message for a server that closed the connection before its head was complete.
    static func silence(of hostName: String, hasBegun: Bool) -> String {
        hasBegun ? TransportErrors.cutReply(hostName) : TransportErrors.emptyReply(hostName)
    }
}

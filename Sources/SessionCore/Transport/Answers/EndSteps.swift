/// The facts about an attempt that libcurl has finished.
protocol EndState: AnyObject {
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
    /// Whether a challenge of NTLM that libcurl cannot read was the only response.
    var isLeftAtChallenge: Bool { get }
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
typealias EndStep = @Sendable (any EndState) -> EndVerdict?

/// The steps that the end of every lead goes through, in order.
enum EndSteps {
    static let all: [EndStep] = [
        ownFailure, trust, decided, unanswered, refused, interrupted, cutOff, cutInCoding,
    ]

    static func verdict(on state: any EndState) -> EndVerdict {
        for step in all {
            if let verdict = step(state) { return verdict }
        }
        return .bodyEnded
    }

    /// Prefers the error noticed inside a callback to libcurl's result.
    static let ownFailure: EndStep = { state in
        guard var error = state.failure else { return nil }
        error.failingURL = error.failingURL ?? state.url
        return .next(.fail(error))
    }

    static let trust: EndStep = { state in state.trustQuestion.map { .next(.askForTrust($0)) } }

    /// Follows the decision made at the head.
    static let decided: EndStep = { state in
        switch state.verdict {
        case .decided(.complete): .bodyEnded
        case .decided(let next): .next(next)
        case .accepted, .pending: nil
        }
    }

    /// Judges an attempt without a head.
    static let unanswered: EndStep = { state in
        guard state.verdict == .pending else { return nil }
        if let refusal = state.proxyRefusal { return .next(refusal) }
        guard state.isOrderly else { return state.stepAfterSilence.map { .next($0) } ?? .failed }
        guard !state.isLeftAtChallenge else {
            let sentence = ResponseErrors.unreadableChallenge(state.hostName)
            let error = SessionError(.authenticationRequired, sentence, failingURL: state.url, statusCode: 401)
            return .next(.fail(error))
        }
        let error = SessionError(
            .connectionLost, silence(of: state.hostName, hasBegun: state.hasBegun), failingURL: state.url)
        return .next(.retry(error, afterMilliseconds: nil))
    }

    /// Accepts an error status even if its body is cut off: no request is repeated for the rest of an error page.
    static let refused: EndStep = { state in
        guard state.verdict == .accepted, !state.isOrderly || state.isCutOff || state.isCutInCoding else { return nil }
        return state.refusal.map { .next(.fail($0)) }
    }

    static let interrupted: EndStep = { state in state.isOrderly ? nil : .failed }

    static let cutOff: EndStep = { state in
        guard state.isCutOff else { return nil }
        let sentence = TransportErrors.tlsCutOff(state.hostName)
        return .next(.retry(SessionError(.truncated, sentence, failingURL: state.url), afterMilliseconds: nil))
    }

    static let cutInCoding: EndStep = { state in
        guard state.isCutInCoding else { return nil }
        let sentence = TransportErrors.codingCutOff(state.hostName)
        return .next(.retry(SessionError(.truncated, sentence, failingURL: state.url), afterMilliseconds: nil))
    }

    /// Returns the message for a server that closed the connection before its head was complete.
    static func silence(of hostName: String, hasBegun: Bool) -> String {
        hasBegun ? TransportErrors.cutReply(hostName) : TransportErrors.emptyReply(hostName)
    }
}

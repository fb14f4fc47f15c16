/// What is known of an attempt that libcurl is done with.
protocol EndFacts: AnyObject {
    /// Whether libcurl reports no failure.
    var isOrderly: Bool { get }
    /// The error that was noticed inside a callback.
    var failure: SessionError? { get }
    /// What has to be decided about the server's chain.
    var trustQuestion: TrustReview.Question? { get }
    /// What its answer was judged to be.
    var verdict: AttemptVerdict { get }
    /// Whether a secure connection has ended a body without a length and has not said that it is whole.
    var isCutOff: Bool { get }
    /// Whether the body has ended before its coding did.
    var isCutInCoding: Bool { get }
    /// What the status of an accepted answer says where that is an error's; nil for any other.
    var refusal: SessionError? { get }
    /// Whether a head had begun.
    var hasBegun: Bool { get }
    /// What follows a proxy's refusal to connect to the server; nil where there was none.
    var proxyRefusal: NextStep? { get }
    /// What follows where the question how an upload goes on has no answer; nil for any other request.
    var stepAfterSilence: NextStep? { get }
    /// The server's name for sentences.
    var hostName: String { get }
    var url: String { get }
}

/// What the end of an attempt means.
enum EndVerdict: Sendable, Equatable {
    /// The handler has all that its answer brings, and says what follows.
    case bodyEnded
    /// What libcurl reports is what the attempt has failed with.
    case failed
    indirect case next(NextStep)
}

/// One judgement of an attempt's end; nil where it has nothing to say.
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

    /// What was noticed inside a callback explains libcurl's own result.
    static let ownFailure: EndStep = { facts in
        guard var error = facts.failure else { return nil }
        error.failingURL = error.failingURL ?? facts.url
        return .next(.fail(error))
    }

    static let trust: EndStep = { facts in facts.trustQuestion.map { .next(.askForTrust($0)) } }

    /// The head has decided what follows.
    static let decided: EndStep = { facts in
        switch facts.verdict {
        case .decided(.complete): .bodyEnded
        case .decided(let next): .next(next)
        case .accepted, .pending: nil
        }
    }

    /// No head has come.
    static let unanswered: EndStep = { facts in
        guard facts.verdict == .pending else { return nil }
        if let refusal = facts.proxyRefusal { return .next(refusal) }
        guard facts.isOrderly else { return facts.stepAfterSilence.map { .next($0) } ?? .failed }
        let error = SessionError(
            .connectionLost, silence(of: facts.hostName, hasBegun: facts.hasBegun), failingURL: facts.url)
        return .next(.retry(error, afterMilliseconds: nil))
    }

    /// A status is an answer, also where the page that explains it is cut: nothing is sent again for the rest of a page.
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

    /// What is said of a server that ended the connection before its head was whole.
    static func silence(of hostName: String, hasBegun: Bool) -> String {
        hasBegun ? TransportErrors.cutReply(hostName) : TransportErrors.emptyReply(hostName)
    }
}

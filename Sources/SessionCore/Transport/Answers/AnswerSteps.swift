/// One judgement of a response: a pure function of its head, its attempt's role and the facts; nil if it does not
/// apply.
typealias AnswerStep = @Sendable (ResponseHead, AttemptRole, any AnswerFacts) -> AnswerVerdict?

/// The steps that every response goes through, in order; the first one that applies decides.
///
/// A new judgement is one more step here, and a table of its own in the tests.
enum AnswerSteps {
    /// Whether another request has to be sent first; before that, whether the end of the response is known.
    static let questions: [AnswerStep] = [lengths, expectation, confirmation, redirect, proxyChallenge, challenge]
    /// Whether the response's body is not used.
    static let refusals: [AnswerStep] = [uploadStep, later, size]
    /// The kind of body.
    static let bodies: [AnswerStep] = [copy, promise, firstBlock, foreignRest, file, rest, full]
    /// The responses to branches and probes.
    static let further: [AnswerStep] = [lengths, redirect, challenge, range, block]

    /// Returns the verdict on an attempt's response.
    static func verdict(on head: ResponseHead, _ role: AttemptRole, _ facts: any AnswerFacts) -> AnswerVerdict {
        guard role == .lead else { return first(of: further, head, role, facts) ?? .range(.contradicts) }
        return first(of: questions, head, role, facts) ?? answer(head, facts)
    }

    /// Returns the verdict on the lead's response after all questions.
    static func answer(_ head: ResponseHead, _ facts: any AnswerFacts) -> AnswerVerdict {
        let found = first(of: refusals, head, .lead, facts) ?? body(head, facts)
        let verdict = foreign(found, facts) ?? found
        return headAlone(verdict, head, facts) ?? verdict
    }

    /// Returns the verdict on the body of a response that the caller has already seen.
    static func body(_ head: ResponseHead, _ facts: any AnswerFacts) -> AnswerVerdict {
        first(of: bodies, head, .lead, facts) ?? .body(.full)
    }

    private static func first(
        of steps: [AnswerStep], _ head: ResponseHead, _ role: AttemptRole, _ facts: any AnswerFacts
    ) -> AnswerVerdict? {
        for step in steps {
            if let verdict = step(head, role, facts) { return verdict }
        }
        return nil
    }

    // MARK: - Changes of a verdict

    /// Reads nothing after the head of a 417 to `Expect`: libcurl would send the body by itself, and the response to
    /// that would be taken for the end of this one.
    static func headAlone(
        _ verdict: AnswerVerdict, _ head: ResponseHead, _ facts: any AnswerFacts
    ) -> AnswerVerdict? {
        head.statusCode == 417 && facts.asksForContinue ? .headAlone(verdict) : nil
    }

    /// Repeats the request on a new connection if the response is not the expected file and came on a reused
    /// connection, because it may belong to another request; the new response is believed.
    static func foreign(_ verdict: AnswerVerdict, _ facts: any AnswerFacts) -> AnswerVerdict? {
        switch verdict {
        case .body(.file(.failure(let error))), .body(.foreign(.failure(let error))), .body(.contradicts(let error)):
            error.code == .unexpectedContent && facts.mayBeForeign ? .useNewConnection : nil
        default: nil
        }
    }
}

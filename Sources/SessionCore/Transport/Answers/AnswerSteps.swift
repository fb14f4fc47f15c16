/// One judgement of an answer: a pure function of its head, what it was asked for, and what is known; nil where it has
/// nothing to say.
typealias AnswerStep = @Sendable (ResponseHead, AttemptRole, any AnswerFacts) -> AnswerVerdict?

/// The steps that every answer goes through, in order; the first one that has something to say decides.
///
/// A new judgement is one more step here, and a table of its own in the tests.
enum AnswerSteps {
    /// Whether something else is to be sent before there is an answer.
    static let questions: [AnswerStep] = [expectation, redirect, proxyChallenge, challenge]
    /// Whether an answer is none that the body is taken from.
    static let refusals: [AnswerStep] = [uploadStep, later, size]
    /// What the body is.
    static let bodies: [AnswerStep] = [copy, promise, firstBlock, foreignRest, file, rest, whole]
    /// What an answer beside the lead's is.
    static let further: [AnswerStep] = [redirect, challenge, range, block]

    /// What the answer to an attempt means.
    static func verdict(on head: ResponseHead, _ role: AttemptRole, _ facts: any AnswerFacts) -> AnswerVerdict {
        guard role == .lead else { return first(of: further, head, role, facts) ?? .range(.contradicts) }
        return first(of: questions, head, role, facts) ?? answer(head, facts)
    }

    /// What the answer to the lead means that is not asked about any more.
    static func answer(_ head: ResponseHead, _ facts: any AnswerFacts) -> AnswerVerdict {
        let found = first(of: refusals, head, .lead, facts) ?? body(head, facts)
        let verdict = foreign(found, facts) ?? found
        return headAlone(verdict, head, facts) ?? verdict
    }

    /// What the body of an answer is that the caller has seen.
    static func body(_ head: ResponseHead, _ facts: any AnswerFacts) -> AnswerVerdict {
        first(of: bodies, head, .lead, facts) ?? .body(.whole)
    }

    private static func first(
        of steps: [AnswerStep], _ head: ResponseHead, _ role: AttemptRole, _ facts: any AnswerFacts
    ) -> AnswerVerdict? {
        for step in steps {
            if let verdict = step(head, role, facts) { return verdict }
        }
        return nil
    }

    // MARK: - What a verdict becomes

    /// Of a server that does not understand the question whether it wants the body nothing after the head is read: libcurl
    /// would send the body by itself, and its answer would be taken for the end of this one.
    static func headAlone(
        _ verdict: AnswerVerdict, _ head: ResponseHead, _ facts: any AnswerFacts
    ) -> AnswerVerdict? {
        head.statusCode == 417 && facts.asksForContinue ? .headAlone(verdict) : nil
    }

    /// What is not the file may be the answer to another request, because it came on a connection that was used before; the
    /// request follows again on a new one, whose answer is believed.
    static func foreign(_ verdict: AnswerVerdict, _ facts: any AnswerFacts) -> AnswerVerdict? {
        switch verdict {
        case .body(.file(.failure(let error))), .body(.foreign(.failure(let error))), .body(.contradicts(let error)):
            error.code == .unexpectedContent && facts.mayBeForeign ? .useNewConnection : nil
        default: nil
        }
    }
}

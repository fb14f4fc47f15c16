/// What is expected of the response to a request.
package struct AnswerTerms: Sendable, Equatable {
    /// The conditions that a response has to meet.
    package var assertions: [Condition] = []

    package init() {}

    private var conditions: [Condition] { assertions }

    /// Whether a condition reads the body.
    package var readsBody: Bool { conditions.contains(where: \.readsBody) }

    /// Whether the body has to be JSON.
    package var readsJSON: Bool { conditions.contains(where: \.readsJSON) }

    /// Whether a condition decides which status is a failure.
    package var judgesStatus: Bool { conditions.contains(where: \.judgesStatus) }

    /// What becomes of a request with this response.
    package func verdict(on answer: Answer) -> AnswerVerdict {
        for condition in assertions {
            if let failure = condition.failure(in: answer) { return .fails(failure) }
        }
        return .done
    }
}

/// What becomes of a request after a response.
package enum AnswerVerdict: Sendable, Equatable {
    case done
    /// It fails with this sentence.
    case fails(String)
}

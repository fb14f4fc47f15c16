import SessionSupport

/// What is expected of the response to a request, and what follows it.
package struct AnswerTerms: Sendable, Equatable {
    /// The conditions that a response has to meet.
    package var assertions: [Condition] = []
    /// The conditions until which the request is repeated; by default a status of success.
    package var until: [Condition] = []
    /// The seconds between two requests; nil unless chosen.
    package var pollInterval: Double?
    /// The seconds after which no further request is sent; nil unless chosen.
    package var pollLimit: Double?
    /// The path to the URLs in the response that are downloaded.
    package var downloads: JSONPath?

    /// Where the next page is named; nil for a single response.
    package var pages: PageSource?
    /// The most pages; nil unless chosen.
    package var maximumPages: Int?

    package init() {}

    /// The most pages.
    package var pageLimit: Int { maximumPages ?? 1000 }

    private var readsPath: Bool {
        if case .path = pages { true } else { downloads != nil }
    }

    private var conditions: [Condition] { assertions + until }

    /// Whether the request is repeated until a condition holds; only the body of the last response is then written.
    package var isPoll: Bool { !until.isEmpty || pollInterval != nil || pollLimit != nil }

    /// The seconds between two requests of a poll.
    package var pollPause: Double { pollInterval ?? 2 }

    /// Whether the body is read.
    package var readsBody: Bool { readsPath || conditions.contains(where: \.readsBody) }

    /// Whether the body has to be JSON.
    package var readsJSON: Bool { readsPath || conditions.contains(where: \.readsJSON) }

    /// Whether a condition decides which status is a failure.
    package var judgesStatus: Bool { isPoll || conditions.contains(where: \.judgesStatus) }

    /// What becomes of a request with this response, `seconds` after the first one was sent.
    package func verdict(on answer: Answer, after seconds: Double = 0) -> AnswerVerdict {
        let limit = pollLimit ?? Self.usualLimit
        for condition in isPoll && until.isEmpty ? [.success] : until {
            guard let found = condition.finding(in: answer) else { continue }
            guard seconds + pollPause <= limit else {
                return .fails(ConditionErrors.waited(condition.shownText, found, Self.shown(limit)))
            }
            return .asksAgain(ConditionErrors.failed(condition.shownText, found))
        }
        for condition in assertions {
            if let failure = condition.failure(in: answer) { return .fails(failure) }
        }
        return .done
    }

    /// The seconds after which a poll gives up.
    private static let usualLimit = 600.0

    private static func shown(_ seconds: Double) -> String {
        (seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)) + " s"
    }
}

/// What becomes of a request after a response.
package enum AnswerVerdict: Sendable, Equatable {
    case done
    /// It fails with this sentence.
    case fails(String)
    /// It is sent again, for this reason.
    case asksAgain(String)
}

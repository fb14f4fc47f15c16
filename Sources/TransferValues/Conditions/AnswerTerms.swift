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
    /// The query for the URLs in the response that are downloaded.
    package var downloads: JSONQuery?

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

    /// The programs of all queries, each once.
    package var programs: [JSONProgram] {
        var queries = conditions.compactMap(\.query) + [downloads].compactMap(\.self)
        if case .path(let query) = pages { queries.append(query) }
        return queries.compactMap(\.program).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

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

    /// The statuses that the conditions expect of the response, which are no reason to repeat the request.
    package var expectedStatuses: [ClosedRange<Int>] {
        let conditions = assertions.filter(\.judgesStatus)
        guard !conditions.isEmpty else { return [] }
        let met = (100...599).filter { status in
            let answer = Answer(status: status, headers: HeaderFields(), body: nil, seconds: 0, readsJSON: false)
            return conditions.allSatisfy { $0.finding(in: answer) == nil }
        }
        return met.reduce(into: []) { ranges, status in
            if let last = ranges.last, last.upperBound + 1 == status {
                ranges[ranges.count - 1] = last.lowerBound...status
            } else {
                ranges.append(status...status)
            }
        }
    }

    /// The conditions until which a poll repeats the request.
    private var goals: [Condition] { isPoll && until.isEmpty ? [.success] : until }

    /// What becomes of a request with this response, `seconds` after the first one was sent.
    package func verdict(on answer: Answer, after seconds: Double = 0) -> AnswerVerdict {
        for condition in goals {
            guard let found = condition.finding(in: answer) else { continue }
            guard let pause = pause(after: seconds, took: answer.seconds) else {
                return .fails(ConditionErrors.waited(condition.shownText, found, shownLimit))
            }
            return .asksAgain(ConditionErrors.failed(condition.shownText, found), pause: pause)
        }
        for condition in assertions {
            if let failure = condition.failure(in: answer) { return .fails(failure) }
        }
        return .done
    }

    /// What becomes of a poll whose request got no response, for this reason.
    package func verdict(withoutAnswer reason: String, after seconds: Double, took: Double) -> AnswerVerdict {
        guard let pause = pause(after: seconds, took: took) else { return .fails(unanswered(reason)) }
        return .asksAgain(reason, pause: pause)
    }

    /// The sentence of a poll that has ended without a response, or for the reason of the latest request.
    package func unanswered(_ reason: String?) -> String {
        let condition = goals.first?.shownText ?? ""
        return reason.map { ConditionErrors.ended(condition, shownLimit, $0) }
            ?? ConditionErrors.waited(condition, ConditionErrors.noResponse, shownLimit)
    }

    // MARK: - Time

    /// The seconds after which a poll gives up.
    package var pollEnd: Double { pollLimit ?? 600 }

    /// The seconds until the next request of a poll; nil where its response would come too late.
    ///
    /// The last request is sent as late as a response like the one before allows.
    private func pause(after seconds: Double, took: Double) -> Double? {
        let rest = pollEnd - min(max(0.25, 2 * took), pollEnd / 4) - seconds
        return rest > 0 ? min(pollPause, rest) : nil
    }

    private var shownLimit: String {
        (pollEnd == pollEnd.rounded() ? String(Int(pollEnd)) : String(pollEnd)) + " s"
    }
}

/// The consequence of a response for its request.
package enum AnswerVerdict: Sendable, Equatable {
    case done
    /// It fails with this sentence.
    case fails(String)
    /// It is sent again after a pause in seconds, for this reason.
    case asksAgain(String, pause: Double)
}

/// Going on with a body that is passed on: what was delivered cannot be taken back, so the rest is asked for, and taken
/// only where the server proves that it is the rest of the same bytes.
///
/// A value; ``BodyCollector`` asks it what to send and what an answer means.
struct StreamContinuation {
    /// What is to be done with an answer.
    enum Step: Equatable {
        /// The whole body comes, from its beginning.
        case whole
        /// The rest comes: at most so many bytes, after which the body has a length.
        case rest(limit: Int64, total: Int64)
        /// Nothing is missing.
        case complete
        /// Another request follows at once.
        case again
        case retry(SessionError, afterMilliseconds: Int64?)
        case fail(SessionError)
    }

    private var answer: FreshAnswer?
    private var history = ResumeHistory()

    /// Whether the rest behind so many delivered bytes may be asked for.
    func mayGoOn(behind offset: Int64) -> Bool {
        guard let answer, offset > 0 else { return false }
        return ResumePolicy.mayResume(answer, partSize: offset).isGiven
    }

    /// What is known of that.
    func resumability(behind offset: Int64) -> Resumability {
        guard let answer, offset > 0 else { return .no }
        return ResumePolicy.resumability(answer, partSize: offset, hasSeenPart: false)
    }

    /// Why it may not; nil where it may, and before the first answer.
    func refusal(behind offset: Int64) -> String? {
        guard let answer, offset > 0, case .no(let reason) = ResumePolicy.mayResume(answer, partSize: offset) else {
            return nil
        }
        return reason
    }

    /// Whether a rest has to be looked at before it is passed on, because no strong tag vouches for it.
    var isDoubted: Bool { answer.map { $0.tag == nil } ?? true }

    /// What proves further answers; nil before the first one, and where nothing does.
    var facts: StoredFacts? { answer.map { StoredFacts($0) } }
    /// Whether ranges are asked for with `If-Match`, because the server ignores them beside `If-Range`.
    var asksByIfMatch: Bool { history.usedIfMatch && answer?.tag != nil }

    /// The fields that ask for the rest; none where the whole is asked for.
    ///
    /// - Parameter end: where what is here already begins again; nil for all that follows.
    func fields(behind offset: Int64, before end: Int64? = nil) -> HeaderFields {
        var fields = HeaderFields()
        guard let answer, mayGoOn(behind: offset),
            let (range, ifRange) = ResumePolicy.rangeRequest(StoredFacts(answer), offset: offset, end: end),
            let validator = ifRange
        else { return fields }
        fields.append(name: "Range", value: range)
        let usesIfMatch = history.usedIfMatch && answer.tag != nil
        fields.append(name: usesIfMatch ? "If-Match" : "If-Range", value: validator)
        return fields
    }

    /// Remembers the answer that begins the body, where its rest could be asked for.
    mutating func begin(_ head: ResponseHead, request: TransferRequest) {
        answer = nil
        guard head.statusCode == 200, ResumePolicy.mayAdopt(request),
            let length = try? BodyLength(head, method: request.method)
        else { return }
        answer = FreshAnswer(request: request, head: head, length: length)
    }

    /// Decides about the answer to a request for the rest.
    mutating func judge(_ head: ResponseHead, request: TransferRequest, offset: Int64, now: Int64) -> Step {
        guard let answer, mayGoOn(behind: offset) else { return .whole }
        let facts = StoredFacts(answer)
        guard head.statusCode != 206 || facts.isSource(head.url) else {
            // Nothing of it is here any more to be compared. The next try may lead to the first one again.
            var error = Self.lost("Another server than the first one has the rest", head)
            error.code = .connectionLost
            return .retry(error, afterMilliseconds: nil)
        }
        let action = ResumePolicy.judge(
            head, request: request, facts: facts, offset: offset, history: history, now: now)
        switch action {
        case .append(let plan):
            guard plan.overlap == 0 else {
                return .fail(Self.lost("The server sent bytes that were written already", head))
            }
            return .rest(limit: plan.limit, total: plan.total)
        case .finishWithoutBody: return .complete
        case .retryWithIfMatch:
            history.usedIfMatch = true
            return .again
        case .retryWithOverlap:
            return .fail(Self.lost("The server did not say how much it sends, so nothing proves it", head))
        case .waitAndRetry(let delay, let error): return .retry(error, afterMilliseconds: delay)
        case .failure(let error): return .fail(error)
        case .restart(let reason), .newGeneration(_, _, let reason): return .fail(Self.lost(reason, head))
        case .fresh: return .fail(Self.lost("The server has sent all of the body again", head))
        }
    }

    private static func lost(_ reason: String, _ head: ResponseHead) -> SessionError {
        ResumePolicy.error(
            .resourceChanged, "\(reason), and what was passed on before the connection was lost cannot be taken back",
            head)
    }
}

/// Takes the rest of a body, and no byte more.
final class LimitedSink: BodySink {
    private let end: StreamSink
    private var allowance: Int64
    /// Whether no strong tag vouches for it.
    private let isDoubted: Bool
    private var isFirst = true

    init(_ end: StreamSink, limit: Int64, isDoubted: Bool) {
        self.end = end
        allowance = limit
        self.isDoubted = isDoubted
    }

    /// What an answer is that names a range and begins with the first byte.
    static let beganAtZero = SessionError(
        .badResponse,
        "The server named the rest of the body and sent it from its first byte, and what was passed on cannot be taken back"
    )

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        if isFirst, end.areFalse(chunk, isDoubted: isDoubted) { return .failed(Self.beganAtZero) }
        isFirst = false
        guard Int64(chunk.count) > allowance else {
            let result = end.receive(chunk)
            if result == .received { allowance -= Int64(chunk.count) }
            return result
        }
        // What is too much belongs to nothing that was asked for.
        return .failed(SessionError(.badResponse, "The server sent more than the rest that was asked for"))
    }
}

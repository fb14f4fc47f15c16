/// Going on with a body that is passed on: what was delivered cannot be taken back, so the rest is asked for, and taken
/// only where the server proves that it is the rest of the same bytes.
///
/// A value: what to send, and what an answer means.
struct StreamContinuation: Sendable {
    /// What is to be done with an answer.
    enum Step: Sendable, Equatable {
        /// The whole body comes, from its beginning.
        case whole
        /// The rest comes: at most so many bytes, after which the body has a length, and before them some that were passed on
        /// already.
        case rest(limit: Int64, total: Int64, overlap: Int64)
        /// Nothing is missing.
        case complete
        /// Another request follows at once, which asks by If-Match.
        case again
        /// The same request follows: the answer is no range, but does not say that the body is another.
        case odd
        case retry(SessionError, afterMilliseconds: Int64?)
        case fail(SessionError)
    }

    private var answer: FreshAnswer?
    private var history = ResumeHistory(
        comparison: .withoutTag, overlap: RangeOverlap.short, patience: ResumeHistory.oddAnswerLimit)

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
    /// Whether every range has to repeat the end of what was passed on.
    var comparesAlways: Bool { history.comparison == .always }

    /// Ranges are asked for with `If-Match` from now on.
    mutating func askByIfMatch() { history.usedIfMatch = true }

    /// An answer was no range; those in a row are counted.
    mutating func heardOddAnswer() { history.oddAnswers += 1 }

    /// A range has ended before the body, and has brought so many bytes; false where asking for more of them leads nowhere.
    mutating func rangeEnded(bringing gain: Int64) -> Bool { history.rangeEnded(bringing: gain) }

    /// A range has come.
    mutating func heardRange() { history.oddAnswers = 0 }

    /// A server has sent other bytes than it named.
    mutating func compareAlways() { history.compareAlways() }

    /// The fields that ask for the rest; none where the whole is asked for.
    ///
    /// - Parameter end: where what is here already begins again; nil for all that follows.
    func fields(behind offset: Int64, before end: Int64? = nil) -> HeaderFields {
        var fields = HeaderFields()
        guard let answer, mayGoOn(behind: offset),
            let (range, ifRange) = ResumePolicy.rangeRequest(
                StoredFacts(answer), offset: offset, end: end, history: history),
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
    func judge(_ head: ResponseHead, request: TransferRequest, offset: Int64, now: Int64) -> Step {
        guard let answer, mayGoOn(behind: offset) else { return .whole }
        let facts = StoredFacts(answer)
        guard head.statusCode != 206 || facts.isSource(head.url) else {
            // Nothing of it is here any more to be compared. The next try may lead to the first one again.
            var error = Self.lost(ResponseErrors.restElsewhere, head)
            error.code = .connectionLost
            return .retry(error, afterMilliseconds: nil)
        }
        let action = ResumePolicy.judge(
            head, request: request, facts: facts, offset: offset, history: history, now: now)
        switch action {
        case .append(let plan):
            guard plan.overlap == history.overlap(facts, at: nil, offset: offset, hasChecksum: false) else {
                return .fail(Self.lost(ResponseErrors.sentTwice, head))
            }
            guard case .exactly? = try? BodyLength(head, method: request.method) else {
                return .fail(Self.lost(Self.uncounted, head))
            }
            return .rest(limit: plan.limit, total: plan.total, overlap: plan.overlap)
        case .finishWithoutBody: return .complete
        case .retryWithIfMatch: return .again
        case .askAgain: return .odd
        case .retryWithOverlap:
            return .fail(Self.lost(Self.uncounted, head))
        case .waitAndRetry(let delay, let error): return .retry(error, afterMilliseconds: delay)
        case .failure(let error): return .fail(error)
        case .restart(let reason), .newGeneration(_, _, let reason): return .fail(Self.lost(reason, head))
        case .fresh: return .fail(Self.lost(ResponseErrors.sentAgain, head))
        }
    }

    private static let uncounted = ResponseErrors.uncounted

    private static func lost(_ reason: String, _ head: ResponseHead) -> SessionError {
        ResumePolicy.error(.resourceChanged, ResponseErrors.lost(reason), head)
    }
}

/// Continues a body that is passed on: delivered bytes cannot be taken back, so the rest is requested, and taken only
/// if the server proves that it belongs to the same bytes.
///
/// A value that says what to send and what a response means.
struct StreamContinuation: Sendable {
    /// The step after a response.
    enum Step: Sendable, Equatable {
        /// The full body follows, from its beginning.
        case full
        /// The rest follows: at most `limit` bytes to the total length, after `overlap` bytes that were already passed
        /// on.
        case rest(limit: Int64, total: Int64, overlap: Int64)
        /// Nothing is missing.
        case complete
        /// The request is repeated at once with If-Match.
        case again
        /// The request is repeated: the response is no range, but does not say that the body has changed.
        case odd
        case retry(SessionError, afterMilliseconds: Int64?)
        case fail(SessionError)
    }

    private var answer: FreshAnswer?
    private var history = ResumeHistory(
        comparison: .everyRange, overlap: RangeOverlap.short, patience: ResumeHistory.oddAnswerLimit)

    /// Whether the rest behind the delivered bytes may be requested.
    func mayGoOn(behind offset: Int64) -> Bool {
        guard let answer, offset > 0 else { return false }
        return ResumePolicy.mayResume(answer, partSize: offset).isGiven
    }

    /// Returns whether the body can be resumed there, as far as known.
    func resumability(behind offset: Int64) -> Resumability {
        guard let answer, offset > 0 else { return .no }
        return ResumePolicy.resumability(answer, partSize: offset, hasSeenPart: false)
    }

    /// Returns why it may not; nil if it may, and before the first response.
    func refusal(behind offset: Int64) -> String? {
        guard let answer, offset > 0, case .no(let reason) = ResumePolicy.mayResume(answer, partSize: offset) else {
            return nil
        }
        return reason
    }

    /// Whether the rest has to be compared before it is passed on, because no strong ETag proves it.
    var isDoubted: Bool { answer.map { $0.tag == nil } ?? true }

    /// The facts that prove further responses; nil before the first one, and without any.
    var metadata: StoredMetadata? { answer.map { StoredMetadata($0) } }
    /// Whether ranges are requested with `If-Match`, because the server ignores them next to `If-Range`.
    var asksByIfMatch: Bool { history.usedIfMatch && answer?.tag != nil }

    /// Requests ranges with `If-Match` from now on.
    mutating func askByIfMatch() { history.usedIfMatch = true }

    /// Counts consecutive responses that are no range.
    mutating func heardOddAnswer() { history.oddAnswers += 1 }

    /// Records that a range ended before the body after `gain` bytes; returns false if requesting more is pointless.
    mutating func rangeEnded(bringing gain: Int64) -> Bool { history.rangeEnded(bringing: gain) }

    /// Records that a range has arrived.
    mutating func heardRange() { history.oddAnswers = 0 }

    /// Compares every range fully from now on, because a server has sent other bytes than it named.
    mutating func compareAlways() { history.compareAlways() }

    /// Returns the fields that request the rest; empty if everything is requested.
    ///
    /// - Parameter end: the offset of bytes already received; nil to request all that follows.
    func fields(behind offset: Int64, before end: Int64? = nil) -> HeaderFields {
        var fields = HeaderFields()
        guard let answer, mayGoOn(behind: offset),
            let (range, ifRange) = ResumePolicy.rangeRequest(
                StoredMetadata(answer), offset: offset, end: end, history: history),
            let validator = ifRange
        else { return fields }
        fields.append(name: "Range", value: range)
        let usesIfMatch = history.usedIfMatch && answer.tag != nil
        fields.append(name: usesIfMatch ? "If-Match" : "If-Range", value: validator)
        return fields
    }

    /// Remembers the response that begins the body, if its rest can be requested.
    mutating func begin(_ head: ResponseHead, request: TransferRequest) {
        answer = nil
        guard head.statusCode == 200, ResumePolicy.mayAdopt(request),
            let length = try? BodyLength(head, method: request.method)
        else { return }
        answer = FreshAnswer(request: request, head: head, length: length)
    }

    /// Judges the response to a request for the rest.
    func judge(_ head: ResponseHead, request: TransferRequest, offset: Int64, now: Int64) -> Step {
        guard let answer, mayGoOn(behind: offset) else { return .full }
        let metadata = StoredMetadata(answer)
        guard head.statusCode != 206 || metadata.isSource(head.url) else {
            // The delivered bytes are no longer here to compare. The next attempt may reach the first server again.
            var error = Self.lost(ResponseErrors.restElsewhere, head)
            error.code = .connectionLost
            return .retry(error, afterMilliseconds: nil)
        }
        let action = ResumePolicy.judge(
            head, request: request, metadata: metadata, offset: offset, history: history, now: now)
        switch action {
        case .append(let plan):
            guard plan.overlap == history.overlap(metadata, at: nil, offset: offset, hasChecksum: false) else {
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

import SessionSupport

/// Handles the responses of data and upload tasks: the body stays in memory or is passed on in pieces.
///
/// Every final status is a response here; whether it is an error is up to the response serializer. The exception is a
/// response that asks to retry later, while another attempt may follow.
final class BodyCollector: ResponseHandler {
    private let limit: Int?
    /// Whether a caller wants the chunks of a body that is collected; checked for each head, and when an observer may
    /// have been added.
    private let wantsChunks: () -> Bool
    private var memory: MemorySink?
    private var passedOn: StreamSink?
    private var receivedBefore: Int64 = 0
    private var attempt: Attempt?
    /// Puts the bytes of several connections in order; nil for a single one.
    let ordering: OrderedBody?
    /// The length to be shown; for a coded body, the length of the coding.
    private(set) var expected: Int64?
    /// The length of the body that is passed on; nil until known.
    private var length: Int64?
    private var lengthIsVerifiable = true
    /// How a body that is passed on can be resumed.
    private(set) var continuation = StreamContinuation()
    /// The offset in the body at which the current response begins.
    private(set) var resumedAt: Int64 = 0

    /// Collects the body in memory up to a limit; nil passes it on.
    init(limit: Int?, ordering: OrderedBody? = nil, wantsChunks: @escaping () -> Bool = { false }) {
        self.limit = limit
        self.ordering = ordering
        self.wantsChunks = wantsChunks
    }

    var received: Int64 { ordering?.received ?? contiguousEnd }
    /// Excludes the bytes that a response repeats.
    var contiguousEnd: Int64 { ordering?.contiguousEnd ?? max(receivedBefore + (attempt?.received ?? 0), resumedAt) }
    var segments: SegmentedDownload? { ordering?.segments }
    var takesEveryStatus: Bool { true }
    var resumability: Resumability { limit == nil ? continuation.resumability(behind: contiguousEnd) : .no }
    var resumeRefusal: String? { limit == nil ? continuation.refusal(behind: contiguousEnd) : nil }
    var canRestart: Bool { passedOn?.hasDelivered != true || mayGoOn }

    /// Whether the rest of a body that is passed on can be requested.
    private var mayGoOn: Bool { limit == nil && continuation.mayGoOn(behind: contiguousEnd) }

    func prepare(_ done: @escaping (Preparation) -> Void) { done(.ready) }

    func additionalFields() -> HeaderFields {
        guard limit == nil else { return HeaderFields() }
        if ordering != nil { endBranchesAtContiguousEnd() }
        return continuation.fields(behind: contiguousEnd, before: segments?.plan.leadEnd)
    }

    var stream: StreamState? {
        limit == nil ? StreamState(continuation: continuation, contiguousEnd: contiguousEnd) : nil
    }

    func take(_ verdict: BodyVerdict, _ head: ResponseHead, of attempt: Attempt) {
        self.attempt = attempt
        if case .rest(let step) = verdict { take(step, head, attempt) } else { begin(head, attempt) }
    }

    /// Accepts a response with the full body.
    private func begin(_ head: ResponseHead, _ attempt: Attempt) {
        (receivedBefore, resumedAt) = (0, 0)
        expected = BodyLength.countOnWire(head)
        let framing = try? BodyLength(head, method: attempt.owner.request.method)
        length = framing?.byteCount
        lengthIsVerifiable = framing?.isVerifiable ?? true
        if let limit {
            let sink = MemorySink(limit: limit, expected: expected)
            memory = sink
            attempt.accept(into: sink)
            if wantsChunks() { passOnChunks(of: sink, attempt) }
        } else {
            let sink = passedOn ?? ordering?.end ?? StreamSink()
            passedOn = sink
            if !sink.hasDelivered { sink.check = DigestCheck(Self.announced(head, attempt.owner.firstRequest)) }
            attempt.accept(into: sink)
            continuation.begin(head, request: attempt.owner.firstRequest)
            if let ordering {
                attempt.accept(into: ordering)
                ordering.begin(upTo: nil)
                if head.statusCode == 200 { order(head, attempt, upTo: length) }
            }
        }
    }

    /// The digest of the complete body that the server has announced.
    var announced: Checksum? { passedOn?.check?.announced }

    /// Returns the digest that a response announces for the body it begins; nil for none.
    private static func announced(_ head: ResponseHead, _ request: TransferRequest) -> Checksum? {
        guard request.method == "GET" else { return nil }
        return head.statusCode == 206 ? AnnouncedDigest.content(of: head) : AnnouncedDigest.checksum(of: head)
    }

    /// Accepts a response with the rest of the body, or acts on what was sent instead.
    private func take(_ step: StreamContinuation.Step, _ head: ResponseHead, _ attempt: Attempt) {
        switch step {
        case .rest(let rest, let total, let overlap):
            continuation.heardRange()
            (resumedAt, expected, length) = (contiguousEnd, total, total)
            receivedBefore = resumedAt - overlap
            let sink = passedOn ?? ordering?.end ?? StreamSink()
            passedOn = sink
            attempt.compare(with: AnnouncedDigest.range(of: head, file: announced), head)
            let beginning = RestBeginning(
                isDoubted: continuation.isDoubted, repeating: sink.last(Int(overlap)))
            if let ordering {
                attempt.accept(into: ordering)
                order(head, attempt, upTo: contiguousEnd + rest)
                ordering.expect(beginning)
            } else {
                attempt.accept(into: LimitedSink(sink, limit: rest, beginning: beginning))
            }
            return
        case .full: return begin(head, attempt)
        case .complete: attempt.decide(.complete)
        case .again:
            continuation.askByIfMatch()
            attempt.decide(.nextRange)
        case .odd:
            continuation.heardOddAnswer()
            attempt.decide(.nextRange)
        case .retry(let error, let delay): attempt.decide(.retry(error, afterMilliseconds: delay))
        case .fail(let error): attempt.decide(.fail(error))
        }
        // The response's body is a page that does not count as received.
        self.attempt = nil
    }

    func compareAlways() { continuation.compareAlways() }

    /// Lets branches help with the response that begins here.
    private func order(_ head: ResponseHead, _ attempt: Attempt, upTo end: Int64?) {
        guard let ordering, !attempt.plan.decodesBody else { return }
        if let end { ordering.begin(upTo: end) }
        let isProven = continuation.metadata.map { $0.strongValidator != nil && !BodyLength.isEncoded(head) } ?? false
        ordering.consider(head, length, isProven: isProven)
    }

    func takeOver(_ branch: SegmentBranch, _ attempt: Attempt) {
        self.attempt = attempt
        guard let ordering else { return }
        attempt.turnBody(to: ordering)
        ordering.takeOver(branch)
    }

    private func passOnChunks(of memory: MemorySink, _ attempt: Attempt) {
        let chunks = passedOn ?? StreamSink()
        passedOn = chunks
        let observed = ObservedMemorySink(memory: memory, chunks: chunks)
        if let decoding = attempt.sink as? DecodingSink {
            decoding.end = observed
        } else {
            attempt.turnBody(to: observed)
        }
    }

    func bodyEnded() -> NextStep {
        guard attempt?.hasOtherDigest != true else {
            return .fail(SessionError(.checksum, ResponseErrors.lost(ResumeReasons.otherDigest)))
        }
        let next = segments == nil ? singleBodyEnded() : orderedBodyEnded()
        guard case .complete = next, let error = passedOn?.check?.error else { return next }
        return .fail(error)
    }

    private func singleBodyEnded() -> NextStep {
        receivedBefore = received
        attempt = nil
        // A range may end before the body does.
        guard resumedAt > 0, received > resumedAt, let length, received < length else { return .complete }
        guard continuation.rangeEnded(bringing: received - resumedAt) else {
            return .fail(SessionError(.truncated, ResumeHistory.meagreWords))
        }
        return .nextRange
    }

    /// Returns the step after the lead has reached the branches' bytes, or the end.
    private func orderedBodyEnded() -> NextStep {
        let isNew = hasAdvanced
        let isOver = ordering?.isAnswerOver ?? true
        attempt = nil
        if let error = passFinished() { return .fail(error) }
        absorbFinished()
        guard let length, contiguousEnd < length else { return .complete }
        if isOver, isNew { return .nextRange }
        return .retry(
            SessionError(.truncated, ResponseErrors.incomplete(contiguousEnd, of: length)), afterMilliseconds: nil)
    }

    func attemptBroke() {
        receivedBefore = received
        attempt = nil
    }

    func restart(keepingPart: Bool) {
        (receivedBefore, resumedAt) = (0, 0)
        memory = nil
    }

    func flush() {}

    func finish(_ done: @escaping (SessionError?) -> Void) { done(nil) }

    func close(keeps: Bool, _ done: @escaping () -> Void) { done() }

    var result: BodyResult { BodyResult(lengthWasVerified: lengthIsVerifiable) }

    func takeBody() -> CollectedBody {
        defer { memory = nil }
        return memory?.takeBody() ?? []
    }

    func takePendingData() -> [UInt8]? { passedOn?.takePending() }

    var isChunkDue: Bool { passedOn?.isHalfFull ?? false }

    /// Looks for an observer; one added in the middle of a body gets the bytes from here on.
    func refreshObserver() {
        guard passedOn == nil, let memory, let attempt, wantsChunks(),
            attempt.sink.map({ ($0 as? DecodingSink)?.end ?? $0 }) === memory
        else { return }
        passOnChunks(of: memory, attempt)
    }

    func consumed(_ count: Int) -> Bool {
        let hasRoom = passedOn?.consumed(count) ?? true
        ordering?.wasRead()
        return hasRoom
    }
}

/// Collects a body while an observer reads its chunks, no faster than the observer.
private final class ObservedMemorySink: BodySink {
    private let memory: MemorySink
    private let chunks: StreamSink

    init(memory: MemorySink, chunks: StreamSink) {
        self.memory = memory
        self.chunks = chunks
    }

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        guard chunks.hasRoom else { return .wait }
        let result = memory.receive(chunk)
        return result == .received ? chunks.receive(chunk) : result
    }
}

/// A body that is passed on in order while several connections receive it; early bytes wait in memory.
///
/// Confined to the transfer loop. The lead's bytes are passed on at once, a branch's when the front has reached them.
/// Requests stay within a window ahead of what the receiver has read, so that a slow receiver slows the servers down
/// and memory stays flat.
final class OrderedBody: BodySink {
    let rule: Segmentation
    let description: TransferDescription
    unowned let core: LoopCore
    private let stream: StreamSink
    private(set) var segments: SegmentedDownload?
    /// Bytes passed on, or about to be.
    private(set) var contiguousEnd: Int64 = 0
    /// The offset at which the current response began.
    private(set) var start: Int64 = 0
    /// The offset at which the current response ends.
    private(set) var answerEnd: Int64 = 0
    /// The bytes it may still deliver.
    private var allowance: Int64 = .max
    /// Early bytes, by the offset of their first one.
    private var buffered: [Int64: [UInt8]] = [:]
    /// Whether the branches have nothing to do until the receiver has read more.
    private var isFull = false
    var hasContradicted = false
    var hasBranched = false
    /// The offset when the body was last requested on a single connection.
    var aloneAt: Int64 = -1
    /// What the current response's first bytes must be; nil once checked.
    private var beginning: RestBeginning?

    init(_ rule: Segmentation, _ description: TransferDescription, core: LoopCore) {
        self.rule = rule
        self.description = description
        self.core = core
        stream = StreamSink()
    }

    /// The sink that the receiver empties.
    var end: StreamSink { stream }
    var received: Int64 { contiguousEnd + (segments?.plan.bytesBeyond ?? 0) }
    var hasAdvanced: Bool { contiguousEnd > start }
    /// Whether the current response has delivered all it was to deliver.
    var isAnswerOver: Bool { allowance == 0 }

    private var window: Int64 { description.arrangement.orderedWindow }
    /// The bytes that one connection is asked for at once.
    private var block: Int64 = 0

    // MARK: - The lead

    /// Begins a response with the bytes from the front up to an offset.
    func begin(upTo end: Int64?) {
        (start, answerEnd) = (contiguousEnd, end ?? 0)
        allowance = end.map { $0 - contiguousEnd } ?? .max
        boundLead()
    }

    func receive(_ received: UnsafeRawBufferPointer) -> SinkResult {
        var bytes = received
        if beginning != nil {
            guard stream.hasRoom else { return .wait }
            guard let rest = RestBeginning.take(from: received, &beginning, stream) else {
                return .failed(RestBeginning.isFalse)
            }
            bytes = rest
        }
        guard Int64(bytes.count) <= allowance else {
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[..<Int(allowance)])
            let result = stream.receive(chunk)
            guard result == .received else { return result }
            advance(Int64(chunk.count))
            return segments == nil
                ? .failed(SessionError(.badResponse, ResponseErrors.moreThanRest)) : .enough
        }
        let result = stream.receive(bytes)
        guard result == .received else { return result }
        advance(Int64(bytes.count))
        return allowance == 0 && contiguousEnd < answerEnd ? .enough : .received
    }

    private func advance(_ count: Int64) {
        contiguousEnd += count
        if allowance != .max { allowance -= count }
    }

    /// Checks the first bytes of the current response before they are passed on.
    func expect(_ beginning: RestBeginning) { self.beginning = beginning }

    /// Limits the current response to the offset where a branch's bytes begin.
    func boundLead() {
        guard let segments, answerEnd > 0 else { return }
        segments.plan.leadMoved(to: contiguousEnd)
        allowance = max(min(answerEnd, segments.provenEnd) - contiguousEnd, 0)
    }

    /// Decides whether branches are possible and useful behind an accepted response.
    func consider(_ head: ResponseHead, _ length: Int64?, isProven: Bool) {
        let transfer = core.transfer(description.id)
        if let segments {
            if head.version.hasStreams { segments.end() }
            segments.hasSeenPart = segments.hasSeenPart || head.statusCode == 206
            segments.leadPulse = SegmentPulse(position: contiguousEnd, now: core.now)
        } else {
            let least = max(rule.minimumSegment, SegmentPlan.grain)
            guard !hasContradicted, isProven, rule.limit > 1, let length, length - contiguousEnd >= 2 * least,
                !head.version.hasStreams
            else { return }
            // Every connection has one piece in progress and one waiting.
            let most = max(window / Int64(2 * rule.limit), SegmentPlan.grain)
            block = min(most, max(least, (length - contiguousEnd) / Int64(rule.limit)))
            segments = SegmentedDownload(
                rule, plan: SegmentPlan(length: length, contiguousEnd: contiguousEnd),
                known: transfer.flatMap { core.branchBoard.cap(of: $0.host, now: core.now) }, now: core.now)
        }
        boundLead()
        transfer?.connections.watchSegments(afterMilliseconds: rule.connections == .automatic ? 250 : 0)
    }

    // MARK: - Early bytes

    /// Claims the next pieces that fit into the window.
    func claims(_ count: Int) -> [SegmentPlan.Claim] {
        guard let segments else { return [] }
        var made: [SegmentPlan.Claim] = []
        let limit = contiguousEnd - Int64(stream.unread) + window
        while made.count < count, let claim = segments.plan.claimNext(block, before: limit) { made.append(claim) }
        isFull = made.count < count
        return made
    }

    /// Keeps a branch's bytes until the front has reached them.
    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        if let start = buffered.first(where: { $0.key + Int64($0.value.count) == offset })?.key {
            buffered[start]?.append(contentsOf: bytes)
        } else {
            buffered[offset] = Array(bytes)
        }
    }

    /// Whether bytes equal the ones passed on or waiting, as far as these are still in memory.
    func stand(_ bytes: [UInt8], at offset: Int64) -> Bool {
        var rest = bytes[...]
        let passed = stream.last(Int(min(max(contiguousEnd - offset, 0), Int64(bytes.count))))
        guard rest.starts(with: passed) else { return false }
        rest = rest.dropFirst(passed.count)
        var position = offset + Int64(passed.count)
        while !rest.isEmpty {
            guard
                let (start, piece) = buffered.first(where: {
                    $0.key <= position && position < $0.key + Int64($0.value.count)
                })
            else { return false }
            let waiting = piece[Int(position - start)...].prefix(rest.count)
            guard rest.starts(with: waiting) else { return false }
            rest = rest.dropFirst(waiting.count)
            position += Int64(waiting.count)
        }
        return true
    }

    /// Passes on the waiting bytes up to an offset that the front has reached.
    func goOn(behind position: Int64) {
        while contiguousEnd < position, var bytes = buffered.removeValue(forKey: contiguousEnd) {
            // The bytes behind belong to a branch that still works.
            let surplus = Int(contiguousEnd + Int64(bytes.count) - position)
            if surplus > 0 {
                buffered[position] = Array(bytes.suffix(surplus))
                bytes.removeLast(surplus)
            }
            contiguousEnd += Int64(bytes.count)
            stream.add(bytes)
        }
    }

    /// Drops the waiting bytes, which are requested again.
    func forgetBuffered() { buffered = [:] }

    /// Makes a branch the lead, and passes on the bytes it has received.
    func takeOver(_ branch: SegmentBranch) {
        goOn(behind: branch.written)
        (start, answerEnd) = (contiguousEnd, branch.asked.upperBound)
        if branch.isAtBeginning {
            beginning = RestBeginning(isDoubted: branch.overlap > 0, repeating: stream.last(Int(branch.overlap)))
        }
        boundLead()
    }

    /// Resumes the branches after the receiver has read.
    func wasRead() {
        guard isFull else { return }
        isFull = false
        core.transfer(description.id)?.connections.watchSegments(afterMilliseconds: 0)
    }
}

@available(*, unavailable)
extension OrderedBody: Sendable {}

/// A body that is passed on may come over several connections.
extension BodyCollector: SegmentedHandler {
    private var ordered: OrderedBody {
        guard let ordering else { preconditionFailure("a body of one connection has no branches") }
        return ordering
    }

    var core: LoopCore { ordered.core }
    var id: TransferID { ordered.description.id }
    var request: TransferRequest { ordered.description.request }
    var takesBranches: Bool { ordering?.segments != nil }
    var hasAdvanced: Bool { ordering?.hasAdvanced ?? false }
    var answerEnd: Int64 { ordering?.answerEnd ?? 0 }
    var asksByIfMatch: Bool { continuation.asksByIfMatch }
    var hasBranched: Bool {
        get { ordering?.hasBranched ?? false }
        set { ordering?.hasBranched = newValue }
    }
    var hasContradicted: Bool {
        get { ordering?.hasContradicted ?? false }
        set { ordering?.hasContradicted = newValue }
    }

    /// Keeps the early bytes and requests the rest on one connection; repeated only after progress.
    func goesOnAlone(after error: SessionError) -> Bool {
        guard let ordering, error.code != .checksum, ordering.hasBranched,
            ordering.contiguousEnd > ordering.aloneAt, canRestart
        else { return false }
        ordering.aloneAt = ordering.contiguousEnd
        ordering.hasContradicted = true
        ordering.segments?.end()
        return true
    }

    func stand(_ bytes: [UInt8], at offset: Int64) -> Bool { ordering?.stand(bytes, at: offset) ?? false }
    func metadata(of source: Int) -> StoredMetadata? { continuation.metadata }
    func isForeign(_ source: Int) -> Bool { false }
    func expectBranches() -> Bool { true }
    func begins(with bytes: UnsafeRawBufferPointer) -> Bool { ordering?.end.begins(with: bytes) ?? false }
    func claims(_ count: Int, own: Int64?) -> [SegmentPlan.Claim] { ordering?.claims(count) ?? [] }
    func branchWrote(upTo position: Int64) {}
    func boundLead() { ordering?.boundLead() }
    func forgetBeyond() { ordering?.forgetBuffered() }

    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SessionError? {
        ordering?.put(bytes, at: offset)
        return nil
    }

    func goOn(behind contiguousEnd: Int64) -> SessionError? {
        ordering?.goOn(behind: contiguousEnd)
        return nil
    }
}

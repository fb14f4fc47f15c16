/// A body that is passed on in order while several connections bring it: what comes before its turn waits in memory.
///
/// Confined to the transfer loop. The lead's bytes go straight on; those of branches are kept until the front has come to
/// them. Nobody is asked for more than fits into a window behind what the receiver is done with, so that a slow receiver
/// slows the servers down and memory stays flat.
final class OrderedBody: BodySink {
    let rule: Segmentation
    let description: TransferDescription
    unowned let core: LoopCore
    /// Where the bytes go.
    private let stream: StreamSink
    private(set) var segments: SegmentedDownload?
    /// Bytes that were passed on, or are about to be.
    private(set) var front: Int64 = 0
    /// Where the current answer began.
    private(set) var start: Int64 = 0
    /// Where the current answer ends.
    private(set) var answerEnd: Int64 = 0
    /// What it may still bring.
    private var allowance: Int64 = .max
    /// Bytes that wait for their turn, by the place of their first one.
    private var held: [Int64: [UInt8]] = [:]
    /// Whether further connections have nothing to do until the receiver has read more.
    private var isFull = false
    var hasContradicted = false
    var hasBranched = false
    /// Where the body was when one connection was asked alone last.
    var aloneAt: Int64 = -1
    /// What the first bytes of the current answer have to be; nil once they were.
    private var beginning: RestBeginning?

    init(_ rule: Segmentation, _ description: TransferDescription, core: LoopCore) {
        self.rule = rule
        self.description = description
        self.core = core
        stream = StreamSink()
    }

    /// The sink that the receiver empties.
    var end: StreamSink { stream }
    var received: Int64 { front + (segments?.plan.bytesBeyond ?? 0) }
    var hasNewFront: Bool { front > start }
    /// Whether the current answer has brought all that it was to bring.
    var isAnswerOver: Bool { allowance == 0 }

    private var window: Int64 { description.arrangement.orderedWindow }
    /// The bytes that one connection is asked for at once.
    private var block: Int64 = 0

    // MARK: - The lead

    /// An answer begins that brings the bytes from the front on, up to a place.
    func begin(upTo end: Int64?) {
        (start, answerEnd) = (front, end ?? 0)
        allowance = end.map { $0 - front } ?? .max
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
        return allowance == 0 && front < answerEnd ? .enough : .received
    }

    private func advance(_ count: Int64) {
        front += count
        if allowance != .max { allowance -= count }
    }

    /// Looks at the first bytes of the current answer before they are passed on.
    func expect(_ beginning: RestBeginning) { self.beginning = beginning }

    /// Lets the current answer go as far as nobody else's bytes come.
    func boundLead() {
        guard let segments, answerEnd > 0 else { return }
        segments.plan.leadMoved(to: front)
        allowance = max(min(answerEnd, segments.provenEnd) - front, 0)
    }

    /// Further connections may be worth it behind an accepted answer, if they are possible.
    func consider(_ head: ResponseHead, _ length: Int64?, isProven: Bool) {
        let transfer = core.transfer(description.id)
        if let segments {
            if head.version.hasStreams { segments.end() }
            segments.hasSeenPart = segments.hasSeenPart || head.statusCode == 206
            segments.leadPulse = SegmentPulse(position: front, now: core.now)
        } else {
            let least = max(rule.minimumSegment, SegmentPlan.grain)
            guard !hasContradicted, isProven, rule.limit > 1, let length, length - front >= 2 * least,
                !head.version.hasStreams
            else { return }
            // Every connection has one piece under way and one that waits.
            let most = max(window / Int64(2 * rule.limit), SegmentPlan.grain)
            block = min(most, max(least, (length - front) / Int64(rule.limit)))
            segments = SegmentedDownload(
                rule, plan: SegmentPlan(length: length, front: front),
                known: transfer.flatMap { core.branchBoard.cap(of: $0.host, now: core.now) }, now: core.now)
        }
        boundLead()
        transfer?.watchSegments(afterMilliseconds: rule.connections == .automatic ? 250 : 0)
    }

    // MARK: - What comes before its turn

    /// The next pieces that fit into the window.
    func claims(_ count: Int) -> [SegmentPlan.Claim] {
        guard let segments else { return [] }
        var made: [SegmentPlan.Claim] = []
        let limit = front - Int64(stream.unread) + window
        while made.count < count, let claim = segments.plan.claimNext(block, before: limit) { made.append(claim) }
        isFull = made.count < count
        return made
    }

    /// Keeps bytes of a branch until their turn has come.
    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        if let start = held.first(where: { $0.key + Int64($0.value.count) == offset })?.key {
            held[start]?.append(contentsOf: bytes)
        } else {
            held[offset] = Array(bytes)
        }
    }

    /// Whether bytes are the ones that were passed on or wait, as far as they are in memory still.
    func stand(_ bytes: [UInt8], at offset: Int64) -> Bool {
        var rest = bytes[...]
        let passed = stream.last(Int(min(max(front - offset, 0), Int64(bytes.count))))
        guard rest.starts(with: passed) else { return false }
        rest = rest.dropFirst(passed.count)
        var place = offset + Int64(passed.count)
        while !rest.isEmpty {
            guard let (start, piece) = held.first(where: { $0.key <= place && place < $0.key + Int64($0.value.count) })
            else { return false }
            let waiting = piece[Int(place - start)...].prefix(rest.count)
            guard rest.starts(with: waiting) else { return false }
            rest = rest.dropFirst(waiting.count)
            place += Int64(waiting.count)
        }
        return true
    }

    /// Passes on what waits up to a place that the front has come to.
    func goOn(behind place: Int64) {
        while front < place, var bytes = held.removeValue(forKey: front) {
            // What follows is of a branch that still works.
            let surplus = Int(front + Int64(bytes.count) - place)
            if surplus > 0 {
                held[place] = Array(bytes.suffix(surplus))
                bytes.removeLast(surplus)
            }
            front += Int64(bytes.count)
            stream.add(bytes)
        }
    }

    /// What waits is brought once more.
    func forgetHeld() { held = [:] }

    /// A branch has become the lead: what it has brought was waiting for that.
    func takeOver(_ branch: SegmentBranch) {
        goOn(behind: branch.written)
        (start, answerEnd) = (front, branch.asked.upperBound)
        if branch.isAtBeginning {
            beginning = RestBeginning(isDoubted: branch.overlap > 0, repeating: stream.last(Int(branch.overlap)))
        }
        boundLead()
    }

    /// The receiver has read: there may be room for more.
    func wasRead() {
        guard isFull else { return }
        isFull = false
        core.transfer(description.id)?.watchSegments(afterMilliseconds: 0)
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
    var hasNewFront: Bool { ordering?.hasNewFront ?? false }
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

    /// What comes before its turn stays, and one connection brings the rest: once for each time that it brings something.
    func goesOnAlone(after error: SessionError) -> Bool {
        guard let ordering, ordering.hasBranched, ordering.front > ordering.aloneAt, canRestart else { return false }
        ordering.aloneAt = ordering.front
        ordering.hasContradicted = true
        ordering.segments?.end()
        return true
    }

    var comparesAlways: Bool { continuation.comparesAlways }
    func stand(_ bytes: [UInt8], at offset: Int64) -> Bool { ordering?.stand(bytes, at: offset) ?? false }
    func facts(of source: Int) -> StoredFacts? { continuation.facts }
    func isForeign(_ source: Int) -> Bool { false }
    func expectBranches() -> Bool { true }
    func begins(with bytes: UnsafeRawBufferPointer) -> Bool { ordering?.end.begins(with: bytes) ?? false }
    func claims(_ count: Int, own: Int64?) -> [SegmentPlan.Claim] { ordering?.claims(count) ?? [] }
    func branchWrote(upTo place: Int64) {}
    func boundLead() { ordering?.boundLead() }
    func forgetBeyond() { ordering?.forgetHeld() }

    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SessionError? {
        ordering?.put(bytes, at: offset)
        return nil
    }

    func goOn(behind front: Int64) -> SessionError? {
        ordering?.goOn(behind: front)
        return nil
    }
}

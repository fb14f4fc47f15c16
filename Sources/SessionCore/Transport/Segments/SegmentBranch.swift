/// A connection next to the lead: the range it fetches and the bytes it has fetched.
///
/// Confined to the transfer loop. It may end at any time: what it has written stays.
final class SegmentBranch: BodySink, FurtherWork {
    /// The number of its claim in the plan.
    let id: Int
    /// The index of its source, from 0; 0 as well for a single source.
    let source: Int
    /// The origin whose slots its connection takes.
    var host: String
    /// The range of its response: as requested, or as the response names it.
    private(set) var asked: Range<Int64>
    /// The bytes before that range that are requested for comparison.
    let overlap: Int64
    private unowned let writer: any SegmentedHandler
    private unowned let core: LoopCore
    /// The running attempt; nil once it has ended.
    var attempt: Attempt?
    /// Whether its response was proven to belong to the file.
    var isAccepted = false
    /// The time of that, in milliseconds; until then, of its creation.
    var acceptedAt: Int64
    /// Whether the lead had passed its beginning before the response arrived.
    var isOvertaken = false
    /// Why it was refused, as a sentence; nil if it was not.
    var refusal: String?
    /// Milliseconds of the `Retry-After` in the response that refused it.
    var askedWait: Int64?
    /// The status of the response that refused it.
    var refusedStatus: Int?
    private(set) var redirects = RedirectPolicy.Context()
    /// The target of a redirect, for the next attempt.
    private var next: TransferRequest?
    /// Whether its bytes are no longer needed.
    var isAbandoned = false
    /// Whether the response began with the file's first bytes instead of the range.
    private(set) var beganAtZero = false
    /// The bytes before its range that have arrived.
    private var proof: [UInt8] = []
    /// Whether none of its own bytes have arrived.
    private(set) var isAtBeginning = true
    /// The present end of its claim, never before its position.
    var end: Int64
    /// The file offset of the first byte in the buffer.
    private(set) var written: Int64
    private var buffer: [UInt8] = []
    /// When the buffer was last empty, in milliseconds.
    private var emptiedAt: Int64 = 0
    var pulse: SegmentPulse

    init(_ claim: SegmentPlan.Claim, writer: any SegmentedHandler, source: Int, host: String) {
        id = claim.id
        self.source = source
        self.host = host
        asked = claim.start..<claim.end
        overlap = min(claim.start, RangeJoins.length)
        self.writer = writer
        core = writer.core
        acceptedAt = writer.core.now
        end = claim.end
        written = claim.start
        pulse = SegmentPulse(position: claim.start, now: writer.core.now)
    }

    /// The offset of its next byte.
    var position: Int64 { written + Int64(buffer.count) }
    /// The range that is requested.
    var wanted: Range<Int64> { asked.lowerBound - overlap..<asked.upperBound }
    /// Whether it may become the lead: of the bytes before its range, all or none have arrived.
    var mayLead: Bool { !isAtBeginning || proof.isEmpty }

    /// Ends its response at an offset; what follows is for another request.
    func isAnswered(upTo end: Int64) { asked = asked.lowerBound..<min(asked.upperBound, end) }

    func follow(_ next: TransferRequest, from request: TransferRequest) {
        redirects.follow(from: request)
        self.next = next
    }

    /// Returns the target of the redirect that ended its attempt, once; nil without one.
    func takeNext() -> TransferRequest? {
        defer { next = nil }
        return next
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> SinkResult {
        guard !isAbandoned, !beganAtZero else { return .enough }
        var bytes = bytes
        if isAtBeginning {
            bytes = begin(bytes)
            guard !beganAtZero else { return .enough }
            guard !bytes.isEmpty else { return .received }
        }
        let room = max(end - position, 0)
        let chunk = Int64(bytes.count) > room ? UnsafeRawBufferPointer(rebasing: bytes[..<Int(room)]) : bytes
        if buffer.isEmpty {
            buffer.reserveCapacity(BufferSizes.full)
            emptiedAt = core.now
        }
        buffer.append(contentsOf: chunk)
        let isDue =
            buffer.count > BufferSizes.full - Self.largestChunk || core.now - emptiedAt >= core.buffers.age
        if isDue || position == end, let error = flush() { return .failed(error) }
        // A response that ends by itself leaves its connection for another request.
        return position == end && (end < asked.upperBound || chunk.count < bytes.count) ? .enough : .received
    }

    /// Separates the bytes before its range, and checks the first ones for the file's beginning.
    private func begin(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let missing = Int(overlap) - proof.count
        proof.append(contentsOf: bytes.prefix(missing))
        let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(missing))
        guard proof.count == overlap, !rest.isEmpty else { return rest }
        isAtBeginning = false
        beganAtZero = proof.withUnsafeBytes { writer.areFalse($0, of: source) }
        writer.segments?.joins.add(RangeJoins.Join(offset: asked.lowerBound, bytes: proof, source: source))
        return rest
    }

    /// The most bytes libcurl delivers at once.
    private static let largestChunk = 16 << 10

    /// Writes the buffered bytes, and returns the error if the disk refuses them; the bytes are then lost.
    func flush() -> SessionError? {
        guard !buffer.isEmpty, !isAbandoned else { return nil }
        defer { buffer.removeAll(keepingCapacity: true) }
        if let failure = buffer.withUnsafeBytes({ writer.put($0, at: written) }) { return failure }
        written += Int64(buffer.count)
        writer.branchWrote(upTo: written)
        return nil
    }
}

@available(*, unavailable)
extension SegmentBranch: Sendable {}

extension Attempt {
    /// The branch it works for; nil for a lead or a probe.
    var branch: SegmentBranch? { if case .branch(let work) = work { work as? SegmentBranch } else { nil } }
}

/// The measured speed of one connection.
struct SegmentPulse: Sendable, Equatable {
    /// Milliseconds after which an earlier speed counts half.
    private static let memory: Double = 1_000
    /// The shortest span to measure, in milliseconds: over a shorter one, what the kernel had buffered looks like a
    /// fast line.
    private static let shortestSpan: Int64 = 100

    private var position: Int64
    /// The position at the last check, however recent.
    private var seen: Int64
    private var time: Int64
    /// The weighted average, and its weight.
    private var sum = 0.0
    private var weight = 0.0
    /// When it last moved.
    private(set) var movedAt: Int64

    init(position: Int64, now: Int64) {
        (self.position, seen) = (position, position)
        (time, movedAt) = (now, now)
    }

    /// Bytes per second; nil before the first measurement.
    var speed: Int64? { weight > 0 ? Int64(sum / weight) : nil }

    /// Records the connection's position; time in milliseconds.
    ///
    /// - Parameter mayStand: whether a limit of ours pauses it, so that standing still does not count against it.
    mutating func look(at position: Int64, now: Int64, mayStand: Bool = false) {
        if position > seen || mayStand { (seen, movedAt) = (position, now) }
        guard now - time >= Self.shortestSpan else { return }
        let span = Double(now - time)
        let share = span / (Self.memory + span)
        sum += (Double(max(position - self.position, 0)) * 1000 / span - sum) * share
        weight += (1 - weight) * share
        (self.position, time) = (position, now)
    }

    /// Restarts the measurement while the connection may not move, which says nothing about its speed.
    mutating func rest(at position: Int64, now: Int64) {
        (self.position, seen) = (position, position)
        (time, movedAt) = (now, now)
    }
}

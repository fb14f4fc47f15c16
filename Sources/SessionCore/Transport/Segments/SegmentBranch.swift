/// One connection besides the lead: what it fetches, and what it has fetched.
///
/// Confined to the transfer loop. It may end at any time: what it has written stays.
final class SegmentBranch: BodySink, FurtherWork {
    /// The number of its claim in the plan.
    let id: Int
    /// The source that it asks, counted from 0; that of the transfer's own request where there is only one.
    let source: Int
    /// The origin whose slots its connection takes.
    var host: String
    /// Where its answer begins, and where it ends: as it was asked for, or as it says.
    private(set) var asked: Range<Int64>
    /// How many bytes before that it was asked for with, to be compared.
    let overlap: Int64
    private unowned let writer: any SegmentedHandler
    private unowned let core: LoopCore
    /// The request on the wire; nil once it has ended.
    var attempt: Attempt?
    /// Whether its answer was proven to be of the file.
    var isAccepted = false
    /// When it was, in milliseconds; before that, when it was made.
    var acceptedAt: Int64
    /// Whether the lead had come beyond its beginning before it was answered.
    var isOvertaken = false
    /// Why it was refused, as a sentence; nil where it was not.
    var refusal: String?
    /// The status of the answer that refused it.
    var refusedStatus: Int?
    /// The redirects that it has followed, and where the next one leads.
    var redirects = RedirectPolicy.Context()
    var next: TransferRequest?
    /// Whether nothing of it is wanted any more.
    var isAbandoned = false
    /// Whether it began with the file's own first bytes, in place of its range's.
    private(set) var beganAtZero = false
    /// What has come of the bytes before its range.
    private var proof: [UInt8] = []
    /// Whether none of its own bytes has come.
    private(set) var isAtBeginning = true
    /// Where its claim ends by now, which is never before its position.
    var end: Int64
    /// The file's offset of the first byte in the buffer.
    private(set) var written: Int64
    private var buffer: [UInt8] = []
    /// When the buffer was empty last, in milliseconds.
    private var emptiedAt: Int64 = 0
    var pulse: SegmentPulse

    /// - Parameter overlap: how many bytes before the claim are asked for with it.
    init(_ claim: SegmentPlan.Claim, overlap: Int64, writer: any SegmentedHandler, source: Int, host: String) {
        id = claim.id
        self.source = source
        self.host = host
        asked = claim.start..<claim.end
        self.overlap = overlap
        self.writer = writer
        core = writer.core
        acceptedAt = writer.core.now
        end = claim.end
        written = claim.start
        pulse = SegmentPulse(position: claim.start, now: writer.core.now)
    }

    /// Its next byte.
    var position: Int64 { written + Int64(buffer.count) }
    /// What is asked for.
    var wanted: Range<Int64> { asked.lowerBound - overlap..<asked.upperBound }
    /// Whether it may become the lead: what has come of the bytes before its range is all of them, or nothing.
    var mayLead: Bool { !isAtBeginning || proof.isEmpty }

    /// Its answer ends at an offset; what follows is for another request.
    func isAnswered(upTo end: Int64) { asked = asked.lowerBound..<min(asked.upperBound, end) }

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
        // The end of the answer itself leaves the connection for another one.
        return position == end && (end < asked.upperBound || chunk.count < bytes.count) ? .enough : .received
    }

    /// Takes the bytes before its range off the first ones, and looks at these.
    private func begin(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let missing = Int(overlap) - proof.count
        proof.append(contentsOf: bytes.prefix(missing))
        let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(missing))
        guard proof.count == overlap, !rest.isEmpty else { return rest }
        isAtBeginning = false
        if overlap == 0 {
            beganAtZero = writer.areFalse(rest, of: source)
        } else {
            beganAtZero = proof.withUnsafeBytes { writer.areFalse($0, of: source) }
            writer.segments?.joins.add(RangeJoins.Join(place: asked.lowerBound, bytes: proof, source: source))
        }
        return rest
    }

    /// Bytes that libcurl hands over at once.
    private static let largestChunk = 16 << 10

    /// Puts what is gathered where it belongs; answers the error when the disk refuses it, and what is gathered is lost then.
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
    /// What it fetches as a further connection of its transfer; nil for the transfer's own.
    var branch: SegmentBranch? { if case .branch(let work) = work { work as? SegmentBranch } else { nil } }
}

/// How fast one connection is, as far as it was looked at.
struct SegmentPulse: Sendable, Equatable {
    /// Milliseconds after which an earlier speed counts half.
    private static let memory: Double = 1_000
    /// Milliseconds that have to be looked at together: in fewer, what the kernel had gathered looks like a fast line.
    private static let shortestSpan: Int64 = 100

    private var position: Int64
    /// Where it was when somebody looked last, however short ago.
    private var seen: Int64
    private var time: Int64
    /// The average, and how much of it was looked at.
    private var sum = 0.0
    private var weight = 0.0
    /// When it has moved last.
    private(set) var movedAt: Int64

    init(position: Int64, now: Int64) {
        (self.position, seen) = (position, position)
        (time, movedAt) = (now, now)
    }

    /// Bytes per second; nil before anything is known.
    var speed: Int64? { weight > 0 ? Int64(sum / weight) : nil }

    /// Looks where the connection is now; time in milliseconds.
    ///
    /// - Parameter mayStand: whether a limit of ours holds it back, so that it is no fault of its own where it stands.
    mutating func look(at position: Int64, now: Int64, mayStand: Bool = false) {
        if position > seen || mayStand { (seen, movedAt) = (position, now) }
        guard now - time >= Self.shortestSpan else { return }
        let span = Double(now - time)
        let share = span / (Self.memory + span)
        sum += (Double(max(position - self.position, 0)) * 1000 / span - sum) * share
        weight += (1 - weight) * share
        (self.position, time) = (position, now)
    }

    /// The connection may not move at the moment, which is not its fault and says nothing about its speed.
    mutating func rest(at position: Int64, now: Int64) {
        (self.position, seen) = (position, position)
        (time, movedAt) = (now, now)
    }
}

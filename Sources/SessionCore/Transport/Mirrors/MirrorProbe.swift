/// Compares a mirror's file with the downloaded one: its last block, then its first.
///
/// Confined to the transfer loop. The probe of the source that began the file only fetches the last block.
final class MirrorProbe: BodySink, FurtherWork {
    /// The source's index in the board.
    let source: Int
    /// The ranges to request, in order.
    let ranges: [Range<Int64>]
    /// The blocks received so far.
    private(set) var blocks: [[UInt8]] = []
    /// The facts that prove the source's responses; nil before the first one.
    var metadata: StoredMetadata?
    /// The server and request of the next attempt; a redirect changes it.
    private(set) var requestTarget: RequestTarget
    private(set) var redirects = RedirectPolicy.Context()
    var attempt: Attempt?
    /// When it began, or was last paused by a limit of ours, in milliseconds.
    var startedAt: Int64
    /// The verdict on the current attempt's head.
    var verdict = Verdict.pending
    private var bytes: [UInt8] = []

    enum Verdict {
        case pending
        case accepted
        case follow(TransferRequest)
        /// The digests are equal, so that nothing has to be compared.
        case same
        case refused(String, passes: Bool, askedWait: Int64? = nil)
    }

    init(source: Int, ranges: [Range<Int64>], requestTarget: RequestTarget, now: Int64) {
        self.source = source
        self.ranges = ranges
        self.requestTarget = requestTarget
        startedAt = now
        redirects.hasLeftOrigin = requestTarget.hasLeftOrigin
    }

    /// The range to request now; nil when all blocks are received.
    var range: Range<Int64>? { blocks.count < ranges.count ? ranges[blocks.count] : nil }

    func follow(_ next: TransferRequest, from request: TransferRequest) { verdict = .follow(next) }

    /// Moves to the server of its next request.
    func turn(to next: RequestTarget) {
        redirects.follow(from: requestTarget.request)
        requestTarget = next
    }

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        guard let range, chunk.count <= range.count - bytes.count else { return .enough }
        bytes.append(contentsOf: chunk)
        return .received
    }

    /// Ends an attempt, and returns whether its block is complete.
    func endBlock() -> Bool {
        defer { bytes = [] }
        guard let range, bytes.count == range.count else { return false }
        blocks.append(bytes)
        return true
    }
}

@available(*, unavailable)
extension MirrorProbe: Sendable {}

extension Attempt {
    /// The mirror probe it works for; nil for nearly all.
    var probe: MirrorProbe? { if case .probe(let work) = work { work as? MirrorProbe } else { nil } }
}

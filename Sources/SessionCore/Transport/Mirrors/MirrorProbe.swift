/// Compares a mirror's file with the one that is downloaded: its last block, then its first.
///
/// Confined to the transfer loop. The probe of the source that began the file only fetches the last block.
final class MirrorProbe: BodySink, FurtherWork {
    /// The source's place in the board.
    let source: Int
    /// What is asked for, in order.
    let ranges: [Range<Int64>]
    /// The bytes of the ranges that are here.
    private(set) var blocks: [[UInt8]] = []
    /// What proves the source's answers, once one has come.
    var facts: StoredFacts?
    /// Whom the next request goes to; a redirect changes it.
    var requestTarget: RequestTarget
    var context = RedirectPolicy.Context()
    var attempt: Attempt?
    /// When it began, or was held back last by a limit of ours, in milliseconds.
    var startedAt: Int64
    /// What follows the attempt under way, where its head says so.
    var verdict = Verdict.pending
    private var bytes: [UInt8] = []

    enum Verdict {
        case pending
        case accepted
        case follow(TransferRequest)
        /// Its digest is the file's, so that nothing has to be compared.
        case same
        case refused(String, passes: Bool)
    }

    init(source: Int, ranges: [Range<Int64>], requestTarget: RequestTarget, now: Int64) {
        self.source = source
        self.ranges = ranges
        self.requestTarget = requestTarget
        startedAt = now
        context.hasLeftOrigin = requestTarget.hasLeftOrigin
    }

    /// The range that is asked for now; nil when all are here.
    var range: Range<Int64>? { blocks.count < ranges.count ? ranges[blocks.count] : nil }

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        guard let range, chunk.count <= range.count - bytes.count else { return .enough }
        bytes.append(contentsOf: chunk)
        return .received
    }

    /// An attempt has ended; whether the block it was made for is here.
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
    /// The comparison of a mirror that it was made for; nil for nearly all.
    var probe: MirrorProbe? { if case .probe(let work) = work { work as? MirrorProbe } else { nil } }
}

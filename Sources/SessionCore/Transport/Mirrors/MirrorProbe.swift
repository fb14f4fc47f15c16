/// Compares a mirror's file with the one that is downloaded: its last block, then its first.
///
/// Confined to the transfer loop. The probe of the source that began the file only fetches the last block.
final class MirrorProbe: BodySink {
    /// The source's place in the board.
    let source: Int
    /// What is asked for, in order.
    let ranges: [Range<Int64>]
    /// The bytes of the ranges that are here.
    private(set) var blocks: [[UInt8]] = []
    /// What proves the source's answers, once one has come.
    var facts: StoredFacts?
    /// Whom the next request goes to; a redirect changes it.
    var aim: RequestAim
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
        /// Its digest is that of the file, so that nothing has to be compared.
        case same
        case refused(String, passes: Bool)
    }

    init(source: Int, ranges: [Range<Int64>], aim: RequestAim, now: Int64) {
        self.source = source
        self.ranges = ranges
        self.aim = aim
        startedAt = now
        context.hasLeftOrigin = aim.hasLeftOrigin
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

/// How the answers of mirrors are judged.
enum MirrorAnswer {
    /// The reason why an answer is not what was asked for.
    struct Refusal {
        let reason: String
        /// Whether the file comes only as a whole.
        var sendsWhole = false
        /// Whether the file is another one.
        var isOther = false
    }

    /// Why an answer is not the range of a file of the same length; nil when it is.
    static func refusal(of head: ResponseHead, range: Range<Int64>, length: Int64) -> Refusal? {
        switch head.statusCode {
        case 206: break
        case 200:
            if case .exactly(let count)? = try? BodyLength(head, method: "GET"), count != length {
                return Refusal(reason: otherLength(count, length), isOther: true)
            }
            return Refusal(reason: "It sends the file only as a whole", sendsWhole: true)
        case 416:
            if case .unsatisfied(let total)? = head.headers.singleValue(named: "Content-Range").flatMap({
                ContentRange($0)
            }),
                total != length
            {
                return Refusal(reason: otherLength(total, length), isOther: true)
            }
            return Refusal(reason: "It does not send the part of the file that was asked for")
        default: return Refusal(reason: "It answered \(ResumePolicy.phrase(head))")
        }
        let fields = head.headers.values(named: "Content-Range")
        guard fields.count == 1,
            case .range(let first, let last, let total)? = fields.first.flatMap({ ContentRange($0) }),
            let total
        else { return Refusal(reason: "It did not say which part of the file it sent") }
        guard total == length else { return Refusal(reason: otherLength(total, length), isOther: true) }
        guard first == range.lowerBound, last == range.upperBound - 1, !BodyLength.isEncoded(head) else {
            return Refusal(reason: "It sent another part of the file than was asked for")
        }
        return nil
    }

    static func otherLength(_ count: Int64, _ length: Int64) -> String {
        "Its file has \(count) bytes instead of \(length)"
    }

    /// Whether a refusal may be none later.
    static func passes(_ head: ResponseHead) -> Bool { RetryPolicy.isTransient(status: head.statusCode) }

    /// Whether the digest that an answer announces is that of the file; nil where it tells nothing.
    static func hasDigest(_ known: Checksum?, _ head: ResponseHead) -> Bool? {
        guard let known, let announced = AnnouncedDigest.checksum(of: head), announced.algorithm == known.algorithm,
            known.algorithm == .sha256 || known.algorithm == .sha512
        else { return nil }
        return announced.digest == known.digest
    }
}

extension StoredFacts {
    /// What proves the answers of a mirror that has sent a part of the file.
    init(mirror head: ResponseHead, url: String, length: Int64) {
        self.init(url: url, finalURL: head.url, method: "GET", status: 200)
        entityTag = head.headers.singleValue(named: "ETag").flatMap { EntityTag($0) }?.text
        lastModified = head.headers["Last-Modified"]
        date = head.headers["Date"]
        self.length = length
        acceptRanges = "bytes"
        isFromAnotherURL = true
    }

    /// What may be asked of a source of which nothing is proven: everything but the file's length is unknown.
    init(unproven url: String, length: Int64?) {
        self.init(url: url, finalURL: url, method: "GET", status: 200)
        self.length = length
        isFromAnotherURL = true
    }
}

/// Judges the responses of mirrors.
enum MirrorAnswer {
    /// The reason why a response is not the requested block.
    struct Refusal: Sendable, Equatable {
        let reason: String
        /// Whether the file is sent without ranges only.
        var lacksRanges = false
        /// Whether the file is another one.
        var isOther = false
        /// Milliseconds of the server's `Retry-After`, where it may send the block later.
        var askedWait: Int64?
    }

    /// Returns why a response is not the range of a file of the same length and date; nil if it is.
    ///
    /// - Parameter date: the Last-Modified of the received file; nil if it has none, or if a checksum is known.
    static func refusal(of head: ResponseHead, range: Range<Int64>, length: Int64, date: String?) -> Refusal? {
        switch head.statusCode {
        case 206: break
        case 200:
            if case .exactly(let count)? = try? BodyLength(head, method: "GET"), count != length {
                return Refusal(reason: otherLength(count, length), isOther: true)
            }
            return Refusal(reason: MirrorReasons.noRanges, lacksRanges: true)
        case 416:
            if case .unsatisfied(let total)? = head.headers.singleValue(named: "Content-Range").flatMap({
                ContentRange($0)
            }),
                total != length
            {
                return Refusal(reason: otherLength(total, length), isOther: true)
            }
            return Refusal(reason: MirrorReasons.rangeRefused)
        default: return Refusal(reason: ResumePolicy.phrase(head))
        }
        let fields = head.headers.values(named: "Content-Range")
        guard fields.count == 1,
            case .range(let first, let last, let total)? = fields.first.flatMap({ ContentRange($0) }),
            let total
        else { return Refusal(reason: MirrorReasons.rangeUnnamed) }
        guard total == length else { return Refusal(reason: otherLength(total, length), isOther: true) }
        guard first == range.lowerBound, last == range.upperBound - 1, !BodyLength.isEncoded(head) else {
            return Refusal(reason: MirrorReasons.wrongRange)
        }
        guard StoredMetadata.isOther(date, head.headers["Last-Modified"]) else { return nil }
        return Refusal(reason: MirrorReasons.otherDate, isOther: true)
    }

    static func otherLength(_ count: Int64, _ length: Int64) -> String {
        MirrorReasons.otherLength(count, expected: length)
    }

    /// Whether a refusal may be temporary.
    static func passes(_ head: ResponseHead) -> Bool { RetryPolicy.isTransient(status: head.statusCode) }

    /// Returns the milliseconds for which a refusal asks to be left alone; nil unless it may be temporary.
    static func askedWait(_ head: ResponseHead, now: Int64) -> Int64? {
        passes(head) ? RetryAfter.milliseconds(head, now: now) : nil
    }

    /// Whether the digest that a response announces equals the file's digest; nil if it cannot be compared.
    static func hasDigest(_ known: Checksum?, _ head: ResponseHead) -> Bool? {
        guard let known, let announced = AnnouncedDigest.checksum(of: head), announced.algorithm == known.algorithm,
            known.algorithm == .sha256 || known.algorithm == .sha512
        else { return nil }
        return announced.digest == known.digest
    }
}

extension StoredMetadata {
    /// Takes the facts that prove the responses of a mirror from a range of the file it has sent.
    init(mirror head: ResponseHead, url: String, length: Int64) {
        self.init(url: url, finalURL: head.url, method: "GET", status: 200)
        entityTag = head.headers.singleValue(named: "ETag").flatMap { EntityTag($0) }?.text
        lastModified = head.headers["Last-Modified"]
        date = head.headers["Date"]
        self.length = length
        acceptRanges = "bytes"
        isFromAnotherURL = true
    }

    /// Makes the facts for a request to an unproven source: only the file's length is known.
    init(unproven url: String, length: Int64?) {
        self.init(url: url, finalURL: url, method: "GET", status: 200)
        self.length = length
        isFromAnotherURL = true
    }
}

extension ResumePolicy {
    /// Returns the step after a response that asks to retry later; nil for any other.
    static func judgeTransient(_ head: ResponseHead, now: Int64) -> NextStep? {
        guard RetryPolicy.isTransient(status: head.statusCode) else { return nil }
        return .retry(
            statusError(head), afterMilliseconds: RetryAfter.milliseconds(head, now: now))
    }
}

/// How the answers of mirrors are judged.
enum MirrorAnswer {
    /// The reason why an answer is not what was asked for.
    struct Refusal: Sendable, Equatable {
        let reason: String
        /// Whether the file comes only as a whole.
        var lacksRanges = false
        /// Whether the file is another one.
        var isOther = false
    }

    /// Why an answer is not the range of a file of the same length and date; nil when it is.
    ///
    /// - Parameter date: the Last-Modified of the file that is here; nil where it has none, or where a checksum tells more.
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
        guard StoredFacts.isOther(date, head.headers["Last-Modified"]) else { return nil }
        return Refusal(reason: MirrorReasons.otherDate, isOther: true)
    }

    static func otherLength(_ count: Int64, _ length: Int64) -> String {
        MirrorReasons.otherLength(count, expected: length)
    }

    /// Whether a refusal may be none later.
    static func passes(_ head: ResponseHead) -> Bool { RetryPolicy.isTransient(status: head.statusCode) }

    /// Whether the digest that an answer announces is the file's; nil where it tells nothing.
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

extension ResumePolicy {
    /// What follows an answer that asks to come back later; nil for any other.
    static func judgeTransient(_ head: ResponseHead, now: Int64) -> NextStep? {
        guard RetryPolicy.isTransient(status: head.statusCode) else { return nil }
        return .retry(
            statusError(head), afterMilliseconds: RetryAfter.milliseconds(head, now: now))
    }
}

import SessionSupport

/// Whether and how a partial download goes on, and what each possible answer means.
///
/// Pure functions over values. The rule behind all of them: bytes are joined only when the same strong validator
/// vouches for both sides (RFC 9110, 15.3.7.3); everything else starts again or fails, and never writes a mixture.
enum ResumePolicy {
    /// How many bytes of a part are compared with the server's where nothing else vouches for it.
    static let overlapLength: Int64 = 64 << 10

    /// What is known of going on with a part that holds `partSize` bytes; `hasSeenPart` when the server has sent a
    /// part of the file before.
    static func resumability(
        _ facts: some ContinuationFacts, partSize: Int64, hasSeenPart: Bool, hasChecksum: Bool = false,
        comparesOverlap: Bool = false
    ) -> Resumability {
        guard
            mayResume(facts, partSize: partSize, hasChecksum: hasChecksum, comparesOverlap: comparesOverlap).isGiven
        else { return .no }
        return hasSeenPart || announcesParts(facts.acceptRanges) ? .yes : .unknown
    }

    /// Whether an Accept-Ranges field says that parts can be asked for by bytes.
    static func announcesParts(_ field: String?) -> Bool {
        guard let field else { return false }
        // Nearly every server writes nothing else.
        if ByteText.isSame(field, "bytes") { return true }
        return field.split(separator: ",").contains { ByteText.isSame(ByteText.trimmed($0), "bytes") }
    }

    /// Whether a part that holds `partSize` bytes may be asked to be continued.
    ///
    /// The answer may still be the whole file: a request costs nothing but that. With a checksum, which proves the whole in
    /// the end, no validator is needed, and neither where the end of the part is compared with what the server has now.
    static func mayResume(
        _ facts: some ContinuationFacts, partSize: Int64, hasChecksum: Bool = false, comparesOverlap: Bool = false
    ) -> ResumePermission {
        guard facts.method == "GET" else { return .no(reason: ResumeReasons.otherMethod) }
        guard facts.status == 200 else {
            return .no(reason: ResumeReasons.otherStatus(facts.status))
        }
        if let field = facts.contentEncoding, !CodingNames(field).codings.isEmpty {
            return .no(reason: ResumeReasons.encoded)
        }
        if let ranges = facts.acceptRanges, ByteText.isSame(ByteText.trimmed(ranges), "none") {
            return .no(reason: ResumeReasons.noRangesAnnounced)
        }
        guard partSize > 0 else { return .no(reason: ResumeReasons.nothingReceived) }
        if let length = facts.length, partSize > length {
            return .no(reason: ResumeReasons.partTooLong)
        }
        guard let validator = facts.strongValidator else {
            if hasChecksum { return .yes(nil) }
            if comparesOverlap { return mayCompare(facts, partSize: partSize) }
            return .no(reason: ResumeReasons.unproven)
        }
        return .yes(validator)
    }

    private static func mayCompare(_ facts: some ContinuationFacts, partSize: Int64) -> ResumePermission {
        guard facts.length != nil else {
            return .no(reason: ResumeReasons.endUnknown)
        }
        return partSize > overlapLength ? .yes(nil) : .no(reason: ResumeReasons.tooLittleToCompare)
    }

    /// Whether a request may go on with the part that an earlier one for the same URL has left: only one for the whole
    /// of what the URL names, which is all that a part is known by.
    static func mayAdopt(_ request: TransferRequest) -> Bool {
        request.method == "GET" && request.body == .none && selectingFields.allSatisfy { request.headers[$0] == nil }
    }

    /// Fields that make an answer something else than the whole file.
    private static let selectingFields = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    /// Whether all bytes of the file are there, so that no request is needed.
    static func isComplete(_ facts: StoredFacts, partSize: Int64) -> Bool {
        facts.method == "GET" && facts.status == 200 && facts.length == partSize
    }

    /// The fields of a range request, to be sent with the original URL and `Accept-Encoding: identity`.
    ///
    /// Nil when ``mayResume(_:partSize:)`` says no. Nothing else conditional may be sent beside them: an
    /// If-Modified-Since would turn the answer into a 304.
    ///
    /// Without a validator, for a part whose checksum is known, the range is asked for as it is; without either it
    /// begins before the end of the part, which is compared. So does the range that is asked of another source than the
    /// bytes came from.
    /// - Parameters:
    ///   - url: whom this request goes to, which a redirect changes; nil where no other source can be compared.
    ///   - end: where what is here already begins again; nil, or the file's length, for all that follows.
    ///   - history: what earlier answers have shown, by which more ranges have to repeat the end of the part.
    static func rangeRequest(
        _ facts: StoredFacts, of url: String? = nil, offset: Int64, end: Int64? = nil, hasChecksum: Bool = false,
        comparesOverlap: Bool = false, history: ResumeHistory = ResumeHistory()
    ) -> (range: String, ifRange: String?)? {
        guard
            case .yes(let validator) = mayResume(
                facts, partSize: offset, hasChecksum: hasChecksum, comparesOverlap: comparesOverlap)
        else { return nil }
        let overlap = history.overlap(facts, at: url, offset: offset, hasChecksum: hasChecksum)
        let first = max(offset - overlap, 0)
        let condition = history.joinsByContent ? nil : validator?.text
        guard let end, end > offset, end != facts.length else { return ("bytes=\(first)-", condition) }
        return ("bytes=\(first)-\(end - 1)", condition)
    }

    /// Decides about the final head of a download's answer.
    ///
    /// Redirects that are followed never come here.
    /// - Parameters:
    ///   - request: the transfer's own request with the original URL, not that of a redirect.
    ///   - facts: what was stored with the part when this request carried a range; nil for a fresh request.
    ///   - offset: the first byte that was asked for: the length of the part.
    ///   - hasChecksum: whether a checksum proves the whole in the end.
    ///   - comparesOverlap: whether the end of the part is compared where nothing else vouches for it.
    ///   - expectation: what a whole answer is measured by, beside the facts.
    ///   - now: seconds since 1970, for a Retry-After date.
    static func judge(
        _ head: ResponseHead, request: TransferRequest, facts: StoredFacts?, offset: Int64,
        hasChecksum: Bool = false, comparesOverlap: Bool = false, expectation: FileExpectation = FileExpectation(),
        history: ResumeHistory = ResumeHistory(), now: Int64
    ) -> ResumeAction {
        if let common = judgeStatus(head, request: request, now: now) { return common }
        guard let facts, offset > 0 else { return judgeFresh(head, request: request, expectation) }
        var expectation = expectation
        if expectation.known == nil { expectation.known = .stored(facts) }
        expectation.partSize = max(expectation.partSize, offset)
        let range = RangeAnswer(
            head: head, request: request, facts: facts, offset: offset, hasChecksum: hasChecksum,
            comparesOverlap: comparesOverlap, expectation: expectation, history: history)
        return range.judge()
    }

    /// The statuses that mean the same with and without a range.
    private static func judgeStatus(_ head: ResponseHead, request: TransferRequest, now: Int64) -> ResumeAction? {
        switch head.statusCode {
        case 204, 205:
            return .failure(error(.noContent, ResponseErrors.noContent(phrase(head)), head))
        case 401, 407:
            let message =
                head.statusCode == 401
                ? ResponseErrors.credentials(phrase(head)) : ResponseErrors.proxyCredentials(phrase(head))
            return .failure(error(.authenticationRequired, message, head))
        case let status where RetryPolicy.isTransient(status: status, of: request):
            return .waitAndRetry(afterMilliseconds: RetryAfter.milliseconds(head, now: now), statusError(head))
        case 412, 416:
            return nil
        case 400...599:
            return .failure(statusError(head))
        default:
            return nil
        }
    }

    private static func judgeFresh(
        _ head: ResponseHead, request: TransferRequest, _ expectation: FileExpectation
    ) -> ResumeAction {
        switch head.statusCode {
        case 206 where request.headers["Range"] == nil:
            guard let count = ContentRange.whole(head, method: request.method) else {
                return .failure(error(.badResponse, ResponseErrors.unaskedPart, head))
            }
            let length = BodyLength.exactly(count)
            return expectation.refusal(of: head, length: length).map { .failure($0) } ?? .fresh(length)
        case 200...299:
            do throws(SessionError) {
                let length = try BodyLength(head, method: request.method)
                return expectation.refusal(of: head, length: length).map { .failure($0) } ?? .fresh(length)
            } catch {
                return .failure(error)
            }
        case 304:
            return .failure(error(.noContent, ResponseErrors.notModified, head))
        case 300...399:
            return .failure(error(.badResponse, RedirectErrors.notFollowed(phrase(head)), head))
        case 400...599:
            return .failure(statusError(head))
        default:
            return .failure(error(.badResponse, ResponseErrors.unexpectedStatus(head.statusCode), head))
        }
    }

    /// Status code and reason for a sentence.
    static func phrase(_ head: ResponseHead) -> String {
        head.reasonPhrase.isEmpty ? "\(head.statusCode)" : "\(head.statusCode) \(head.reasonPhrase)"
    }

    /// The error of a response whose status is one.
    static func statusError(_ head: ResponseHead) -> SessionError {
        error(.http, head.statusSentence, head)
    }

    static func error(_ code: SessionError.Code, _ message: String, _ head: ResponseHead) -> SessionError {
        SessionError(code, message, failingURL: head.url, statusCode: head.statusCode)
    }
}

extension ResponseHead {
    /// The status and who sent it: `404 Not Found from example.com`.
    package var statusSentence: String { ResponseErrors.status(ResumePolicy.phrase(self), Origin.place(of: url)) }
}

/// What to do with an answer to a download's request, decided at its head, before any byte of the body is read.
enum ResumeAction: Sendable, Equatable {
    /// A new download: store the facts of this answer, then write the body from offset 0.
    case fresh(BodyLength)
    /// The next bytes of the part.
    case append(AppendPlan)
    /// The whole of something newer: write it to a second part and keep the first until the second is complete or
    /// larger.
    ///
    /// The reason is a sentence. Large cases are indirect: with the evidence of a download (``DownloadEvidence``) that
    /// is 13,600 instructions less for each small file.
    indirect case newGeneration(StoredFacts, BodyLength, reason: String)
    /// Drop this connection and the part, and ask again without a range.
    ///
    /// The reason is a sentence.
    case restart(reason: String)
    /// The part is whole already, and is verified and finished without a request.
    case finishWithoutBody
    /// Drop this connection and ask once more with the range and `If-Match` instead of `If-Range`: the server seems to
    /// ignore ranges when If-Range holds a tag.
    case retryWithIfMatch(String)
    /// Drop this connection and ask once more for a range that repeats the end of the part: the answer names a range, but
    /// nothing shows that its bytes are that range's.
    case retryWithOverlap
    /// Drop this connection, keep the part and ask once more for the same range: the answer is none, but does not say that the
    /// file is another.
    case askAgain
    /// Drop this connection, keep the part and try later: not before so many milliseconds, where the server said so.
    ///
    /// The error is what the transfer fails with when its tries are used up.
    indirect case waitAndRetry(afterMilliseconds: Int64?, SessionError)
    /// The transfer ends; the part stays.
    indirect case failure(SessionError)
}

/// Where the body of a verified 206 goes.
struct AppendPlan: Sendable, Equatable {
    /// Offset in the file at which new bytes begin: what the part holds.
    var offset: Int64
    /// How many bytes at the body's start repeat the part's end.
    ///
    /// They must equal it; then they are skipped.
    var overlap: Int64
    /// How many new bytes may be taken.
    ///
    /// Whatever the server sends beyond them is dropped with its connection.
    var limit: Int64
    /// The length of the whole file.
    var total: Int64

    /// Whether the file is complete when ``limit`` bytes were taken; else another range has to be asked for.
    var completesFile: Bool { offset + limit == total }
}

/// Whether the rest of a part may be asked for with a range request.
enum ResumePermission: Sendable, Equatable {
    /// Yes, proven by this validator; nil where the checksum of the whole proves it in the end.
    case yes(StoredFacts.Validator?)
    /// No; the reason is a sentence for a person.
    case no(reason: String)

    /// Whether it may.
    var isGiven: Bool {
        switch self {
        case .yes: true
        case .no: false
        }
    }
}

import SessionSupport

/// The decision whether a partial download is resumed, and the meaning of each possible response.
///
/// Pure functions over values. Their common rule: bytes are joined only when one strong validator covers both sides
/// (RFC 9110, 15.3.7.3); every other case restarts or fails, and never writes a mixture.
enum ResumePolicy {
    /// Bytes of a part that are compared with the server's when no other proof exists.
    static let overlapLength: Int64 = 64 << 10

    /// Returns whether a part of `partSize` bytes can be resumed, as far as known; `hasSeenPart` if the server has sent
    /// a range of the file before.
    static func resumability(
        _ metadata: some ResponseMetadata, partSize: Int64, hasSeenPart: Bool, hasChecksum: Bool = false,
        comparesOverlap: Bool = false
    ) -> Resumability {
        guard
            mayResume(metadata, partSize: partSize, hasChecksum: hasChecksum, comparesOverlap: comparesOverlap).isGiven
        else { return .no }
        return hasSeenPart || announcesParts(metadata.acceptRanges) ? .yes : .unknown
    }

    /// Returns whether an Accept-Ranges field announces byte ranges.
    static func announcesParts(_ field: String?) -> Bool {
        guard let field else { return false }
        // Nearly every server writes only this.
        if ByteText.isSame(field, "bytes") { return true }
        return field.split(separator: ",").contains { ByteText.isSame(ByteText.trimmed($0), "bytes") }
    }

    /// Returns whether a range request for the rest of a part of `partSize` bytes may be sent.
    ///
    /// The response may still be the full file, which is the only cost of the request. No validator is needed with a
    /// checksum, which proves the full file in the end, or if the end of the part is compared with the server's bytes.
    static func mayResume(
        _ metadata: some ResponseMetadata, partSize: Int64, hasChecksum: Bool = false, comparesOverlap: Bool = false
    ) -> ResumePermission {
        guard metadata.method == "GET" else { return .no(reason: ResumeReasons.otherMethod) }
        guard metadata.status == 200 else {
            return .no(reason: ResumeReasons.otherStatus(metadata.status))
        }
        if let field = metadata.contentEncoding, !CodingNames(field).codings.isEmpty {
            return .no(reason: ResumeReasons.encoded)
        }
        if let ranges = metadata.acceptRanges, ByteText.isSame(ByteText.trimmed(ranges), "none") {
            return .no(reason: ResumeReasons.noRangesAnnounced)
        }
        guard partSize > 0 else { return .no(reason: ResumeReasons.nothingReceived) }
        if let length = metadata.length, partSize > length {
            return .no(reason: ResumeReasons.partTooLong)
        }
        guard let validator = metadata.strongValidator else {
            if hasChecksum { return .yes(nil) }
            if comparesOverlap { return mayCompare(metadata, partSize: partSize) }
            return .no(reason: ResumeReasons.unproven)
        }
        return .yes(validator)
    }

    private static func mayCompare(_ metadata: some ResponseMetadata, partSize: Int64) -> ResumePermission {
        guard metadata.length != nil else {
            return .no(reason: ResumeReasons.endUnknown)
        }
        return partSize > overlapLength ? .yes(nil) : .no(reason: ResumeReasons.tooLittleToCompare)
    }

    /// Returns whether a request may resume a part left by an earlier one for the same URL: only a request for the full
    /// resource, because a part is identified by its URL alone.
    static func mayAdopt(_ request: TransferRequest) -> Bool {
        let headers = request.headers
        return request.method == "GET" && request.body == .none
            && (headers.isEmpty || selectingFields.allSatisfy { headers[$0] == nil })
    }

    /// Fields that turn a response into something else than the full file.
    private static let selectingFields = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]

    /// Returns whether all bytes of the file are present, so that no request is needed.
    ///
    /// Bytes of another URL are the file of this one only when its server has shown that.
    static func isComplete(_ metadata: StoredMetadata, partSize: Int64) -> Bool {
        metadata.method == "GET" && metadata.status == 200 && metadata.length == partSize
            && (!metadata.isFromAnotherURL || metadata.isSource(metadata.url))
    }

    /// Returns the fields of a range request, which also needs the original URL and `Accept-Encoding: identity`.
    ///
    /// Nil when ``mayResume(_:partSize:)`` says no. No other conditional field may be sent with them: an
    /// If-Modified-Since would turn the response into a 304.
    ///
    /// Without a validator, but with a checksum, the range starts at the part's end. Without either it starts earlier,
    /// and the overlap is compared. The same applies to a range from another source than the part's bytes.
    /// - Parameters:
    ///   - url: the target of this request, which a redirect changes; nil if no other source can be compared.
    ///   - end: the offset at which known bytes follow; nil, or the file's length, for the full rest.
    ///   - history: the earlier responses, which may demand an overlap for more ranges.
    static func rangeRequest(
        _ metadata: StoredMetadata, of url: String? = nil, offset: Int64, end: Int64? = nil, hasChecksum: Bool = false,
        comparesOverlap: Bool = false, history: ResumeHistory = ResumeHistory()
    ) -> (range: String, ifRange: String?)? {
        guard
            case .yes(let validator) = mayResume(
                metadata, partSize: offset, hasChecksum: hasChecksum, comparesOverlap: comparesOverlap)
        else { return nil }
        let overlap = history.overlap(metadata, at: url, offset: offset, hasChecksum: hasChecksum)
        let first = max(offset - overlap, 0)
        let condition = history.joinsByContent ? nil : validator?.text
        guard let end, end > offset, end != metadata.length else { return ("bytes=\(first)-", condition) }
        return ("bytes=\(first)-\(end - 1)", condition)
    }

    /// Decides about the final head of a download's response.
    ///
    /// A redirect that is followed never gets here.
    /// - Parameters:
    ///   - request: the transfer's own request with the original URL, not a redirect's.
    ///   - metadata: the facts stored with the part if this request carried a range; nil for a fresh request.
    ///   - offset: the first requested byte, which is the length of the part.
    ///   - hasChecksum: true if a checksum proves the full file in the end.
    ///   - comparesOverlap: true if the end of the part is compared when no other proof exists.
    ///   - expectation: what a full response is checked against, besides the facts.
    ///   - now: seconds since 1970, for a Retry-After date.
    static func judge(
        _ head: ResponseHead, request: TransferRequest, metadata: StoredMetadata?, offset: Int64,
        hasChecksum: Bool = false, comparesOverlap: Bool = false, expectation: FileExpectation = FileExpectation(),
        history: ResumeHistory = ResumeHistory(), now: Int64
    ) -> ResumeAction {
        if let common = judgeStatus(head, request: request, now: now) { return common }
        guard let metadata, offset > 0 else { return judgeFresh(head, request: request, expectation) }
        var expectation = expectation
        if expectation.known == nil { expectation.known = .stored(metadata) }
        expectation.partSize = max(expectation.partSize, offset)
        let range = RangeAnswer(
            head: head, request: request, metadata: metadata, offset: offset, hasChecksum: hasChecksum,
            comparesOverlap: comparesOverlap, expectation: expectation, history: history)
        return range.judge()
    }

    /// Judges the statuses that mean the same with and without a range.
    private static func judgeStatus(_ head: ResponseHead, request: TransferRequest, now: Int64) -> ResumeAction? {
        switch head.statusCode {
        case 204, 205:
            return .failure(error(.noContent, ResponseErrors.noContent(phrase(head)), head))
        case 401:
            return .failure(error(.authenticationRequired, ResponseErrors.credentials(phrase(head)), head))
        case 407:
            return .failure(head.proxyRefusal)
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
            guard let count = ContentRange.fullLength(head, method: request.method) else {
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

    /// Returns status code and reason for a message.
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
    /// The status and its sender: `404 Not Found from example.com`.
    package var statusSentence: String { ResponseErrors.status(ResumePolicy.phrase(self), Origin.label(of: url)) }

    /// The error of a 407, which comes from a proxy: the request's server has not seen the request.
    package var proxyRefusal: SessionError {
        let message = ResponseErrors.proxyCredentials(ResumePolicy.phrase(self))
        var error = ResumePolicy.error(.authenticationRequired, message, self)
        error.advice = .giveProxyCredentials
        return error
    }
}

/// The action after a response to a download's request, decided at its head, before any byte of the body is read.
enum ResumeAction: Sendable, Equatable {
    /// Starts a new download: store the metadata of this response, then write the body from offset 0.
    case fresh(BodyLength)
    /// Appends the body to the part.
    case append(AppendPlan)
    /// Writes a full newer file to a second part, and keeps the first until the second is complete or larger.
    ///
    /// The reason is a sentence. Large cases are indirect: together with ``DownloadEvidence`` that saves 13,600
    /// instructions for each small file.
    indirect case newGeneration(StoredMetadata, BodyLength, reason: String)
    /// Drops this connection and the part, and sends the request again without a range.
    ///
    /// The reason is a sentence.
    case restart(reason: String)
    /// Verifies and finishes the part without a request, because it is complete.
    case finishWithoutBody
    /// Drops this connection and repeats the range request with `If-Match` instead of `If-Range`: the server seems to
    /// ignore ranges when If-Range contains a tag.
    case retryWithIfMatch(String)
    /// Drops this connection and requests a range that repeats the end of the part: the response names a range, but no
    /// proof shows that its bytes are from that range.
    case retryWithOverlap
    /// Drops this connection, keeps the part and repeats the range request: the response is not a range, but does not
    /// show another file.
    case askAgain
    /// Drops this connection, keeps the part and retries later, after this many milliseconds if the server said so.
    ///
    /// The transfer fails with the error when its tries are used up.
    indirect case waitAndRetry(afterMilliseconds: Int64?, SessionError)
    /// Ends the transfer; the part stays.
    indirect case failure(SessionError)
}

/// The target range of a verified 206's body.
struct AppendPlan: Sendable, Equatable {
    /// Offset in the file of the first new byte, which is the length of the part.
    var offset: Int64
    /// Bytes at the body's start that repeat the part's end.
    ///
    /// They must equal it; then they are skipped.
    var overlap: Int64
    /// New bytes to accept at most.
    ///
    /// Further bytes from the server are dropped with the connection.
    var limit: Int64
    /// Length of the full file.
    var total: Int64

    /// True if the file is complete after ``limit`` bytes; else another range is needed.
    var completesFile: Bool { offset + limit == total }
}

/// The permission to request the rest of a part by a range.
enum ResumePermission: Sendable, Equatable {
    /// Proven by this validator; nil if the checksum of the full file proves it in the end.
    case yes(StoredMetadata.Validator?)
    /// The reason is a sentence for the user.
    case no(reason: String)

    var isGiven: Bool {
        switch self {
        case .yes: true
        case .no: false
        }
    }
}

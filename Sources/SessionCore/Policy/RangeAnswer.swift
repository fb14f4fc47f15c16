import SessionSupport

/// The response to a range request, and the checks that decide whether its bytes belong to the part.
struct RangeAnswer {
    var head: ResponseHead
    var request: TransferRequest
    var metadata: StoredMetadata
    /// Length of the part, which is the first requested byte.
    var offset: Int64
    /// True if a checksum proves the full file in the end, so that bytes may be joined without a validator.
    var hasChecksum = false
    /// True if the end of the part is compared when no other proof exists.
    var comparesOverlap = false
    /// The facts that a full response is checked against.
    var expectation: FileExpectation
    var history: ResumeHistory

    func judge() -> ResumeAction {
        if let total = otherTotal {
            let message = ResumeErrors.otherURLSize(total, expected: metadata.length ?? 0)
            return .failure(refusal(.resourceChanged, message))
        }
        return switch head.statusCode {
        case 206: judgePart()
        case 200: judgeComplete()
        case 416: judgeUnsatisfied()
        case 412: restart(ResumeReasons.fileChanged)
        case 304: odd(ResumeReasons.rangeAnswered(304), limit: 1)
        case 201...299: odd(ResumeReasons.rangeAnswered(head.statusCode), limit: 1)
        case 300...399:
            .failure(refusal(.badResponse, RedirectErrors.notFollowed(phrase)))
        default:
            .failure(refusal(.badResponse, ResponseErrors.unexpectedStatus(head.statusCode)))
        }
    }

    private var phrase: String { ResumePolicy.phrase(head) }

    private func refusal(_ code: SessionError.Code, _ message: String) -> SessionError {
        ResumePolicy.error(code, message, head)
    }

    private func restart(_ reason: String, limit: Int) -> ResumeAction {
        guard history.restarts < limit else {
            var error = refusal(.badResponse, ResumeReasons.again(reason))
            if limit == history.restartLimit { error.advice = .proveContent }
            return .failure(error)
        }
        return .restart(reason: reason)
    }

    private func restart(_ reason: String) -> ResumeAction { restart(reason, limit: history.restartLimit) }

    /// Asks again for a response that is not a range and does not show another file, before bytes are discarded.
    private func odd(_ reason: String, limit: Int? = nil) -> ResumeAction {
        guard history.mayAskAgain, !metadata.isOther(head, length: ContentRange.total(of: head)) else {
            return restart(reason, limit: limit ?? history.restartLimit)
        }
        return .askAgain
    }

    // MARK: - 206

    private func judgePart() -> ResumeAction {
        switch verifiedRange() {
        case .success(let plan) where plan.overlap == 0 && !isCounted: .retryWithOverlap
        case .success(let plan): .append(plan)
        case .failure(let refusal): refusal.isOdd ? odd(refusal.reason) : restart(refusal.reason)
        }
    }

    /// Returns whether the response announces its length, so that it cannot exceed the range it names.
    private var isCounted: Bool {
        if case .exactly? = try? BodyLength(head, method: request.method) { true } else { false }
    }

    private struct Refusal: Error {
        var reason: String
        /// True if the same request may get a better response.
        var isOdd = true

        init(_ reason: String) { self.reason = reason }

        /// A refusal because the file is another, or because no response can ever prove that it is not.
        static func final(_ reason: String) -> Refusal {
            var refusal = Refusal(reason)
            refusal.isOdd = false
            return refusal
        }
    }

    private func verifiedRange() -> Result<AppendPlan, Refusal> {
        if StoredMetadata.mediaType(head.headers["Content-Type"]) == "multipart/byteranges" {
            return .failure(Refusal(ResumeReasons.severalParts))
        }
        if BodyLength.isEncoded(head) {
            return .failure(Refusal(ResumeReasons.encodedRange))
        }
        let fields = head.headers.values(named: "Content-Range")
        guard fields.count == 1, let parsed = fields.first.flatMap({ ContentRange($0) }),
            case .range(let first, let last, let total) = parsed
        else {
            return .failure(Refusal(ResumeReasons.rangeUnnamed))
        }
        if let reason = lengthMismatch(first: first, last: last, total: total) { return .failure(Refusal(reason)) }
        if let refusal = validatorMismatch() { return .failure(refusal) }
        if let reason = sourceMismatch() ?? (first > 0 ? dateMismatch() : nil) { return .failure(.final(reason)) }
        guard let known = total ?? metadata.length else {
            return .failure(.final(ResumeReasons.lengthUnknown))
        }
        guard first <= offset, offset <= last + 1 else {
            return .failure(Refusal(ResumeReasons.wrongRange))
        }
        guard offset - first >= neededOverlap, metadata.strongValidator != nil || hasChecksum || total != nil else {
            return .failure(Refusal(ResumeReasons.overlapTooShort))
        }
        return .success(AppendPlan(offset: offset, overlap: offset - first, limit: last + 1 - offset, total: known))
    }

    /// The bytes at the part's end that must be received again for the comparison.
    private var neededOverlap: Int64 {
        history.overlap(metadata, at: head.url, offset: offset, hasChecksum: hasChecksum)
    }

    private func lengthMismatch(first: Int64, last: Int64, total: Int64?) -> String? {
        if let total, let length = metadata.length, total != length {
            return ResumeReasons.sizeDiffers(total, was: length)
        }
        if let length = metadata.length, last >= length {
            return ResumeReasons.rangeBeyondEnd
        }
        do throws(SessionError) {
            if case .exactly(let count) = try BodyLength(head, method: request.method), count != last - first + 1 {
                return ResumeReasons.rangeLengthDiffers
            }
            return nil
        } catch {
            return error.message
        }
    }

    /// A 206 must repeat the validator that its 200 would carry; without it nothing proves that both are one file.
    private func validatorMismatch() -> Refusal? {
        if history.joinsByContent {
            return metadata.hasOtherDate(head)
                ? .final(ResumeReasons.dateDiffers) : nil
        }
        switch metadata.strongValidator {
        case .entityTag(let stored):
            let tags = head.headers.values(named: "ETag")
            guard !tags.isEmpty else {
                return Refusal(ResumeReasons.tagMissing)
            }
            guard tags.count == 1, let tag = tags.first, tag.utf8.elementsEqual(stored.utf8) else {
                return .final(ResumeReasons.tagDiffers)
            }
            return nil
        case .lastModified(let stored):
            guard let date = head.headers["Last-Modified"] else {
                return Refusal(ResumeReasons.dateMissing)
            }
            guard date.utf8.elementsEqual(stored.utf8) else {
                return .final(ResumeReasons.dateDiffers)
            }
            return nil
        case nil where hasChecksum || comparesOverlap:
            return metadata.hasOtherValidator(head) ? .final(ResumeReasons.fileChanged) : nil
        case nil:
            return .final(ResumeReasons.unproven)
        }
    }

    /// Two resources may share a tag by chance, and two versions the bytes at the end of a part.
    ///
    /// Their dates therefore must agree too, unless a checksum decides or the response repeats the full part.
    private func dateMismatch() -> String? {
        guard !metadata.isSource(head.url), !history.joinsByContent, metadata.strongValidator != nil else { return nil }
        if metadata.hasOtherDate(head) { return ResumeReasons.sourceDateDiffers }
        guard metadata.isFromAnotherURL, !hasChecksum,
            metadata.lastModified == nil || head.headers["Last-Modified"] == nil
        else { return nil }
        return ResumeReasons.otherURLUnproven
    }

    /// Validators compare versions of one resource only (RFC 9110, 8.8.3).
    ///
    /// So a redirect to another target means another file, unless another server has the same file name, as mirrors do;
    /// then the bytes are compared.
    private func sourceMismatch() -> String? {
        guard !metadata.isFromAnotherURL, head.url != request.url || metadata.finalURL != metadata.url else {
            return nil
        }
        let (old, new) = (URLScan(metadata.finalURL), URLScan(head.url))
        let isSame =
            metadata.isServer(of: head.url)
            ? metadata.finalURL[old.path] == head.url[new.path]
            : metadata.finalURL[old.lastComponent] == head.url[new.lastComponent]
        return isSame ? nil : ResumeReasons.redirectChanged
    }

    /// The file's length at a new URL if it differs from the part's file.
    private var otherTotal: Int64? {
        guard metadata.isFromAnotherURL, let length = metadata.length else { return nil }
        var total: Int64?
        switch head.statusCode {
        case 200:
            if case .exactly(let count)? = try? BodyLength(head, method: request.method) { total = count }
        case 206, 416:
            total = ContentRange.total(of: head)
        default: break
        }
        return total == length ? nil : total
    }

    // MARK: - 200

    private func judgeComplete() -> ResumeAction {
        do throws(SessionError) {
            let length = try BodyLength(head, method: request.method)
            let fresh = StoredMetadata(request: request, head: head, length: length)
            if let tag = unchangedTag(fresh), !history.usedIfMatch, !history.asksForAll {
                return .retryWithIfMatch(tag)
            }
            guard unchangedTag(fresh) == nil else {
                let refusal = history.rangeRefusal.map(ResumeReasons.fullFileRequested)
                return .newGeneration(fresh, length, reason: refusal ?? ResumeReasons.noRanges)
            }
            if let refusal = expectation.refusal(of: head, length: length) { return .failure(refusal) }
            if history.mayAskAgain, isOddComplete(fresh) { return .askAgain }
            let reason = fullFileReason(fresh)
            guard !metadata.isOther(head, length: fresh.length) || history.mayRestart else {
                return .failure(history.giveUp(reason, isOtherFile: isOtherFile(fresh), at: head.url))
            }
            return .newGeneration(fresh, length, reason: reason)
        } catch {
            return .failure(error)
        }
    }

    /// Returns whether a server with tags and ranges sent a full response without a tag, while no fact shows a change.
    private func isOddComplete(_ fresh: StoredMetadata) -> Bool {
        metadata.tag != nil && head.headers.values(named: "ETag").isEmpty
            && ResumePolicy.announcesParts(metadata.acceptRanges)
            && !metadata.isOther(head, length: fresh.length)
    }

    /// Returns whether more than the tag differs.
    private func isOtherFile(_ fresh: StoredMetadata) -> Bool {
        metadata.hasOtherDate(head) || metadata.length != fresh.length
    }

    /// Returns the reason for a full response to a range request; it says "changed" only if the response shows it.
    private func fullFileReason(_ fresh: StoredMetadata) -> String {
        if metadata.hasOtherValidator(head) { return ResumeReasons.fileChanged }
        if let old = metadata.length, let new = fresh.length, old != new {
            return ResumeReasons.sizeDiffers(new, was: old)
        }
        return ResumePolicy.announcesParts(metadata.acceptRanges)
            ? ResumeReasons.announcedRangeIgnored
            : ResumeReasons.rangeIgnored
    }

    /// Returns the strong tag that a full response shares with the part: the server ignored the range.
    private func unchangedTag(_ fresh: StoredMetadata) -> String? {
        guard case .entityTag(let stored) = metadata.strongValidator, case .entityTag(let tag) = fresh.strongValidator,
            tag.utf8.elementsEqual(stored.utf8), fresh.length == metadata.length
        else { return nil }
        return stored
    }

    // MARK: - 416

    private func judgeUnsatisfied() -> ResumeAction {
        let fields = head.headers.values(named: "Content-Range")
        guard fields.count == 1, case .unsatisfied(let total) = fields.first.flatMap({ ContentRange($0) }) else {
            return odd(ResumeReasons.refusalUnnamed, limit: 1)
        }
        guard total == offset else {
            // For a file whose length was unknown, nothing proves that it is the same.
            return metadata.length == total ? odd(unsatisfiedReason(total)) : restart(unsatisfiedReason(total))
        }
        if let reason = sourceMismatch() { return restart(reason) }
        // A server that evaluates If-Range first sends 416 only for the part's own file; not all servers do.
        let isLeftToChecksum = hasChecksum && metadata.strongValidator == nil && !metadata.hasOtherValidator(head)
        if !isLeftToChecksum, let tag = head.headers.singleValue(named: "ETag") {
            guard case .entityTag(let stored) = metadata.strongValidator, tag.utf8.elementsEqual(stored.utf8) else {
                return restart(ResumeReasons.tagDiffers)
            }
            if metadata.length == nil, metadata.isSource(head.url) { return .finishWithoutBody }
        }
        guard metadata.length == total else {
            if metadata.length == nil, isLeftToChecksum { return .finishWithoutBody }
            guard metadata.length == nil else {
                return restart(unsatisfiedReason(total))
            }
            return restart(ResumeReasons.refusalUnknown, limit: 1)
        }
        return .finishWithoutBody
    }

    private func unsatisfiedReason(_ total: Int64) -> String {
        switch metadata.length {
        case total: ResumeReasons.rangeRefused(at: offset, of: total)
        case let length?: ResumeReasons.sizeDiffers(total, was: length)
        case nil: ResumeReasons.sizeDiffers(total, partial: offset)
        }
    }
}

/// The value of a Content-Range field (RFC 9110, 14.4).
enum ContentRange: Sendable, Equatable {
    /// `bytes first-last/total`; the total is nil for `*`.
    case range(first: Int64, last: Int64, total: Int64?)
    /// `bytes */total`, which goes with status 416.
    case unsatisfied(total: Int64)

    /// Returns the full length that a response names; nil for none.
    static func total(of head: ResponseHead) -> Int64? {
        switch head.headers.singleValue(named: "Content-Range").flatMap({ ContentRange($0) }) {
        case .range(_, _, let total): total
        case .unsatisfied(let total): total
        case nil: nil
        }
    }

    /// Parses a value; nil for another unit, contradictory numbers, or numbers that do not fit.
    init?(_ text: String) {
        let words = ByteText.trimmed(text).split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, ByteText.lowercased(words[0]) == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0] == "*" {
            guard let total = ByteText.decimal(parts[1]) else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ByteText.decimal(ends[0]), let last = ByteText.decimal(ends[1]),
            first <= last, last < Int64.max
        else { return nil }
        if parts[1] == "*" {
            self = .range(first: first, last: last, total: nil)
            return
        }
        guard let total = ByteText.decimal(parts[1]), last < total else { return nil }
        self = .range(first: first, last: last, total: total)
    }

    /// Returns the length of a file that a 206 contains completely although no range was requested; nil for a smaller
    /// range or a contradiction.
    static func fullLength(_ head: ResponseHead, method: String) -> Int64? {
        guard StoredMetadata.mediaType(head.headers["Content-Type"]) != "multipart/byteranges",
            !BodyLength.isEncoded(head),
            case .range(0, let last, let total?)? = head.headers.singleValue(named: "Content-Range").flatMap({
                ContentRange($0)
            }),
            last + 1 == total, let length = try? BodyLength(head, method: method)
        else { return nil }
        return length.byteCount ?? total == total ? total : nil
    }
}

/// Whether a response has a body, and which.
extension AnswerSteps {
    // MARK: - Responses without a body

    /// Judges lengths that contradict each other or are no numbers, in every role: the end of the body is unknown, and
    /// the connection cannot be used again (RFC 9112, 6.3).
    static let lengths: AnswerStep = { head, role, facts in
        do throws(SessionError) {
            _ = try BodyLength(head, method: facts.request.method)
            return nil
        } catch {
            switch role {
            case .lead: return .unread(error)
            case .branch, .part: return .range(.contradicts)
            case .probe: return .block(.refused(MirrorAnswer.Refusal(reason: error.message), passes: false))
            }
        }
    }

    /// Judges the response to a resumable upload.
    static let uploadStep: AnswerStep = { head, role, facts in
        guard role == .lead else { return nil }
        return switch facts.uploadOutcome(of: head) {
        case .answer, nil: nil
        case .next: .uploadStep(restarts: nil)
        case .readBody: .uploadAnswer
        case .restartFromZero(let reason): .uploadStep(restarts: reason)
        case .later(let error): .later(error, afterMilliseconds: RetryAfter.milliseconds(head, now: facts.time))
        case .fail(let error): .refused(error)
        }
    }

    /// Judges a response that asks to retry later, where every status is a response for the caller: retries as long as
    /// allowed, so that the last one is the response after all.
    ///
    /// Downloads judge such a status with the file. After a redirect, the original request is the one that is retried.
    static let later: AnswerStep = { head, role, facts in
        guard RetryPolicy.isTransient(status: head.statusCode, of: facts.request), role == .lead, facts.takesEveryStatus
        else {
            return nil
        }
        var error = ResumePolicy.statusError(head)
        error.failingURL = facts.request.url
        let delay = RetryAfter.milliseconds(head, now: facts.time)
        return facts.mayTryAgain(after: error, delay: delay) ? .later(error, afterMilliseconds: delay) : nil
    }

    /// Judges the announced size against the limit; when a body is continued, the received bytes count too.
    static let size: AnswerStep = { head, role, facts in
        guard (200..<300).contains(head.statusCode), role == .lead, let limit = facts.sizeLimit,
            let size = announcedSize(of: head, facts), size > limit
        else { return nil }
        let sentence = ResponseErrors.tooLarge(size, limit: limit)
        return .unread(SessionError(.bodyTooLarge, sentence, failingURL: facts.request.url))
    }

    /// Returns the size that a response announces for the body it begins or continues; nil for none.
    ///
    /// The response to a range may begin before the missing bytes. A range that the caller asks for is a body of its
    /// own, and the file of a source that has to be compared may be another one.
    static func announcedSize(of head: ResponseHead, _ facts: any AnswerFacts) -> Int64? {
        let count = (try? BodyLength(head, method: facts.request.method))?.byteCount
        guard head.statusCode == 206, facts.original.headers["Range"] == nil else { return count }
        guard
            case .range(let first, let last, let total)? = head.headers.singleValue(named: "Content-Range").flatMap({
                ContentRange($0)
            })
        else { return count.map { sum($0, facts.contiguousEnd) } }
        let whole = facts.file?.foreignLead == nil ? total ?? 0 : 0
        return max(count.map { sum($0, first) } ?? last + 1, whole)
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, isTooLarge) = left.addingReportingOverflow(right)
        return isTooLarge ? .max : sum
    }

    // MARK: - Files

    /// Judges the response to a request about an existing file.
    static let copy: AnswerStep = { head, _, facts in
        guard let copy = facts.file?.copyAskedFor, let validator = copy.validator else { return nil }
        switch head.statusCode {
        case 304 where !copy.isCompared:
            switch validator.judge(notModified: head) {
            case .unchanged: return .body(.unchanged)
            case .unsaid:
                var compared = copy
                compared.isCompared = true
                return .body(.askAgain(compared))
            case .other: return .body(.askAgain(nil))
            }
        case 200 where copy.isCompared || validator.hasStrongTag:
            let length = try? BodyLength(head, method: facts.original.method)
            let isUnchanged = validator.names(head, length: length?.byteCount, size: copy.size)
            return isUnchanged ? .body(.unchanged) : nil
        default: return nil
        }
    }

    /// Judges the response that begins a file against what was announced about it.
    static let promise: AnswerStep = { head, _, facts in
        guard head.statusCode == 200, let promise = facts.file?.said else { return nil }
        if MirrorAnswer.hasDigest(promise.checksum, head) == false {
            return .body(
                .contradicts(ResumePolicy.error(.unexpectedContent, ResponseErrors.otherChecksum, head)))
        }
        guard let length = promise.length, case .exactly(let count)? = try? BodyLength(head, method: "GET"),
            count != length
        else { return nil }
        let message = MirrorAnswer.otherLength(count, length)
        return .body(.contradicts(ResumePolicy.error(.unexpectedContent, message, head)))
    }

    /// Judges the first block of a source that has to prove that its file is the same.
    static let firstBlock: AnswerStep = { head, _, facts in
        guard let lead = facts.file?.foreignLead, lead.needsFirstBlock else { return nil }
        if let later = ResumePolicy.judgeTransient(head, now: facts.time) {
            return .body(.firstBlock(FirstBlockRefusal(next: later)))
        }
        let range = 0..<lead.blockLength
        guard let refusal = MirrorAnswer.refusal(of: head, range: range, length: lead.length ?? 0, date: lead.date)
        else {
            return .body(.firstBlock(nil))
        }
        let error = ResumePolicy.error(.resourceChanged, refusal.reason, head)
        return .body(.firstBlock(FirstBlockRefusal(next: .fail(error), shown: refusal)))
    }

    /// Judges the rest of a file that another source has begun.
    static let foreignRest: AnswerStep = { head, _, facts in
        guard let file = facts.file, let lead = file.foreignLead else { return nil }
        return .body(
            .foreign(
                ResumePolicy.judge(
                    head, request: facts.original, metadata: lead.metadata, offset: file.contiguousEnd,
                    comparesOverlap: true,
                    expectation: file.expectation, history: lead.history, now: facts.time)))
    }

    /// Judges a file, or the rest of one.
    static let file: AnswerStep = { head, _, facts in
        guard let file = facts.file else { return nil }
        return .body(
            .file(
                ResumePolicy.judge(
                    head, request: facts.original, metadata: file.rangeMetadata, offset: file.contiguousEnd,
                    hasChecksum: file.hasChecksum, comparesOverlap: file.comparesOverlap,
                    expectation: file.expectation, history: file.history, now: facts.time)))
    }

    // MARK: - Bodies other than files

    /// Judges the rest of a body that is passed on.
    static let rest: AnswerStep = { head, _, facts in
        guard let stream = facts.stream else { return nil }
        let step = stream.continuation.judge(
            head, request: facts.original, offset: stream.contiguousEnd, now: facts.time)
        return step == .full ? nil : .body(.rest(step))
    }

    /// Accepts a complete body.
    static let full: AnswerStep = { _, _, _ in .body(.full) }
}

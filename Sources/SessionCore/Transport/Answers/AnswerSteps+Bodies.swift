/// Whether an answer brings a body, and which.
extension AnswerSteps {
    // MARK: - Answers without one

    /// An upload that goes on behind what its server has.
    static let uploadStep: AnswerStep = { head, role, facts in
        guard role == .lead else { return nil }
        return switch facts.uploadOutcome(of: head) {
        case .answer, nil: nil
        case .next: .uploadStep(restarts: nil)
        case .restartFromZero(let reason): .uploadStep(restarts: reason)
        case .later(let error): .later(error, afterMilliseconds: nil)
        case .fail(let error): .refused(error)
        }
    }

    /// An answer that asks to come back later, where every status is an answer: another try as long as there may be one, so
    /// that the last of them is the answer after all.
    ///
    /// Downloads judge such an answer as that to a file. A redirect may have led elsewhere: the original request is the one
    /// that is sent again.
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

    /// An answer that announces more than the body may have; the bytes at hand belong to it when they are gone on with.
    static let size: AnswerStep = { head, role, facts in
        guard (200..<300).contains(head.statusCode), role == .lead, let limit = facts.sizeLimit,
            case .exactly(let count)? = try? BodyLength(head, method: facts.request.method)
        else { return nil }
        let size = count.addingReportingOverflow(beginning(of: head) ?? facts.front).partialValue
        guard size > limit || size < count else { return nil }
        let sentence = ResponseErrors.tooLarge(size, limit: limit)
        return .tooLarge(SessionError(.bodyTooLarge, sentence, failingURL: facts.request.url))
    }

    /// Where an answer begins in the file, which may be before what is missing; nil where a part does not say so.
    private static func beginning(of head: ResponseHead) -> Int64? {
        guard head.statusCode == 206 else { return 0 }
        switch head.headers.singleValue(named: "Content-Range").flatMap({ ContentRange($0) }) {
        case .range(let first, _, _): return first
        case .unsatisfied, nil: return nil
        }
    }

    // MARK: - Files

    /// What an answer says of the file that is there already, and that was asked about.
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
        case 200 where copy.isCompared:
            let length = try? BodyLength(head, method: facts.original.method)
            let isUnchanged = validator.names(head, length: length?.byteCount, size: copy.size)
            return isUnchanged ? .body(.unchanged) : nil
        default: return nil
        }
    }

    /// What was said of the file beforehand speaks against the answer that begins it.
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

    /// The first block of a source that has to prove that its file is the one that is here.
    static let firstBlock: AnswerStep = { head, _, facts in
        guard let lead = facts.file?.foreignLead, lead.needsFirstBlock else { return nil }
        if let later = ResumePolicy.judgeTransient(head, now: 0) {
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

    /// The rest of a file that another source has begun.
    static let foreignRest: AnswerStep = { head, _, facts in
        guard let file = facts.file, let lead = file.foreignLead else { return nil }
        return .body(
            .foreign(
                ResumePolicy.judge(
                    head, request: facts.original, facts: lead.facts, offset: file.front, comparesOverlap: true,
                    expectation: file.expectation, history: lead.history, now: 0)))
    }

    /// A file, or the rest of one.
    static let file: AnswerStep = { head, _, facts in
        guard let file = facts.file else { return nil }
        return .body(
            .file(
                ResumePolicy.judge(
                    head, request: facts.original, facts: file.rangeFacts, offset: file.front,
                    hasChecksum: file.hasChecksum, comparesOverlap: file.comparesOverlap,
                    expectation: file.expectation, history: file.history, now: facts.time)))
    }

    // MARK: - Bodies that are no file

    /// The rest of a body that is passed on.
    static let rest: AnswerStep = { head, _, facts in
        guard let stream = facts.stream else { return nil }
        let step = stream.continuation.judge(head, request: facts.original, offset: stream.front, now: facts.time)
        return step == .whole ? nil : .body(.rest(step))
    }

    /// All of a body.
    static let whole: AnswerStep = { _, _, _ in .body(.whole) }
}

/// The responses to branches and probes.
extension AnswerSteps {
    /// Judges a branch's response like the one of a resumed download, and more strictly: it has to begin at the range's
    /// start, end within it, and state its length.
    static let range: AnswerStep = { head, role, facts in
        guard role == .branch, let asked = facts.range, let stored = asked.metadata else { return nil }
        guard head.statusCode < 300 || head.statusCode == 412 || head.statusCode == 416 else {
            let wait = MirrorAnswer.askedWait(head, now: facts.time)
            return .range(.refused(reason: ResumePolicy.phrase(head), askedWait: wait))
        }
        guard head.statusCode == 206 else { return nil }
        let range = asked.range
        let action = ResumePolicy.judge(
            head, request: facts.original, metadata: stored, offset: range.lowerBound, hasChecksum: false, now: 0)
        guard case .append(let answer) = action, answer.overlap == asked.overlap, answer.total == asked.total,
            answer.offset == range.lowerBound, answer.offset + answer.limit <= range.upperBound,
            // A connection for every few bytes would cost more than it gains.
            answer.limit >= ResumeHistory.leastGain || answer.offset + answer.limit == range.upperBound,
            case .exactly? = try? BodyLength(head, method: facts.original.method)
        else { return nil }
        return .range(
            range.lowerBound < asked.contiguousEnd ? .overtaken : .accepted(end: answer.offset + answer.limit))
    }

    /// Judges a block that is compared with the received file.
    static let block: AnswerStep = { head, role, facts in
        guard role == .probe, let asked = facts.block else { return nil }
        if head.statusCode == 200, asked.earlier?.strongValidator != nil { return changed }
        if var refusal = MirrorAnswer.refusal(
            of: head, range: asked.range, length: asked.length, date: asked.date)
        {
            refusal.askedWait = MirrorAnswer.askedWait(head, now: facts.time)
            return .block(.refused(refusal, passes: refusal.lacksRanges || MirrorAnswer.passes(head)))
        }
        let found = StoredMetadata(mirror: head, url: facts.request.url, length: asked.length)
        if let earlier = asked.earlier, earlier.strongValidator != found.strongValidator { return changed }
        switch MirrorAnswer.hasDigest(asked.checksum, head) {
        case true? where asked.isCompared: return .block(.same(found))
        case false?:
            return .block(.refused(MirrorAnswer.Refusal(reason: MirrorReasons.otherChecksum), passes: false))
        case true?, nil: return .block(.accepted(found))
        }
    }

    private static let changed = AnswerVerdict.block(
        .refused(MirrorAnswer.Refusal(reason: MirrorReasons.fileChanged), passes: false))
}

/// What the heads of answers mean for the part, and how the body of each begins.
extension DownloadWriter: FileFacts {
    var file: (any FileFacts)? { self }
    var comparesOverlap: Bool { target.comparesOverlap }

    func take(_ verdict: BodyVerdict, _ head: ResponseHead, of attempt: Attempt) {
        self.attempt = attempt
        switch verdict {
        case .file(let action): take(action, head, attempt)
        case .foreign(let action): takeForeign(action, head, attempt)
        case .firstBlock(let refusal): takeFirstBlock(refusal, attempt)
        case .unchanged:
            if let copy { keep(copy) }
            attempt.decide(.complete)
        case .askAgain(let copy):
            self.copy = copy
            attempt.decide(.nextRange)
        case .contradicts(let error): attempt.decide(.fail(error))
        case .whole, .rest:
            let error = SessionError(.internal, TaskErrors.wrongBody)
            attempt.decide(.fail(error))
        }
    }

    private func take(_ action: ResumeAction, _ head: ResponseHead, _ attempt: Attempt) {
        switch action {
        case .fresh(let length):
            tellLoss()
            announced = AnnouncedDigest.checksum(of: head)
            begin(.whole(length, leastLength: leastLength(of: head, length)), length, head, attempt)
        case .append(let plan):
            announced = AnnouncedDigest.checksum(of: head) ?? announced
            append(plan, head, attempt)
        case .newGeneration(let facts, let length, let reason):
            let least = leastLength(of: head, length)
            noteRestart(head, length: facts.length)
            announced = AnnouncedDigest.checksum(of: head)
            beginNewGeneration(facts, .whole(length, leastLength: least), reason: reason, attempt)
            considerSegments(head, attempt)
        case .restart(let reason):
            noteRestart(head, length: ContentRange.total(of: head))
            attempt.decide(.restart(reason: reason))
        case .finishWithoutBody:
            conclusion.isComplete = true
            attempt.decide(.complete)
        case .retryWithIfMatch:
            history.usedIfMatch = true
            attempt.decide(.nextRange)
        case .retryWithOverlap:
            history.compareAlways()
            attempt.decide(.nextRange)
        case .askAgain:
            history.oddAnswers += 1
            attempt.decide(.nextRange)
        case .waitAndRetry(let delay, let error):
            attempt.decide(.retry(error, afterMilliseconds: delay))
        case .failure(let error):
            attempt.decide(.fail(error))
        }
    }

    /// Tells that all of the file is sent, because the server could not be asked to continue the bytes that are here.
    private func tellLoss() {
        guard front > 0 else { return }
        core.emit(.restarted(id, reason: resumeRefusal ?? ResumeReasons.partUnusable))
    }

    /// The fewest bytes that a body must have to be taken for the file.
    private func leastLength(of head: ResponseHead, _ length: BodyLength) -> Int64 {
        length.byteCount == nil ? expectation.leastLength(of: head, length: length) : 0
    }

    /// Bytes are given up for an answer, unless it is the same version as a whole.
    private func noteRestart(_ head: ResponseHead, length: Int64?) {
        let facts = evidence?.facts
        if head.statusCode == 200, let facts, !facts.isOther(head, length: length) { return }
        history.restarted(
            facts, for: head, length: length, hasProof: hasChecksum || target.comparesOverlap)
    }

    /// A redirect is no file, and what is here of one stays a part.
    func endsWithRedirect(_ head: ResponseHead) -> Preparation {
        .failed(ResumePolicy.statusError(head))
    }

    /// What a whole answer is measured by.
    var expectation: FileExpectation {
        var result = FileExpectation(known: evidence ?? known, partSize: max(front, previousLength))
        if isOfSeenAnswer { return result }
        result.name = description.request.url
        if !isStaged, case .fixed(let name) = target.name, name.utf8.contains(0x2E) { result.name = name }
        return result
    }

    /// Whether it is so short that it may become whole without a part.
    var isSmall: Bool { expected.map { $0 <= Self.smallLimit } ?? false }

    private func begin(_ plan: Plan, _ length: BodyLength, _ head: ResponseHead, _ attempt: Attempt) {
        dropPart()
        evidence = .answer(FreshAnswer(request: description.request, head: head, length: length))
        if let sources { begin(sources, head, attempt) }
        self.plan = plan
        site?.chooseName(target: target, head: head)
        attempt.accept(into: self)
        // Beside an older generation it gets a part too, so that both are put in order together.
        if let expected, isSmall, previous == nil {
            buffer.reserveCapacity(Int(expected))
        } else {
            buffer.reserveCapacity(core.buffers.gathered)
            makePart()
            addLinkedSources(head, attempt)
            considerSegments(head, attempt)
        }
    }

    func append(_ plan: AppendPlan, _ head: ResponseHead, _ attempt: Attempt) {
        partAnswer = .part
        answeredAt = front
        history.oddAnswers = 0
        let isProven =
            !history.joinsByContent
            && evidence.map(\.facts).map { $0.strongValidator != nil && $0.isSource(asked) } ?? false
        isJoinedOnTrust = isJoinedOnTrust || !isProven
        promise = nil
        let earlier = self.plan.resumedAt
        self.plan = .rest(plan, leastLength: self.plan.leastLength)
        // While other connections go on the lead begins in the middle of the same run.
        self.plan.resumedAt = segments.map { $0.working > 1 ? earlier : received } ?? plan.offset
        buffer.reserveCapacity(core.buffers.gathered)
        attempt.accept(into: self)
        considerSegments(head, attempt)
    }

    /// The whole of something newer arrives: it gets a part of its own until it is worth more than the old one.
    private func beginNewGeneration(
        _ facts: StoredFacts, _ plan: Plan, reason: String, _ attempt: Attempt
    ) {
        writeBuffer()
        setPartAside()
        written = 0
        buffer.removeAll(keepingCapacity: true)
        core.emit(.restarted(id, reason: reason))
        // The same version as a whole: it was asked for its rest in vain.
        if partAnswer == nil, evidence?.facts.strongValidator == facts.strongValidator { partAnswer = .whole }
        evidence = .stored(facts)
        if let sources { begin(sources, nil, attempt) }
        self.plan = plan
        attempt.accept(into: self)
        buffer.reserveCapacity(core.buffers.gathered)
        makePart()
    }

    /// Keeps the part as the earlier generation, or the one that is kept already when that is worth more.
    func setPartAside() {
        guard let part else { return }
        let byteCount = received
        if let segments { part.setRanges(segments.written(lead: written)) }
        dropSegments()
        self.part = nil
        guard let earlier = previous else {
            previous = part
            previousLength = byteCount
            return
        }
        let dropped = byteCount > previousLength ? earlier : part
        if dropped === earlier {
            previous = part
            previousLength = byteCount
        }
        storage {
            dropped.discard()
            return .done
        }
    }
}

/// The verdicts on responses, applied to the partial file, and how each body begins.
extension DownloadWriter: FileState {
    var file: (any FileState)? { self }
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
        case .full, .rest:
            let error = SessionError(.internal, TaskErrors.wrongBody)
            attempt.decide(.fail(error))
        }
    }

    /// Takes a digest from behind the body, where its head has announced none.
    func hearTrailers() {
        guard announced == nil, let trailers = attempt?.parser.digestTrailers, trailers.count > 0,
            let head = core.transfer(id)?.answer.head
        else { return }
        announced = AnnouncedDigest.checksum(of: head, trailers: trailers)
    }

    private func take(_ action: ResumeAction, _ head: ResponseHead, _ attempt: Attempt) {
        switch action {
        case .fresh(let length):
            tellLoss()
            // A range that the caller asked for is a file of its own.
            announced =
                description.request.headers["Range"] != nil && head.statusCode == 206
                ? AnnouncedDigest.content(of: head) : AnnouncedDigest.checksum(of: head)
            begin(.full(length, leastLength: leastLength(of: head, length)), length, head, attempt)
        case .append(let plan):
            announced = AnnouncedDigest.checksum(of: head) ?? announced
            append(plan, head, attempt)
            attempt.compare(with: AnnouncedDigest.range(of: head, file: announced), head)
        case .newGeneration(let metadata, let length, let reason):
            let least = leastLength(of: head, length)
            noteRestart(head, length: metadata.length)
            announced = AnnouncedDigest.checksum(of: head)
            beginNewGeneration(metadata, .full(length, leastLength: least), reason: reason, attempt)
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

    /// Reports that the file is sent from its start, because the received bytes could not be continued.
    private func tellLoss() {
        guard contiguousEnd > 0 else { return }
        core.emit(.restarted(id, reason: resumeRefusal ?? ResumeReasons.partUnusable))
    }

    /// Returns the fewest bytes a body must have to be taken for the file.
    private func leastLength(of head: ResponseHead, _ length: BodyLength) -> Int64 {
        length.byteCount == nil ? expectation.leastLength(of: head, length: length) : 0
    }

    /// Counts a restart that drops bytes for a response, unless the response is the complete same version.
    private func noteRestart(_ head: ResponseHead, length: Int64?) {
        let metadata = evidence?.metadata
        if head.statusCode == 200, let metadata, !metadata.isOther(head, length: length) { return }
        history.restarted(
            metadata, for: head, length: length, hasProof: hasChecksum || target.comparesOverlap)
    }

    /// The expectation that a complete response has to meet.
    var expectation: FileExpectation {
        var result = FileExpectation(known: evidence ?? known, partSize: max(contiguousEnd, previousLength))
        if isOfSeenAnswer { return result }
        result.name = description.request.url
        if !isStaged, case .fixed(let name) = target.name, name.utf8.contains(0x2E) { result.name = name }
        return result
    }

    /// Whether the file is short enough to be completed without a partial file.
    var isSmall: Bool { expected.map { $0 <= Self.smallLimit } ?? false }

    private func begin(_ plan: Plan, _ length: BodyLength, _ head: ResponseHead, _ attempt: Attempt) {
        dropPart()
        evidence = .answer(FreshAnswer(request: description.request, head: head, length: length))
        if let sources { begin(sources, head, attempt) }
        self.plan = plan
        site?.chooseName(target: target, head: head)
        attempt.accept(into: self)
        // Next to a previous generation even a small body gets a partial file, so that both are closed together.
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
        answeredAt = contiguousEnd
        history.oddAnswers = 0
        let isProven =
            !history.joinsByContent
            && evidence.map(\.metadata).map { $0.strongValidator != nil && $0.isSource(asked) } ?? false
        isJoinedOnTrust = isJoinedOnTrust || !isProven
        promise = nil
        let earlier = self.plan.resumedAt
        self.plan = .rest(plan, leastLength: self.plan.leastLength)
        // While other connections continue, the lead begins in the middle of the same run.
        self.plan.resumedAt = segments.map { $0.working > 1 ? earlier : received } ?? plan.offset
        buffer.reserveCapacity(core.buffers.gathered)
        attempt.accept(into: self)
        considerSegments(head, attempt)
    }

    /// Begins a newer version, which gets its own partial file until it is worth more than the old one.
    private func beginNewGeneration(
        _ metadata: StoredMetadata, _ plan: Plan, reason: String, _ attempt: Attempt
    ) {
        writeBuffer()
        setPartAside()
        written = 0
        buffer.removeAll(keepingCapacity: true)
        core.emit(.restarted(id, reason: reason))
        // The same version was sent in full, so the request for its rest was in vain.
        if partAnswer == nil, evidence?.metadata.strongValidator == metadata.strongValidator { partAnswer = .full }
        evidence = .stored(metadata)
        if let sources { begin(sources, nil, attempt) }
        self.plan = plan
        attempt.accept(into: self)
        buffer.reserveCapacity(core.buffers.gathered)
        makePart()
    }

    /// Keeps the partial file as the previous generation, or the existing previous one if it has more bytes.
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

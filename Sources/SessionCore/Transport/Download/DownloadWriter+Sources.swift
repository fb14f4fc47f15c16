/// A download of several sources: the facts that prove each, and the judgement of a source that did not begin the file.
extension DownloadWriter {
    /// Returns the facts that prove a source's responses; nil without any.
    func metadata(of source: Int) -> StoredMetadata? {
        isForeign(source) ? sources?.board[source].metadata : evidence?.metadata
    }

    /// The date another source's file must have, if it has one; nil if a checksum is known.
    var dateToCompare: String? {
        (target.checksum ?? announced) == nil ? evidence?.metadata.lastModified : nil
    }

    /// Whether a source differs from the one that began the file.
    func isForeign(_ source: Int) -> Bool { sources.map { source != $0.board.reference } ?? false }

    /// The error if the file's length differs from the one announced before the first request.
    var contradictedLength: SessionError? {
        guard let length = sources?.board.length, received != length, expected == nil || expected != length else {
            return nil
        }
        return SessionError(.unexpectedContent, MirrorAnswer.otherLength(expected ?? received, length))
    }

    /// Records that a source has begun the file.
    ///
    /// - Parameter head: its response; nil for a newer version of the received file.
    func begin(_ sources: DownloadSources, _ head: ResponseHead?, _ attempt: Attempt) {
        sources.board.began()
        sources.board.isMixed = false
        sources.tail = .unknown
        sources.board[sources.board.lead].request = attempt.owner.request
        if sources.board.lead != 0, var metadata = evidence?.metadata {
            metadata.mirrorDigest = try? PartMeta.digest(ofURL: sources.board[sources.board.lead].url)
            evidence = .stored(metadata)
        }
        core.transfer(id)?.connections.dropProbes()
    }

    /// Adds the sources that the response names itself, if a strong digest proves the complete file.
    func addLinkedSources(_ head: ResponseHead, _ attempt: Attempt) {
        guard !isStaged, ResumePolicy.mayAdopt(description.request), let digest = target.checksum ?? announced,
            digest.algorithm == .sha256 || digest.algorithm == .sha512
        else { return }
        let urls = DuplicateLinks.urls(of: head)
        guard !urls.isEmpty else { return }
        let sources = self.sources ?? DownloadSources(SourceBoard(description.request.url, nil))
        if self.sources == nil {
            self.sources = sources
            begin(sources, head, attempt)
        }
        sources.board.add(urls)
    }

    /// Finds the source that began the partial file of an earlier run.
    func adoptSources(_ metadata: StoredMetadata) {
        if sources == nil, metadata.mirrorDigest != nil {
            sources = DownloadSources(SourceBoard(description.request.url, nil))
        }
        guard let sources else { return }
        sources.board.adopted(
            from: metadata.mirrorDigest == nil
                ? 0
                : sources.board.sources.firstIndex { (try? PartMeta.digest(ofURL: $0.url)) == metadata.mirrorDigest })
        if sources.board.lead != 0 { core.transfer(id)?.startOver() }
    }

    // MARK: - A lead that did not begin the file

    /// Whether the lead's source has to prove that its file is the same.
    private func isLeadForeign(_ sources: DownloadSources) -> Bool { evidence != nil && sources.board.isLeadForeign }

    /// Whether enough is received to compare another source's file.
    private var canCompare: Bool {
        guard part != nil, contiguousEnd > DownloadSources.blockLength, let metadata = evidence?.metadata,
            metadata.length != nil
        else {
            return false
        }
        return ResumePolicy.mayResume(metadata, partSize: contiguousEnd, hasChecksum: true).isGiven
            || metadata.acceptRanges != nil
    }

    /// Returns the facts that prove the lead's next response; before the comparison, only the bytes it repeats prove
    /// it.
    private func leadMetadata(_ sources: DownloadSources) -> StoredMetadata {
        sources.board[sources.board.lead].metadata
            ?? StoredMetadata(unproven: description.request.url, length: evidence?.length)
    }

    /// The history for the responses of another source.
    private var foreignHistory: ResumeHistory { ResumeHistory(comparison: history.comparison) }

    private func needsFirstBlock(_ sources: DownloadSources) -> Bool {
        sources.board[sources.board.lead].standing == .unproven && !sources.leadHasFirstBlock
    }

    /// Returns the fields for a source that did not begin the file; nil if the lead's did, or if the file starts over.
    func foreignFields(_ sources: DownloadSources) -> HeaderFields? {
        guard isLeadForeign(sources) else { return nil }
        guard canCompare else {
            let hadBytes = received > 0
            restart(keepingPart: false)
            if hadBytes {
                core.emit(.restarted(id, reason: ResumeReasons.tooLittleForMirror))
            }
            return nil
        }
        var fields = Self.completeFileFields
        if needsFirstBlock(sources) {
            fields.append(name: "Range", value: "bytes=0-\(DownloadSources.blockLength - 1)")
            return fields
        }
        guard
            let (range, ifRange) = ResumePolicy.rangeRequest(
                leadMetadata(sources), of: asked, offset: contiguousEnd, end: segments?.plan.leadEnd,
                comparesOverlap: true,
                history: foreignHistory)
        else { return nil }
        fields.append(name: "Range", value: range)
        if let ifRange { fields.append(name: "If-Range", value: ifRange) }
        return fields
    }

    var said: FilePromise? {
        guard let sources, !isLeadForeign(sources) else { return nil }
        return FilePromise(length: sources.board.length, checksum: target.checksum)
    }

    var foreignLead: ForeignLead? {
        guard let sources, isLeadForeign(sources) else { return nil }
        return ForeignLead(
            metadata: leadMetadata(sources), length: evidence?.length, date: dateToCompare,
            needsFirstBlock: needsFirstBlock(sources), history: foreignHistory, blockLength: DownloadSources.blockLength
        )
    }

    /// Takes the response of a source that did not begin the file.
    func takeForeign(_ action: ResumeAction, _ head: ResponseHead, _ attempt: Attempt) {
        guard let sources else { return }
        switch action {
        case .append(let plan):
            sources.leadMetadata = StoredMetadata(
                mirror: head, url: sources.board[sources.board.lead].url, length: plan.total)
            sources.board[sources.board.lead].request = attempt.owner.request
            if plan.overlap == 0 { sources.leadMatches() }
            append(plan, head, attempt)
        case .waitAndRetry(let delay, let error):
            attempt.decide(.retry(error, afterMilliseconds: delay))
        case .failure(let error):
            attempt.decide(.fail(error))
        case .restart(let reason):
            attempt.decide(.fail(ResumePolicy.error(.resourceChanged, reason, head)))
        case .newGeneration:
            let wasProven = sources.board[sources.board.lead].standing == .proven
            if !wasProven { sources.board[sources.board.lead].lacksRanges = true }
            let reason = wasProven ? MirrorReasons.fileChanged : MirrorReasons.noRanges
            attempt.decide(.fail(ResumePolicy.error(.resourceChanged, reason, head)))
        case .fresh, .finishWithoutBody, .retryWithIfMatch, .retryWithOverlap, .askAgain:
            let reason = MirrorReasons.restAnswered(ResumePolicy.phrase(head))
            attempt.decide(.fail(ResumePolicy.error(.badResponse, reason, head)))
        }
    }

    /// Collects the first block of a source that has to prove its file, or acts on a refusal.
    func takeFirstBlock(_ refusal: FirstBlockRefusal?, _ attempt: Attempt) {
        guard let sources else { return }
        if let refusal {
            if let shown = refusal.shown {
                sources.board[sources.board.lead].lacksRanges = shown.lacksRanges
                sources.board[sources.board.lead].hasOther = shown.isOther
            }
            attempt.decide(refusal.next)
            return
        }
        let block = MemorySink(limit: Int(DownloadSources.blockLength), truncates: true)
        sources.leadBlock = block
        attempt.decide(.compared, readingInto: block)
    }

    /// Compares the lead's first block with the partial file.
    func compareFirstBlock(_ sources: DownloadSources) throws(SessionError) -> BlockComparison {
        defer { sources.leadBlock = nil }
        guard let bytes = sources.leadBlock?.takeBody().bytes, Int64(bytes.count) == DownloadSources.blockLength else {
            return .incomplete
        }
        return try hasBytes(bytes, at: 0) ? .same : .differs
    }

    /// Whether the partial file has the same bytes at an offset.
    func hasBytes(_ bytes: [UInt8], at offset: Int64) throws(SessionError) -> Bool {
        if let error = writeBuffer() { throw error }
        guard let part else { return false }
        return try bytes.withUnsafeBufferPointer { bytes throws(SessionError) in
            try part.matches(UnsafeRawBufferPointer(bytes), at: offset)
        }
    }
}

extension DownloadWriter: SourcedFile {
    var hasPart: Bool { part != nil }

    var length: Int64? { evidence?.length }
}

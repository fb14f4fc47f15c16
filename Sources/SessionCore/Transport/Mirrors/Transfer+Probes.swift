import CCurl

/// Comparing mirrors with the file before any of their bytes are mixed with it.
extension Transfer {
    /// Mirrors that are compared at the same time.
    private static let probesAtOnce = 3
    /// Milliseconds that a comparison may take.
    private static let probeLimit: Int64 = 10_000

    private var file: (any SourcedFile)? { handler as? any SourcedFile }

    /// Begins to compare mirrors if another connection is wanted, and ends comparisons that take too long.
    func checkMirrors(_ segments: SegmentedDownload) {
        guard let file, let sources = file.sources, file.hasPart, let length = file.length else {
            return
        }
        for probe in sources.probes where probe.attempt?.isPaced == true { probe.startedAt = core.now }
        for probe in sources.probes where core.now - probe.startedAt >= Self.probeLimit {
            finish(probe, sources, .refused(MirrorReasons.timedOut, passes: true))
        }
        guard segments.mayGrow, segments.wantsMore, file.contiguousEnd >= DownloadSources.blockLength,
            length >= 2 * DownloadSources.blockLength
        else { return }
        switch sources.tail {
        case .awaited: return
        case .unknown:
            guard !sources.board.unproven.isEmpty else { return }
            fetchTail(sources, length)
        case .bytes, .received:
            guard let second = tailRange(sources, length, file) else { return }
            for index in sources.board.unproven where !sources.isProbing(index) && index != sources.board.lead {
                guard core.trouble(at: requestTarget(at: index, sources).host) == nil else { continue }
                guard sources.probes.count < Self.probesAtOnce else { break }
                begin(index, [second, 0..<DownloadSources.blockLength], sources)
            }
        }
    }

    /// Returns the file's last block, or the last one received if no source sends that.
    private func tailRange(_ sources: DownloadSources, _ length: Int64, _ file: any SourcedFile) -> Range<Int64>? {
        if case .bytes = sources.tail { return length - DownloadSources.blockLength..<length }
        let end = file.written
        guard end >= 2 * DownloadSources.blockLength else { return nil }
        return end - DownloadSources.blockLength..<end
    }

    /// Fetches the last block from the source at the front.
    private func fetchTail(_ sources: DownloadSources, _ length: Int64) {
        guard sources.board.isProven(sources.board.lead) else { return }
        sources.tail = .awaited
        begin(sources.board.lead, [length - DownloadSources.blockLength..<length], sources)
    }

    private func begin(_ index: Int, _ ranges: [Range<Int64>], _ sources: DownloadSources) {
        let probe = MirrorProbe(
            source: index, ranges: ranges, requestTarget: requestTarget(at: index, sources), now: core.now)
        sources.probes.append(probe)
        send(probe, sources)
    }

    /// Returns the server and request for a source: the target of its earlier redirects, otherwise its own URL.
    func requestTarget(at index: Int, _ sources: DownloadSources) -> RequestTarget {
        let known = index == sources.board.lead ? request : sources.board[index].request
        let request = known ?? RedirectPolicy.request(description.request, at: sources.board[index].url)
        return requestTarget(request)
    }

    /// Returns the server of a request other than the transfer's own.
    func requestTarget(_ request: TransferRequest) -> RequestTarget {
        RequestTarget(
            request, original: description.request, core.options(of: description.request.sharedOptions)?.values)
    }

    /// The server of the transfer's own request at present.
    var leadTarget: RequestTarget {
        RequestTarget(
            request, original: description.request, core.options(of: description.request.sharedOptions)?.values,
            hasLeftOrigin: asking.redirects.context.hasLeftOrigin)
    }

    private func send(_ probe: MirrorProbe, _ sources: DownloadSources) {
        guard let range = probe.range else { return }
        probe.verdict = .pending
        do throws(SessionError) {
            var fields: HeaderFields = ["Accept-Encoding": "identity"]
            fields.append(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
            // All blocks of a mirror have to be of one version.
            let known = probe.metadata ?? file?.metadata(of: probe.source)
            if let validator = known?.strongValidator { fields.append(name: "If-Range", value: validator.text) }
            probe.attempt = try begin(
                .probe(probe), makeMessage(adding: fields, to: probe.requestTarget), to: probe.requestTarget)
        } catch {
            finish(probe, sources, .refused(error.message, passes: false))
        }
    }

    // MARK: - Responses

    /// Carries out the verdict on a probe's response.
    func act(on verdict: BlockVerdict, _ attempt: Attempt) {
        guard let probe = attempt.probe else { return }
        switch verdict {
        case .accepted(let metadata):
            probe.metadata = metadata
            probe.verdict = .accepted
            attempt.accept(into: probe)
            return
        case .same(let metadata):
            probe.metadata = metadata
            probe.verdict = .same
        case .refused(let refusal, let passes):
            if refusal.lacksRanges { handler.sources?.board[probe.source].lacksRanges = true }
            if refusal.isOther { handler.sources?.board[probe.source].hasOther = true }
            probe.verdict = .refused(refusal.reason, passes: passes)
        }
        attempt.endAtHead()
    }

    /// Decides the next step for a probe's attempt that libcurl has finished.
    func probeEnded(_ probe: MirrorProbe, _ attempt: Attempt, result: CURLcode) {
        guard probe.attempt === attempt else { return }
        attempt.end.leavesConnection = result == CURLE_OK
        letGo(probe)
        guard let sources = handler.sources, sources.probes.contains(where: { $0 === probe }) else { return }
        switch probe.verdict {
        case .follow(let next):
            probe.context.follow(from: probe.requestTarget.request)
            probe.requestTarget = requestTarget(next)
            return send(probe, sources)
        case .accepted where probe.endBlock():
            if probe.range != nil { return send(probe, sources) }
            finish(probe, sources, .accepted)
        case .accepted: finish(probe, sources, .refused(MirrorReasons.closed, passes: true))
        case .pending:
            let system = cc_get_long(attempt.handle.raw, CURLINFO_OS_ERRNO)
            let error = furtherError(of: attempt, result, systemError: system)
            finish(probe, sources, .refused(error.message, passes: error.code != .certificate))
        case .same, .refused: finish(probe, sources, probe.verdict)
        }
    }

    /// Ends a comparison.
    private func finish(_ probe: MirrorProbe, _ sources: DownloadSources, _ verdict: MirrorProbe.Verdict) {
        letGo(probe)
        sources.probes.removeAll { $0 === probe }
        if probe.ranges.count == 1 {
            if case .accepted = verdict, let bytes = probe.blocks.first {
                sources.tail = .bytes(bytes)
            } else {
                sources.tail = .received
            }
        } else {
            conclude(probe, sources, verdict)
        }
        publishSources()
        watchSegments(afterMilliseconds: 0)
    }

    private func conclude(_ probe: MirrorProbe, _ sources: DownloadSources, _ verdict: MirrorProbe.Verdict) {
        switch verdict {
        case .same: break
        case .accepted:
            guard isSame(probe, sources) else {
                sources.board[probe.source].hasOther = true
                return dropSource(probe.source, MirrorReasons.otherBytes, passes: false, sources)
            }
        case .refused(let reason, let passes):
            return dropSource(probe.source, reason, passes: passes, sources)
        case .pending, .follow: return
        }
        guard let metadata = probe.metadata else { return }
        sources.board.prove(probe.source, metadata)
        sources.board[probe.source].request = probe.requestTarget.request
    }

    private func isSame(_ probe: MirrorProbe, _ sources: DownloadSources) -> Bool {
        guard let file, probe.blocks.count == 2, file.hasBytes(probe.blocks[1], at: 0) else { return false }
        if case .bytes(let tail) = sources.tail { return probe.blocks[0] == tail }
        return file.hasBytes(probe.blocks[0], at: probe.ranges[0].lowerBound)
    }

    // MARK: - Ends

    private func letGo(_ probe: MirrorProbe) {
        if let attempt = probe.attempt { letGo(attempt) }
    }

    /// Drops the comparisons of a dropped file; safe inside libcurl's callbacks, which must not remove handles.
    func dropProbes() {
        guard let sources = handler.sources else { return }
        for probe in sources.probes {
            strays.append(probe)
            if let attempt = probe.attempt { core.recordEnd(of: attempt, result: CURLE_OK) }
        }
        sources.probes = []
        if case .awaited = sources.tail { sources.tail = .unknown }
    }

    /// Ends all comparisons; must not be called inside libcurl's callbacks.
    func endProbes() {
        dropProbes()
        removeStrays()
    }

    /// Publishes the sources of a download with several.
    func publishSources() {
        guard let sources = handler.sources, sources.board.sources.count > 1 else { return }
        control.publish(sources.shown(sourceLoads(sources)))
    }
}

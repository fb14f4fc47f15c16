import CCurl

/// Comparing mirrors with the file before any of their bytes are mixed with it.
extension DownloadConnections {
    private var file: (any SourcedFile)? { handler as? any SourcedFile }

    /// Begins to compare mirrors if another connection is wanted, and ends comparisons that take too long.
    func checkMirrors(_ segments: SegmentedDownload) {
        guard let file, let sources = file.sources, file.hasPart, file.length != nil else { return }
        sources.board.timePassed(core.now)
        for probe in sources.overdueProbes(now: core.now) {
            finish(probe, sources, .refused(MirrorReasons.timedOut, passes: true))
        }
        guard segments.mayGrow, segments.wantsMore else { return }
        let orders = sources.nextProbes(of: file) { [self] index in
            core.trouble(at: requestTarget(at: index, sources).host) == nil
        }
        for order in orders {
            let probe = MirrorProbe(
                source: order.source, ranges: order.ranges, requestTarget: requestTarget(at: order.source, sources),
                now: core.now)
            sources.probes.append(probe)
            send(probe, sources)
        }
    }

    /// Returns the server and request for a source: the target of its earlier redirects, otherwise its own URL.
    func requestTarget(at index: Int, _ sources: DownloadSources) -> RequestTarget {
        let known = index == sources.board.lead ? request : sources.board[index].request
        let request = known ?? RedirectPolicy.request(original, at: sources.board[index].url)
        return requestTarget(request)
    }

    /// Returns the server of a request other than the transfer's own.
    func requestTarget(_ request: TransferRequest) -> RequestTarget {
        RequestTarget(request, original: original, core.options(of: original.sharedOptions)?.values)
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
            probe.attempt = try owner.begin(.probe(probe), adding: fields, to: probe.requestTarget)
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
            probe.verdict = .refused(refusal.reason, passes: passes, askedWait: refusal.askedWait)
        }
        attempt.endAtHead()
    }

    /// Decides the next step for a probe's attempt that libcurl has finished.
    func probeEnded(_ probe: MirrorProbe, _ attempt: Attempt, result: CURLcode) {
        guard probe.attempt === attempt else { return }
        attempt.ended(Attempt.End.Facts(leavesConnection: result == CURLE_OK))
        letGo(probe)
        guard let sources = handler.sources, sources.probes.contains(where: { $0 === probe }) else { return }
        switch sources.ended(probe) {
        case .follow(let next):
            probe.turn(to: requestTarget(next))
            send(probe, sources)
        case .goOn: send(probe, sources)
        case .finish(let verdict): finish(probe, sources, verdict)
        case .failed:
            let system = cc_get_long(attempt.handle.raw, CURLINFO_OS_ERRNO)
            let error = owner.furtherError(of: attempt, result, systemError: system)
            finish(probe, sources, .refused(error.message, passes: error.code != .certificate))
        }
    }

    /// Ends a comparison.
    private func finish(_ probe: MirrorProbe, _ sources: DownloadSources, _ verdict: MirrorProbe.Verdict) {
        letGo(probe)
        do throws(SessionError) {
            if let fault = try sources.finish(probe, verdict, file) {
                dropSource(probe.source, fault.reason, passes: fault.passes, askedWait: fault.askedWait, sources)
            }
        } catch {
            return owner.fail(error)
        }
        publishSources()
        watchSegments(afterMilliseconds: 0)
    }

    // MARK: - Ends

    private func letGo(_ probe: MirrorProbe) {
        if let attempt = probe.attempt { owner.letGo(attempt) }
    }

    /// Drops the comparisons of a dropped file; safe inside libcurl's callbacks, which must not remove handles.
    func dropProbes() {
        guard let sources = handler.sources else { return }
        for probe in sources.probes { strand(probe) }
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
        owner.control.publish(sources.shown(sourceLoads(sources)))
    }
}

/// Several connections over several sources, and the room at their hosts.
extension DownloadConnections {
    /// The branches that the transfer has at a host.
    private func ownBranches(at host: String) -> Int { handler.segments?.branches.count { $0.host == host } ?? 0 }

    /// Returns how many branches there may be at a host.
    private func roomForBranches(at host: String) -> Int {
        core.roomForBranches(beside: ownBranches(at: host), at: host)
    }

    /// Returns the connections of each source, including the lead, and their speed.
    func sourceLoads(_ sources: DownloadSources) -> [SourceBoard.Load] {
        let hasLead = attempt.map { $0.verdict == .accepted || $0.verdict == .pending } ?? false
        return sources.loads(handler.segments, hasLead: hasLead, now: core.now)
    }

    /// Returns the same with the room for branches at each source's host.
    private func loadsWithRoom(_ sources: DownloadSources) -> [SourceBoard.Load] {
        var loads = sourceLoads(sources)
        for index in loads.indices {
            let host = branchHost(of: index, sources)
            loads[index].room = core.trouble(at: host) == nil ? roomForBranches(at: host) - ownBranches(at: host) : 0
        }
        return loads
    }

    private func branchHost(of index: Int, _ sources: DownloadSources) -> String {
        index == sources.board.lead ? host : requestTarget(at: index, sources).host
    }

    /// Returns how many branches there may be at all hosts together.
    func roomForBranches(_ sources: DownloadSources?) -> Int {
        guard let sources, sources.hasChoice else { return roomForBranches(at: host) }
        let proven = sources.board.sources.indices.filter { sources.board.isProven($0) }
        let hosts = Set(proven.map { branchHost(of: $0, sources) })
        return hosts.reduce(0) { $0 + roomForBranches(at: $1) }
    }

    /// Returns the expected speed of the next connection; nil if its source's is unknown.
    func speedOfNext(_ sources: DownloadSources?) -> Int64? {
        guard let sources, sources.hasChoice else { return nil }
        return sources.best(loadsWithRoom(sources)).flatMap { sources.board[$0].rate }
    }

    /// Returns the source for a further connection and, unless it is the lead's, its server; nil if no source has room.
    func branchEndpoint(for segments: SegmentedDownload, _ writer: any SegmentedHandler) -> (
        source: Int, requestTarget: RequestTarget?
    )? {
        guard let sources = writer.sources, sources.hasChoice else {
            return (writer.sources?.board.lead ?? 0, branchTarget(segments))
        }
        guard let source = sources.best(loadsWithRoom(sources)) else { return nil }
        return (source, source == sources.board.lead ? branchTarget(segments) : requestTarget(at: source, sources))
    }

    /// Moves connections from a source to a faster one, or to one without any.
    func spread(_ segments: SegmentedDownload) {
        guard let sources = handler.sources, segments.mayGrow, sources.mayMove(now: core.now),
            let move = sources.move(segments, loadsWithRoom(sources))
        else { return }
        for branch in move.branches { end(branch, segments) }
        segments.growth.moved(now: core.now)
        balance()
        guard move.isFirst, segments.branches.contains(where: { $0.source == move.to }) else {
            return sources.movedAt = core.now
        }
        // A further source may have no connection yet.
        spread(segments)
    }

    /// Whether connections of a slow source are about to move to a faster one: until then a speed says nothing about
    /// the number of connections.
    func isUneven(_ segments: SegmentedDownload) -> Bool {
        guard let sources = handler.sources, sources.hasChoice else { return false }
        return sources.move(segments, loadsWithRoom(sources)) != nil
    }
}

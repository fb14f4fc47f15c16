import SessionSupport

/// Downloads that wait for a server in trouble while another of their sources may be used.
extension Transfer {
    /// Whether the file has several sources, as far as is known before the first request.
    ///
    /// Creates no handler: most transfers of a long list have one source and wait for a slot.
    var hasOtherSources: Bool {
        if hasStarted { return handler.sources != nil }
        guard case .file(let target) = description.sink else { return false }
        return target.mirrors != nil
    }

    /// Whether the request goes to the origin whose slot the transfer has, so that responses and failures count for it.
    var asksItsHost: Bool {
        guard isAwayFromHome else { return !asking.redirects.context.hasLeftOrigin }
        return (try? Origin(request.url)).map { "\($0)" } == origin
    }

    /// Makes a source whose server may be used the lead and takes a slot there, if the present lead's server may not be
    /// used; without effect when no server can be reached at all.
    ///
    /// Only for a download that has neither a connection nor a slot.
    func goAround() {
        guard attempt == nil, let reason = reasonToGoAround, let sources = handler.sources,
            let (index, key) = openSource(sources)
        else { return }
        move(to: key)
        guard sources.board.lead != index else { return }
        let earlier = sources.board[sources.board.lead].url
        sources.board.passOver(for: index)
        sources.leadHasFirstBlock = false
        sources.leadMetadata = nil
        core.emit(.source(id, .switched(to: sources.board[index].url, from: earlier, reason: reason)))
        startOver()
        core.emit(.hop(id, request))
        publishSources()
    }

    /// Whether a source other than the one that has just failed may be used now.
    var hasOpenSource: Bool { handler.sources.flatMap { openSource($0) } != nil }

    /// Whether a source other than the lead's may be used that has not failed yet.
    var hasAnotherSource: Bool {
        guard hasStarted, let sources = handler.sources else { return false }
        return sources.board.leads.contains {
            $0 != sources.board.lead && !sources.board[$0].hasFailed
                && core.trouble(at: requestTarget(at: $0, sources).host) == nil
        }
    }

    /// Returns a source that may be the lead and whose server is in no trouble, with its queue key; one that is not
    /// slow comes first.
    private func openSource(_ sources: DownloadSources) -> (index: Int, host: String)? {
        let open = sources.board.leads.lazy.map { (index: $0, host: self.requestTarget(at: $0, sources).host) }
            .filter { self.core.trouble(at: $0.host) == nil }
        return open.first { !core.hosts.isSlow($0.host, now: core.now) } ?? open.first
    }

    /// Returns why the server whose slot the transfer waits for should be avoided; nil if it should not.
    private var reasonToGoAround: String? {
        if let trouble = core.trouble(at: host) {
            return trouble.reason != .noNetwork || core.network.hasRoute(nil) ? Self.words(trouble, hostName) : nil
        }
        return core.hosts.isSlow(host, now: core.now) ? MirrorReasons.slow(hostName) : nil
    }

    private static func words(_ trouble: HostOutage, _ name: String) -> String {
        switch trouble.reason {
        case .busy: MirrorReasons.rateLimited(name)
        case .unreachable: MirrorReasons.unreachable(name)
        case .silent: MirrorReasons.silent(name)
        case .noNetwork: TransportErrors.noRoute(name)
        }
    }
}

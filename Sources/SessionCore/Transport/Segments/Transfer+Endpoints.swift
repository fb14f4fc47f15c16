/// The places that redirects lead the further connections to: signed ones expire while a file is fetched.
extension Transfer {
    /// Whom a branch to the lead's source asks; nil for what the lead asks.
    func branchTarget(_ segments: SegmentedDownload) -> RequestTarget? {
        switch segments.place {
        case .asLead: nil
        case .original: requestTarget(description.request)
        case .renewed(let requestTarget): requestTarget
        }
    }

    /// Lets a branch ask where a redirect leads; false where it was led nowhere, or cannot.
    func follow(_ branch: SegmentBranch, _ segments: SegmentedDownload, _ writer: any SegmentedHandler) -> Bool {
        guard let next = branch.next, segments.mayGrow, machine.state == .transferring else { return false }
        branch.next = nil
        let requestTarget = requestTarget(next)
        branch.host = requestTarget.host
        return start(branch, requestTarget, writer)
    }

    /// A branch that was redirected has been accepted: others ask at the same place.
    func keepEndpoint(of branch: SegmentBranch, _ attempt: Attempt, _ segments: SegmentedDownload) {
        guard branch.redirects.hops > 0, let requestTarget = attempt.requestTarget else { return }
        if let sources = handler.sources, branch.source != sources.board.lead {
            sources.board[branch.source].request = requestTarget.request
        } else {
            segments.place = .renewed(requestTarget)
        }
    }

    /// Whether a branch was refused by a place that a redirect once led to, which is not asked any more then: the next one asks
    /// for it anew.
    func endpointHasExpired(_ branch: SegmentBranch, _ attempt: Attempt, _ segments: SegmentedDownload) -> Bool {
        guard !branch.isAccepted, branch.redirects.hops == 0, let status = branch.refusedStatus,
            (400..<500).contains(status), status != 429
        else { return false }
        let asked = attempt.requestTarget?.request.url ?? request.url
        if let sources = handler.sources, branch.source != sources.board.lead {
            guard asked != sources.board[branch.source].url else { return false }
            sources.board[branch.source].request = nil
            return true
        }
        let isOfURL = handler.sources.map { $0.board.lead == 0 } ?? true
        guard isOfURL, asked != description.request.url else { return false }
        segments.place = .original
        return true
    }
}

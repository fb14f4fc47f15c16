/// The redirect targets of branches: signed URLs expire while a file is fetched.
extension Transfer {
    /// Returns the request for a branch to the lead's source; nil for the lead's own.
    func branchTarget(_ segments: SegmentedDownload) -> RequestTarget? {
        switch segments.endpoint {
        case .asLead: nil
        case .original: requestTarget(description.request)
        case .renewed(let requestTarget): requestTarget
        }
    }

    /// Sends a branch to its redirect's target; returns false without a redirect, or if it cannot be followed.
    func follow(_ branch: SegmentBranch, _ segments: SegmentedDownload, _ writer: any SegmentedHandler) -> Bool {
        guard let next = branch.next, segments.mayGrow, machine.state == .transferring else { return false }
        branch.next = nil
        let requestTarget = requestTarget(next)
        branch.host = requestTarget.host
        return start(branch, requestTarget, writer)
    }

    /// Keeps the target of a redirected branch once it is accepted, for further branches.
    func keepEndpoint(of branch: SegmentBranch, _ attempt: Attempt, _ segments: SegmentedDownload) {
        guard branch.redirects.hops > 0, let requestTarget = attempt.requestTarget else { return }
        if let sources = handler.sources, branch.source != sources.board.lead {
            sources.board[branch.source].request = requestTarget.request
        } else {
            segments.endpoint = .renewed(requestTarget)
        }
    }

    /// Whether a branch was refused by an earlier redirect's target, which is then dropped: the next branch asks the
    /// original URL again.
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
        segments.endpoint = .original
        return true
    }
}

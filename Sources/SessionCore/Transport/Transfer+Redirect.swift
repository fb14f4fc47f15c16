/// A redirect that waits for the caller's decision.
struct UndecidedRedirect: Sendable, Equatable {
    /// The head that redirects.
    var head: ResponseHead
    /// What would be sent next.
    var request: TransferRequest
    /// What the transfer fails with unless somebody allows the redirect; nil where none has to.
    var refusal: SessionError?
}

/// Redirects: whether they are followed, and what goes along.
extension Transfer {
    /// Settles what a redirect leads to; false when it is an answer like any other.
    func judgeRedirect(_ head: ResponseHead, _ attempt: Attempt) -> Bool {
        redirects.canReplaceBody = description.asksForBody
        switch RedirectPolicy.decide(head, to: request, context: redirects) {
        case .notARedirect:
            return false
        case .follow(let next):
            follow(next, head, of: attempt, refusal: nil)
        case .needsConsent(let next, let refusal) where description.asksForRedirect:
            follow(next, head, of: attempt, refusal: refusal)
        case .needsConsent(_, let error), .refuse(let error):
            settle(attempt, .fail(error), keepingPage: true)
        }
        return true
    }

    private func follow(_ next: TransferRequest, _ head: ResponseHead, of attempt: Attempt, refusal: SessionError?) {
        metrics.earlierHeads.append(head)
        let redirect = UndecidedRedirect(head: head, request: next, refusal: refusal)
        settle(attempt, .follow(redirect), keepingPage: description.asksForRedirect)
    }

    /// The caller has decided about a redirect; nil takes the redirect itself as the answer.
    func redirect(to next: TransferRequest?) {
        guard undecidedRedirect != nil else { return }
        undecidedRedirect = nil
        guard let next else {
            redirectIsAnswer = true
            if metrics.earlierHeads.last == head { metrics.earlierHeads.removeLast() }
            prepared(.nothingToTransfer)
            return
        }
        noteHop(to: next)
        prepareRequest()
    }

    /// Nobody has allowed a redirect that needs it.
    func refuseRedirect() {
        guard let refusal = undecidedRedirect?.refusal else { return }
        undecidedRedirect = nil
        if metrics.earlierHeads.last == head { metrics.earlierHeads.removeLast() }
        fail(refusal)
    }

    /// The next attempt is a hop further.
    func noteHop(to next: TransferRequest) {
        redirects.hops += 1
        redirects.visited.insert(RedirectPolicy.visitKey(request))
        if (try? Origin(request.url)) != (try? Origin(next.url)) { redirects.hasLeftOrigin = true }
        request = next
        core.emit(.hop(id, next))
    }

    /// The next attempt asks the original URL: redirect targets expire.
    func startOver() {
        request = description.request
        if let replacementBody { request.body = replacementBody }
        if redirects.hops > 0 { core.emit(.hop(id, request)) }
        redirects = RedirectPolicy.Context()
        metrics.earlierHeads = []
    }
}

/// Bodies that are larger than they may be.
extension Transfer {
    /// The most bytes that a body may have.
    var sizeLimit: Int64? { core.options(of: request.sharedOptions)?.values.sizeLimit }

    /// Bounds a body that was accepted without an announced length.
    func limitSize(of attempt: Attempt) {
        guard attempt.verdict == .accepted, handler.expected == nil, let limit = sizeLimit else { return }
        attempt.boundBody(to: max(limit - handler.resumedAt, 0))
    }

    /// More has come than may; what was written of it is worth nothing, because the rest never will be fetched.
    func passedSizeLimit(_ attempt: Attempt) {
        let limit = sizeLimit ?? 0
        attempt.fail(
            SessionError(.bodyTooLarge, ResponseErrors.overLimit(limit), failingURL: request.url))
        handler.restart(keepingPart: false)
    }
}

/// The limit on a body's size.
extension Transfer {
    /// The most bytes a body may have.
    var sizeLimit: Int64? { core.options(of: request.sharedOptions)?.values.sizeLimit }

    /// Limits a body that was accepted without an announced length.
    func limitSize(of attempt: Attempt) {
        guard attempt.verdict == .accepted, handler.expected == nil, let limit = sizeLimit else { return }
        attempt.boundBody(to: max(limit - handler.resumedAt, 0))
    }

    /// Fails after more bytes than allowed; the part is discarded, because the rest will never be fetched.
    func passedSizeLimit(_ attempt: Attempt) {
        let limit = sizeLimit ?? 0
        attempt.fail(
            SessionError(.bodyTooLarge, ResponseErrors.overLimit(limit), failingURL: request.url))
        handler.restart(keepingPart: false)
    }
}

/// Bodies that are larger than they may be.
extension Transfer {
    private var sizeLimit: Int64? { core.options(of: request)?.values.sizeLimit }

    /// Refuses an answer that announces more than the body may have; the bytes at hand belong to it when they are gone on
    /// with.
    func refusesSize(of head: ResponseHead, _ attempt: Attempt) -> Bool {
        guard let limit = sizeLimit, (200..<300).contains(head.statusCode),
            case .exactly(let count)? = try? BodyLength(head, method: request.method)
        else { return false }
        let size = count.addingReportingOverflow(Self.beginning(of: head) ?? handler.front).partialValue
        guard size > limit || size < count else { return false }
        let sentence = "\(hostName) has \(size) bytes to send, more than the \(limit) that are allowed"
        // The connection is not worth reading what nobody wants.
        attempt.failure = SessionError(.bodyTooLarge, sentence, failingURL: request.url)
        return true
    }

    /// Where an answer begins in the file, which may be before what is missing; nil where a part does not say so.
    private static func beginning(of head: ResponseHead) -> Int64? {
        guard head.statusCode == 206 else { return 0 }
        switch head.headers.singleValue(named: "Content-Range").flatMap({ ContentRange($0) }) {
        case .range(let first, _, _): return first
        case .unsatisfied, nil: return nil
        }
    }

    /// Bounds a body that was accepted without an announced length.
    func limitSize(of attempt: Attempt) {
        guard attempt.verdict == .accepted, handler.expected == nil, let limit = sizeLimit else { return }
        attempt.sizeAllowance = max(limit - handler.resumedAt, 0)
    }

    /// More has come than may; what was written of it is worth nothing, because the rest never will be fetched.
    func passedSizeLimit(_ attempt: Attempt) {
        let limit = sizeLimit ?? 0
        attempt.failure = SessionError(
            .bodyTooLarge, "\(hostName) goes on sending beyond the \(limit) bytes that are allowed",
            failingURL: request.url)
        handler.restart(keepingPart: false)
    }
}

import CCurl

/// The facts about a transfer and its attempt that the steps of a response may read.
final class AnsweredAttempt: AnswerFacts {
    private let transfer: Transfer
    private let attempt: Attempt

    init(_ transfer: Transfer, _ attempt: Attempt) { (self.transfer, self.attempt) = (transfer, attempt) }

    /// Whether the response of a branch or a probe is still needed.
    var isWanted: Bool {
        guard let branch = attempt.branch else { return block != nil }
        return transfer.handler.segments != nil && !branch.isAbandoned
    }

    var request: TransferRequest { attempt.requestTarget?.request ?? transfer.request }
    var original: TransferRequest { transfer.description.request }
    var hostName: String { transfer.hostName }
    func asks(_ question: Questions) -> Bool { transfer.asks(question) }

    var redirects: RedirectPolicy.Context {
        var context = attempt.work.further?.redirects ?? transfer.asking.redirects
        if attempt.work.further == nil { context.canReplaceBody = transfer.mayRepeatBody }
        if let options = transfer.core.options(of: transfer.request.sharedOptions)?.values {
            (context.keepsRedirects, context.limit) = (options.keepsRedirects, options.redirectLimit)
            context.methods = options.redirectMethods
            context.allowsPlainHTTP = options.allowsPlainRedirects
        }
        return context
    }

    func cookies(for request: TransferRequest) -> String? {
        guard attempt.role == .lead else { return nil }
        return RequestIdentity.cookies(for: request, from: attempt.plan.connection?.options.cookies)
    }

    func secured(_ url: String) -> String? {
        attempt.plan.connection?.options.transport.secureHosts?.secured(url)
    }

    var conditions: HeaderFields { transfer.conditions }
    var asksForContinue: Bool { attempt.plan.expectsContinue }
    var mayRepeatBody: Bool { transfer.mayRepeatBody }
    var credentials: OriginCredentials { transfer.asking.credentials }
    var ownCredentials: (RequestCredentials, OriginCredentials.Source)? { transfer.ownCredentials(attempt) }

    var proxy: ProxyState? {
        guard !transfer.isEncrypted, let connection = attempt.plan.connection, let proxy = connection.proxy,
            proxy.readsRequests
        else { return nil }
        return ProxyState(proxy: proxy, shown: connection.proxyAnswer, memory: transfer.proxyMemory)
    }

    func uploadOutcome(of head: ResponseHead) -> ResumableUpload.Outcome? {
        transfer.uploadOutcome(of: head, attempt)
    }

    var takesEveryStatus: Bool { transfer.handler.takesEveryStatus }

    func mayTryAgain(after error: SessionError, delay: Int64?) -> Bool {
        transfer.mayTryAgain(after: error, delay: delay, attempt)
    }

    var time: Int64 { Int64(WallClock.now()) }
    var sizeLimit: Int64? { transfer.sizeLimit }
    var contiguousEnd: Int64 { transfer.handler.contiguousEnd }

    var mayBeForeign: Bool {
        !attempt.hasStream && attempt.socket != nil && !attempt.hasOwnConnection && transfer.mayBeSentAgain
    }

    var file: (any FileState)? { transfer.handler.file }
    var stream: StreamState? { transfer.handler.stream }

    var range: RangeState? {
        guard let branch = attempt.branch, let writer = transfer.handler as? any SegmentedHandler else { return nil }
        return RangeState(
            range: branch.asked, overlap: branch.overlap, contiguousEnd: writer.contiguousEnd,
            metadata: writer.metadata(of: branch.source),
            total: writer.expected)
    }

    var block: BlockState? {
        guard let probe = attempt.probe, let range = probe.range, let writer = transfer.handler as? DownloadWriter,
            let length = writer.evidence?.length
        else { return nil }
        return BlockState(
            range: range, length: length, date: writer.dateToCompare, earlier: probe.metadata,
            isCompared: probe.ranges.count > 1, checksum: writer.target.checksum ?? writer.announced)
    }
}

/// The facts about an attempt that libcurl has finished, for the steps that judge its end.
final class EndedAttempt: EndState {
    private let transfer: Transfer
    private let attempt: Attempt
    private let result: CURLcode

    init(_ transfer: Transfer, _ attempt: Attempt, _ result: CURLcode) {
        (self.transfer, self.attempt, self.result) = (transfer, attempt, result)
    }

    var isOrderly: Bool { result == CURLE_OK }
    var failure: SessionError? { attempt.failure }
    var trustQuestion: TrustReview.Question? { attempt.plan.trust?.question }
    var verdict: AttemptVerdict { attempt.verdict }
    var isCutOff: Bool { attempt.watches.closing?.came == false }
    var isCutInCoding: Bool { attempt.end.facts.isCutInCoding }
    var refusal: SessionError? {
        guard transfer.handler.takesEveryStatus, let head = transfer.answer.head, head.statusCode >= 400 else {
            return nil
        }
        return ResumePolicy.statusError(head)
    }
    var hasBegun: Bool { attempt.parser.hasBegun }
    var isLeftAtChallenge: Bool { attempt.parser.isLeftAtChallenge }
    var proxyRefusal: NextStep? { transfer.refusalOfProxy(attempt) }
    var stepAfterSilence: NextStep? { transfer.nextAfterSilence(attempt, result) }
    var hostName: String { transfer.hostName }
    var url: String { transfer.request.url }
}

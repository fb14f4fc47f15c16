/// What one transfer does with responses: collect them in memory, pass them on, or write a file.
///
/// Confined to the transfer loop. The transfer itself knows redirects, retries and pausing; a handler knows bodies.
protocol ResponseHandler: AnyObject {
    /// Bytes of body that count as received, kept ones of earlier attempts included.
    var received: Int64 { get }
    /// The whole length, once known.
    var expected: Int64? { get }
    /// Where the current attempt began.
    var resumedAt: Int64 { get }
    /// The bytes from the body's beginning that are here without a gap.
    var front: Int64 { get }
    /// The connections besides the transfer's own; nil without such.
    var segments: SegmentedDownload? { get }
    /// The places that the body may come from; nil where there is one.
    var sources: DownloadSources? { get }
    /// Whether the bytes so far can be gone on with over another connection.
    var resumability: Resumability { get }
    /// Why they cannot be, as a sentence; nil where they can, or where nobody knows.
    var resumeRefusal: String? { get }
    /// Whether every final status is an answer to its caller, an error's too.
    var takesEveryStatus: Bool { get }
    /// Whether a failed attempt may be repeated as far as the response is concerned.
    var canRestart: Bool { get }

    /// Gets ready for an attempt. Calls back at once, or later on the loop.
    func prepare(_ done: @escaping (Preparation) -> Void)
    /// Header fields the next attempt needs beyond the request's own.
    func additionalFields() -> HeaderFields
    /// What steps know of a file that is written; nil for a body that is none.
    var file: (any FileFacts)? { get }
    /// What they know of a body that is passed on; nil for any other.
    var stream: StreamFacts? { get }
    /// Takes an answer for what it was judged to be. Sets the attempt's verdict and sink.
    func take(_ verdict: BodyVerdict, _ head: ResponseHead, of attempt: Attempt)
    /// A redirect is not followed, so it is the answer itself.
    func endsWithRedirect(_ head: ResponseHead) -> Preparation
    /// libcurl reported the whole of an accepted body.
    func bodyEnded() -> NextStep
    /// An attempt ended before its body was whole.
    func attemptBroke()
    /// Forgets every byte: the next attempt starts from zero.
    ///
    /// With `keepingPart` a file that is here stays until what comes is worth more: an odd answer proves nothing against it.
    func restart(keepingPart: Bool)
    /// Forgets what the current answer has brought, because it was not what it said; false where nothing is left.
    func takeBack() -> Bool
    /// The connection is held: nothing more comes until the pause is over, which the program may not live to see.
    func paused()
    /// Writes what is buffered and records it.
    func flush()
    /// Proves and names the result, then calls back on the loop.
    func finish(_ done: @escaping (SessionError?) -> Void)
    /// What has become of a small file that was made with others.
    func fileIsMade(_ result: Result<FinishedFile, SessionError>)
    /// Why the body is worth fetching anew although ``finish(_:)`` has failed, as a sentence; nil where it is not.
    func reasonToRestart(after error: SessionError) -> String?
    /// Whether a download of several connections has failed that one may bring; then the handler is ready for that.
    func goesOnAlone(after error: SessionError) -> Bool
    /// Puts what was kept in order, or deletes it, then calls back on the loop.
    func close(keeps: Bool, _ done: @escaping () -> Void)
    /// What became of the body so far.
    var result: BodyResult { get }
    /// Hands over the body that was collected in memory; empty where there is none.
    func takeBody() -> CollectedBody
    /// A chunk to deliver at the end of the tick; nil when there is none.
    func takePendingData() -> [UInt8]?
    /// The receiver is done with delivered bytes. Returns whether there is room again.
    func consumed(_ count: Int) -> Bool
    /// Asks again whether somebody looks at the chunks of the body.
    func refreshObserver()
}

extension ResponseHandler {
    /// One connection brings no gaps.
    var front: Int64 { received }
    /// One connection has to do.
    var segments: SegmentedDownload? { nil }
    var sources: DownloadSources? { nil }
    /// The body is no file.
    var file: (any FileFacts)? { nil }
    /// It is not passed on.
    var stream: StreamFacts? { nil }
    /// An error's page is no file.
    var takesEveryStatus: Bool { false }
    /// Nothing to tell.
    var result: BodyResult { BodyResult() }
    /// What was passed on or collected begins anew.
    func takeBack() -> Bool {
        restart(keepingPart: false)
        return false
    }
    /// What was collected is in memory alone anyway.
    func paused() {}
    /// No file was to be made.
    func fileIsMade(_ result: Result<FinishedFile, SessionError>) {}
    /// What has failed stays so.
    func reasonToRestart(after error: SessionError) -> String? { nil }
    /// One connection has done what it could.
    func goesOnAlone(after error: SessionError) -> Bool { false }
    /// Nothing is collected in memory.
    func takeBody() -> CollectedBody { [] }
    /// Does nothing: there are no chunks to look at.
    func refreshObserver() {}
}

/// What preparing found.
enum Preparation: Sendable, Equatable {
    case ready
    case nothingToTransfer
    case failed(SessionError)
}

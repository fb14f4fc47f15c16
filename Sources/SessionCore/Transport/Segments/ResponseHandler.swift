/// Handles the responses of one transfer: collects them in memory, passes them on, or writes a file.
///
/// Confined to the transfer loop. The transfer handles redirects, retries and pausing, a handler the bodies.
protocol ResponseHandler: AnyObject {
    /// Body bytes that count as received, including ones kept from earlier attempts.
    var received: Int64 { get }
    /// The full length; nil until known.
    var expected: Int64? { get }
    /// The offset at which the current attempt began.
    var resumedAt: Int64 { get }
    /// The bytes received from the body's beginning without a gap.
    var contiguousEnd: Int64 { get }
    /// The branches; nil without any.
    var segments: SegmentedDownload? { get }
    /// The sources of the body; nil for a single one.
    var sources: DownloadSources? { get }
    /// Whether the bytes so far can be continued over another connection.
    var resumability: Resumability { get }
    /// Why they cannot be, as a sentence; nil if they can, or if that is unknown.
    var resumeRefusal: String? { get }
    /// Whether every final status is a response for the caller, including errors.
    var takesEveryStatus: Bool { get }
    /// Whether the response permits a failed attempt to be repeated.
    var canRestart: Bool { get }

    /// Prepares an attempt. Calls back at once, or later on the loop.
    func prepare(_ done: @escaping (Preparation) -> Void)
    /// Returns the header fields the next attempt needs beyond the request's own.
    func additionalFields() -> HeaderFields
    /// The facts about a file being written, for the steps; nil for other bodies.
    var file: (any FileState)? { get }
    /// The facts about a body that is passed on, for the steps; nil for other bodies.
    var stream: StreamState? { get }
    /// Takes a response according to its verdict. Sets the attempt's verdict and sink.
    func take(_ verdict: BodyVerdict, _ head: ResponseHead, of attempt: Attempt)
    /// Called when libcurl has delivered all of an accepted body.
    func bodyEnded() -> NextStep
    /// Called when an attempt ended before its body was complete.
    func attemptBroke()
    /// Forgets every byte: the next attempt starts at 0.
    ///
    /// With `keepingPart` an existing file stays until the new bytes exceed it: an odd response proves nothing against
    /// it.
    func restart(keepingPart: Bool)
    /// Forgets the bytes of the current response, because it was not what it claimed; returns false where nothing is
    /// left.
    func takeBack() -> Bool
    /// Called when a pause begins, whose end the process may not live to see.
    func paused()
    /// Writes the buffer and records it.
    func flush()
    /// Verifies and names the result, then calls back on the loop.
    func finish(_ done: @escaping (SessionError?) -> Void)
    /// Takes the result of a small file that was made with others.
    func fileIsMade(_ result: Result<FinishedFile, SessionError>)
    /// Returns why the body is worth fetching again although ``finish(_:)`` has failed, as a sentence; nil if it is
    /// not.
    func reasonToRestart(after error: SessionError) -> String?
    /// Whether a single connection may succeed after several have failed; the handler is then prepared for it.
    func goesOnAlone(after error: SessionError) -> Bool
    /// Saves or deletes what was kept, then calls back on the loop.
    func close(keeps: Bool, _ done: @escaping () -> Void)
    /// The facts about the body so far.
    var result: BodyResult { get }
    /// Returns the body collected in memory; empty for any other.
    func takeBody() -> CollectedBody
    /// Returns the chunk to deliver at the end of the turn; nil for none.
    func takePendingData() -> [UInt8]?
    /// Whether that chunk is so large that it is delivered in this turn, because the transfer soon waits for its receiver.
    var isChunkDue: Bool { get }
    /// Records that the receiver has consumed bytes, and returns whether the handler has room again.
    func consumed(_ count: Int) -> Bool
    /// Checks again whether an observer wants the chunks of the body.
    func refreshObserver()
}

extension ResponseHandler {
    var contiguousEnd: Int64 { received }
    var segments: SegmentedDownload? { nil }
    var sources: DownloadSources? { nil }
    var file: (any FileState)? { nil }
    var stream: StreamState? { nil }
    /// A file must not hold an error's body.
    var takesEveryStatus: Bool { false }
    var result: BodyResult { BodyResult() }
    /// Starts the collected or passed-on body again.
    func takeBack() -> Bool {
        restart(keepingPart: false)
        return false
    }
    /// Does nothing: what was collected is only in memory.
    func paused() {}
    func fileIsMade(_ result: Result<FinishedFile, SessionError>) {}
    func reasonToRestart(after error: SessionError) -> String? { nil }
    func goesOnAlone(after error: SessionError) -> Bool { false }
    func takeBody() -> CollectedBody { [] }
    func refreshObserver() {}
}

/// The result of preparing an attempt.
enum Preparation: Sendable, Equatable {
    case ready
    case nothingToTransfer
    case failed(SessionError)
}

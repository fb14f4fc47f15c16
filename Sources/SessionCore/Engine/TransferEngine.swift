/// The only seam between the session and the network: commands go in, in order; events come out, in batches.
///
/// ``TransferLoop`` is the real one; tests of the layers above use a scripted one.
package protocol TransferEngine: Sendable {
    /// Queues a command without blocking; the commands of one thread run in the order they were submitted.
    func submit(_ command: EngineCommand)
    /// Sets the receiver of events, to which the engine holds a weak reference. Called once, before the first command.
    func setClient(_ client: any EngineClient)
}

/// A command from the session to the engine.
package enum EngineCommand: Sendable {
    /// Adds a transfer that does not run yet. The first command of every transfer.
    case add(TransferDescription)
    /// Makes the loop read the transfer's control again, because the wish in it has changed.
    case reconcile(TransferID)
    /// Answers ``EngineEvent/response(_:_:question:)``, with the number that came with it.
    case disposition(TransferID, ResponseDisposition, question: Int)
    /// Answers ``EngineEvent/redirect(_:_:to:needsConsent:)``: the request to follow, or nil to take the redirect as
    /// the response.
    ///
    /// Large cases of commands and events are indirect: thousands wait in queues, and each takes as much memory as the
    /// largest. With batches, that lowered the peak memory of 10,000 small files from 72 to 61 MiB.
    indirect case redirect(TransferID, TransferRequest?)
    /// Answers ``EngineEvent/redirect(_:_:to:needsConsent:)`` when it needs consent and gets none: the transfer fails
    /// with the reason.
    case refuseRedirect(TransferID)
    /// Returns bytes of ``EngineEvent/data(_:_:)`` that the caller has processed, so that more may be read.
    case consumed(TransferID, bytes: Int)
    /// Sets the limits of concurrent transfers in total (zero: none starts) and per host; running transfers continue.
    case setLimits(Int, perHost: Int)
    /// Sets the rate limits for bodies.
    case setRateLimits(RateLimits)
    /// Changes entries without transfers; ``EngineEvent/admitted(_:)`` asks for their transfers.
    case queue([QueueChange])
    /// Ends the loop: at once, or when every transfer has ended. No transfer may be added afterwards.
    case invalidate(cancelling: Bool)
}

/// The decision about a response: continue, end the task, or make it a download.
///
/// ```swift
/// manager.onResponse = { _, head in head.statusCode == 200 ? .allow : .cancel }
/// ```
public enum ResponseDisposition: Sendable, Equatable {
    /// Continues as planned.
    case allow
    /// Ends the task as cancelled.
    case cancel
    /// Stores the body as a file; the task keeps its identity and becomes a download.
    case becomeDownload
}

/// A report from the engine.
///
/// A transfer's events come in order, and ``finished(_:_:body:)`` is its last.
package enum EngineEvent: Sendable {
    /// Counts or phase changed; at most one per transfer and batch, after the transfer's other events in the batch.
    indirect case status(TransferID, TaskStatus)
    /// The final response's head; with a question's number, the transfer waits until its disposition is known.
    case response(TransferID, ResponseHead, question: Int? = nil)
    /// A redirect is about to be followed; consent is needed if it drops encryption or takes a body to another origin.
    indirect case redirect(TransferID, ResponseHead, to: TransferRequest, needsConsent: Bool = false)
    /// The request sent from here on: after a redirect, or the original one when a retry starts with it again.
    indirect case hop(TransferID, TransferRequest)
    /// The transfer waits for an answer about credentials or trust, given exactly once from any thread; sent only for
    /// transfers that ask for it.
    case challenge(TransferID, EngineChallenge, reply: @Sendable (EngineChallengeAnswer) -> Void)
    /// A body must be sent again but its source cannot be read again; the answer is a fresh one or nil, given exactly
    /// once.
    case needsBody(TransferID, reply: @Sendable (SentBody?) -> Void)
    case data(TransferID, [UInt8])
    /// A download resumes at an offset; the second count is the expected total.
    case resumedAtOffset(TransferID, offset: Int64, expectedTotal: Int64?)
    /// Bytes were discarded and the transfer restarts from zero; the reason is a sentence.
    case restarted(TransferID, reason: String)
    /// A source of a download with several was dropped, or replaced the first.
    indirect case source(TransferID, SourceEvent)
    /// The location where a server stores an upload has changed; nil when it stores none any more.
    indirect case uploadPlaced(TransferID, UploadLocation?)
    /// An attempt failed, and a retry follows after some milliseconds.
    case retrying(TransferID, attempt: Int, afterMilliseconds: Int64, reason: String)
    /// The transfer ended, with the body collected in memory: of a data or upload task, or up to 64 KiB of the error
    /// page of a download.
    case finished(TransferID, TransferOutcome, body: CollectedBody)
    /// The set of hosts that get no requests at the moment has changed.
    case backoffs([HostBackoff])
    /// The hosts with fewer concurrent transfers than the limits allow, or their numbers, have changed.
    case limited([LimitedHost])
    /// Entries whose transfers are due now; each transfer names its entry.
    case admitted([TransferID])
    /// The engine ended; no event follows.
    case invalidated
}

package protocol EngineClient: AnyObject, Sendable {
    /// Called on the transfer loop with the changes of one tick. Must not block and must not call user code.
    func engineDidPublish(_ events: [EngineEvent])
}

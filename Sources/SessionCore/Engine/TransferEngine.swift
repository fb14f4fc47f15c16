/// The only seam between the session and the network: commands go in, in order; events come out, in batches.
///
/// ``TransferLoop`` is the real one. Tests of everything above it use a scripted one.
package protocol TransferEngine: Sendable {
    /// Queues a command. Commands of one thread are carried out in the order they were submitted. Never blocks.
    func submit(_ command: EngineCommand)
    /// Sets who receives events. Called once, before the first command.
    func setClient(_ client: any EngineClient)
}

/// What the session tells the engine.
package enum EngineCommand: Sendable {
    /// A new transfer, not running. The first command of every transfer.
    case add(TransferDescription)
    /// The wish in the transfer's control has changed: look again.
    case reconcile(TransferID)
    /// Answers ``EngineEvent/response(_:_:question:)``, by the number that came with it.
    case disposition(TransferID, ResponseDisposition, question: Int)
    /// Answers ``EngineEvent/redirect(_:_:to:needsConsent:)``: the request to follow, or nil to take the redirect as the answer.
    /// Large cases of commands and events are indirect, because thousands lie in queues, where each takes as much room as
    /// the largest: with batches that took the peak memory of 10,000 small files from 72 to 61 MiB.
    indirect case redirect(TransferID, TransferRequest?)
    /// Answers ``EngineEvent/redirect(_:_:to:needsConsent:)`` where consent is needed and nobody gives it: the transfer
    /// fails with the reason.
    case refuseRedirect(TransferID)
    /// Bytes of ``EngineEvent/data(_:_:)`` that the caller is done with, so that more may be read.
    case consumed(TransferID, bytes: Int)
    /// How many transfers run at once from now on, in all (zero: none begins) and to each host; running ones go on.
    case setLimits(Int, perHost: Int)
    /// How fast bodies may move from now on.
    case setRateLimits(RateLimits)
    /// Entries without transfers have changed; ``EngineEvent/admitted(_:)`` asks for theirs.
    case queue([QueueChange])
    /// Ends the loop: at once, or when every transfer has ended. Nothing may be added afterwards.
    case invalidate(cancelling: Bool)
}

/// The decision about a response: go on, end the task, or make it a download.
///
/// ```swift
/// manager.onResponse = { _, head in head.statusCode == 200 ? .allow : .cancel }
/// ```
public enum ResponseDisposition: Sendable, Equatable {
    /// Go on as planned.
    case allow
    /// End the task as cancelled.
    case cancel
    /// Store the body as a file; the task keeps its identity and becomes a download.
    case becomeDownload
}

/// What the engine reports.
///
/// A transfer's events come in order, and ``finished(_:_:body:)`` is its last.
package enum EngineEvent: Sendable {
    /// Counts or phase changed; at most one per transfer and batch, after the batch's other events of that transfer.
    indirect case status(TransferID, TaskStatus)
    /// The final response's head; with the number of a question nothing of it goes on before somebody says what becomes
    /// of it.
    case response(TransferID, ResponseHead, question: Int? = nil)
    /// A redirect is about to be followed; one that needs consent gives up encryption or takes a body to another origin.
    indirect case redirect(TransferID, ResponseHead, to: TransferRequest, needsConsent: Bool = false)
    /// What is sent from here on: after a redirect, and the original request when a retry begins with it again.
    indirect case hop(TransferID, TransferRequest)
    /// The transfer waits for an answer about credentials or trust, given exactly once from any thread; sent only for
    /// transfers that ask for it.
    case challenge(TransferID, EngineChallenge, reply: @Sendable (EngineChallengeAnswer) -> Void)
    /// The body has to be sent again and its source cannot; the answer is a fresh one or nil, given exactly once.
    case needsBody(TransferID, reply: @Sendable (BodySpecification?) -> Void)
    /// A chunk of a streamed body.
    case data(TransferID, [UInt8])
    /// A download goes on at an offset; the second count is the expected total.
    case resumedAtOffset(TransferID, offset: Int64, expectedTotal: Int64?)
    /// Bytes were given up and the transfer starts again from zero; the reason is a sentence.
    case restarted(TransferID, reason: String)
    /// A source of a download that has several was dropped, or took the place of the first.
    indirect case source(TransferID, SourceEvent)
    /// A server keeps an upload at a place from here on, or at none any more.
    indirect case uploadPlaced(TransferID, UploadLocation?)
    /// An attempt failed and another follows after some milliseconds.
    case retrying(TransferID, attempt: Int, afterMilliseconds: Int64, reason: String)
    /// The transfer ended, with the body that was collected in memory: of a data or upload task, and on an HTTP error of a
    /// download up to 64 KiB of the error page.
    case finished(TransferID, TransferOutcome, body: CollectedBody)
    /// Hosts that nobody asks at the moment are others than before.
    case held([HostBackoff])
    /// Hosts that get fewer transfers at once than the limits allow are others than before, or get another number.
    case limited([LimitedHost])
    /// Entries that are to get a transfer now, which names its entry.
    case admitted([TransferID])
    /// The engine ended; nothing follows.
    case invalidated
}

/// The receiver of an engine's events.
package protocol EngineClient: AnyObject, Sendable {
    /// Called on the transfer loop with what one tick changed. Must not block and must not call user code.
    func engineDidPublish(_ events: [EngineEvent])
}

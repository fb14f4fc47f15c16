import Foundation
import SessionSupport

/// Resume, suspend and cancel: decided under the task's lock, carried out after it.
extension SessionTask {
    private typealias ProgressPair = (upload: TransferProgress?, download: TransferProgress?)

    /// Starts or resumes the task.
    ///
    /// Does nothing if it is running, cancelled or completed.
    public func resume() {
        let (action, progress) = mutable.withLock { state -> (TaskLifecycle.ResumeAction, ProgressPair) in
            let action = state.lifecycle.resume()
            if action != .none { state.unannounced.append(.resumed) }
            return (action, (state.uploadProgress, state.downloadProgress))
        }
        switch action {
        case .none:
            return
        case .start(let revision):
            control.setIntent(.running, revision: revision)
            follow(.running, revision: revision, progress)
            session.start(self)
        case .proceed(let revision):
            control.setIntent(.running, revision: revision)
            follow(.running, revision: revision, progress)
            session.holdSuspended(self)
            session.submit(.reconcile(id))
            session.announceTransitions(of: self)
        }
    }

    /// Pauses the task.
    ///
    /// Does nothing if it was never resumed, or is suspended, cancelled or completed.
    public func suspend() {
        let (action, progress) = mutable.withLock { state -> (TaskLifecycle.SuspendAction, ProgressPair) in
            let action = state.lifecycle.suspend()
            if action != .none { state.unannounced.append(.suspended) }
            return (action, (state.uploadProgress, state.downloadProgress))
        }
        guard case .hold(let revision) = action else { return }
        control.setIntent(.suspended, revision: revision)
        follow(.paused, revision: revision, progress)
        session.submit(.reconcile(id))
        session.announceTransitions(of: self)
    }

    /// Asks the task to end with an error of code ``SessionError/Code/cancelled``; a download's partial file is kept if
    /// it can be found again.
    ///
    /// It can be found beside the destination, in a session with an identifier, and if the task itself was made with
    /// resume data. The partial file of another download with a destination closure is deleted, since only resume data
    /// could name it: ``cancel(byProducingResumeData:)`` and ``cancel(keepingPart:)`` keep it.
    ///
    /// This is a request: a task about to succeed may still do so.
    public func cancel() {
        cancel(keepingPart: delegate.keepsPart(ofCancelled: self))
    }

    /// Cancels the task; a download's partial file is deleted unless it is to be kept.
    public func cancel(keepingPart: Bool) {
        switch mutable.withLock({ $0.lifecycle.cancel() }) {
        case .none:
            if !keepingPart { discardPartWhileCancelling() }
        case .endUnstarted:
            session.endUnstarted(
                self, SessionError(.cancelled, TaskErrors.cancelled, failingURL: request.url))
        case .stop(let revision):
            control.setIntent(.cancelled(keepsPart: keepingPart), revision: revision)
            session.holdSuspended(self)
            session.submit(.reconcile(id))
        }
    }

    /// Cancels a task that was made for a queue entry and never started, and leaves the entry to its owner, who has taken
    /// it out of the queue and may have entered it again.
    package func cancelKeepingEntry() {
        delegate.forgetEntry()
        cancel()
    }

    /// Cancels a download and passes its resume data to the handler: nil if it cannot be resumed.
    ///
    /// The handler is called exactly once, on the delegate queue, when the task has ended.
    public func cancel(byProducingResumeData handler: @escaping @Sendable (ResumeData?) -> Void) {
        let completion = mutable.withLock { state -> TaskCompletion? in
            if state.completion == nil { state.resumeDataHandlers.append(handler) }
            return state.completion
        }
        if let completion {
            session.delegateQueue.deliver { handler(completion.resumeData) }
        } else {
            cancel(keepingPart: true)
        }
    }

    private func discardPartWhileCancelling() {
        guard let revision = mutable.withLock({ $0.lifecycle.reviseCancellation() }) else { return }
        control.setIntent(.cancelled(keepsPart: false), revision: revision)
        session.submit(.reconcile(id))
    }

    private func follow(_ intent: TransferProgress.Intent, revision: UInt64, _ progress: ProgressPair) {
        progress.upload?.follow(intent, revision: revision)
        progress.download?.follow(intent, revision: revision)
    }
}

extension SessionTask {
    /// The request of the last hop as a curl command, without secrets; see ``TransferRequest/cURLDescription``.
    public var cURLDescription: String { (mutable.withLock { $0.currentRequest } ?? request).cURLDescription }
}

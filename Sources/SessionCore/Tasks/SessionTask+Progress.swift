import Foundation
import SessionSupport

/// The progress pair, made on first use: most tasks of a large batch never need one.
extension SessionTask {
    /// The direction of a task's bytes.
    enum Direction: Sendable {
        case upload, download
    }

    /// The existing half or both halves of the pair.
    var existingProgress: (upload: TransferProgress?, download: TransferProgress?) {
        mutable.withLock { ($0.uploadProgress, $0.downloadProgress) }
    }

    /// Returns the progress of a direction, made now if there is none; nil once the task has completed.
    func progress(_ direction: Direction) -> TransferProgress? {
        if let existing = mutable.withLock({ $0[direction] }) { return state == .completed ? nil : existing }
        let fresh = makeProgress(direction)
        return mutable.withLock { state -> TransferProgress? in
            guard state.lifecycle.state != .completed else { return nil }
            if let existing = state[direction] { return existing }
            state[direction] = fresh
            return fresh
        }.map { catchUp($0) }
    }

    /// The progress holds the task weakly: a caller that keeps it keeps nothing else alive.
    private func makeProgress(_ direction: Direction) -> TransferProgress {
        let progress = TransferProgress(
            TransferProgress.Control(
                pause: { [weak self] in self?.suspend() }, resume: { [weak self] in self?.resume() },
                cancel: { [weak self] in self?.cancel() }))
        let status = control.status
        switch direction {
        case .upload: _ = progress.update(completed: status.sent, total: expectedToSend(status))
        case .download: _ = progress.update(completed: status.received, total: status.expectedToReceive)
        }
        return progress
    }

    /// Covers a transition between making a progress and installing it, which would otherwise be missed.
    private func catchUp(_ progress: TransferProgress) -> TransferProgress {
        let (state, revision) = mutable.withLock { ($0.lifecycle.state, $0.lifecycle.revision) }
        switch state {
        case .running: progress.follow(.running, revision: revision)
        case .suspended where revision > 0: progress.follow(.paused, revision: revision)
        case .suspended, .canceling, .completed: break
        }
        return progress
    }

    /// The engine's length of the request body, else the length in the request's own header.
    func expectedToSend(_ status: TaskStatus) -> Int64? {
        status.expectedToSend ?? request.headers["Content-Length"].flatMap { Int64($0) }
    }
}

extension SessionTask.Mutable {
    fileprivate subscript(direction: SessionTask.Direction) -> TransferProgress? {
        get {
            switch direction {
            case .upload: uploadProgress
            case .download: downloadProgress
            }
        }
        set {
            switch direction {
            case .upload: uploadProgress = newValue
            case .download: downloadProgress = newValue
            }
        }
    }
}

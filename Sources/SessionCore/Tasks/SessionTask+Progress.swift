import Foundation
import SessionSupport

/// The progress pair, made when it is first asked for: most tasks of a large batch never need one.
extension SessionTask {
    /// The two directions of a task.
    enum Direction: Sendable {
        case upload, download
    }

    /// The pair as far as it exists.
    var existingProgress: (upload: TransferProgress?, download: TransferProgress?) {
        mutable.withLock { ($0.uploadProgress, $0.downloadProgress) }
    }

    /// The progress of a direction; nil once the task has completed.
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

    /// It holds the task weakly: a progress kept by its user keeps nothing alive.
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

    /// A transition between making a progress and installing it would be missed without this.
    private func catchUp(_ progress: TransferProgress) -> TransferProgress {
        let (state, revision) = mutable.withLock { ($0.lifecycle.state, $0.lifecycle.revision) }
        switch state {
        case .running: progress.follow(.running, revision: revision)
        case .suspended where revision > 0: progress.follow(.paused, revision: revision)
        case .suspended, .canceling, .completed: break
        }
        return progress
    }

    /// The request body's length: the engine's, else the one the request's own header promises.
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

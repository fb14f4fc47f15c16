import CLinux
import Foundation
import SessionCore

/// What the user asks of transfers.
extension SessionBridge {
    /// Pauses what runs or waits.
    func pause(_ ids: [UInt64]) {
        for id in ids { progress(of: id)?.pause() }
    }

    /// Lets paused transfers go on, and retries those that failed or were cancelled.
    func resume(_ ids: [UInt64]) {
        for id in ids {
            guard let row = row(id) else { continue }
            switch row.result {
            case nil: resumePaused(row)
            case .failed, .cancelled: retry(row)
            case .completed: if row.job.kind == .data { retry(row) }
            case .unfinished: break
            }
        }
    }

    /// Cancels what has not ended.
    ///
    /// A part is kept unless it is to be deleted; of a transfer that has ended already, a part that was kept is deleted
    /// too.
    func cancel(_ ids: [UInt64], deletingParts: Bool) {
        for id in ids {
            guard let row = row(id), let task = row.task else { continue }
            if row.isFinal {
                if deletingParts, row.result != .completed { manager.discardPart(of: task) }
                continue
            }
            state.withLock { $0.rows[id]?.discardsPart = deletingParts }
            if row.isHeld { enterHeld(id) }
            progress(of: id)?.cancel()
            if deletingParts { manager.discardPart(of: task) }
        }
    }

    /// Drops rows that have ended.
    func clear(_ ids: [UInt64]) {
        let removed = state.withLock { state in
            let ended = ids.filter { state.rows[$0]?.isFinal == true }
            for id in ended {
                guard let row = state.rows.removeValue(forKey: id) else { continue }
                state.earlierBytes += row.moved
                if let task = row.task { state.rowOfTask[task.id] = nil }
                if let destination = JobDestination(of: row.job) { state.destinations.remove(destination) }
            }
            let gone = Set(ended)
            state.order.removeAll { gone.contains($0) }
            return ended
        }
        if !removed.isEmpty { observer.transfersWereRemoved(removed) }
    }

    /// Ends every task, keeping parts, and waits until that is done, for two seconds at most.
    ///
    /// Returns how the transfers stood before, so that what was still under way counts as unfinished.
    func close() -> [TransferResult] {
        let results = results
        state.withLock { $0.isClosing = true }
        manager.invalidate(cancellingTasks: true, resettingSession: false)
        // Too late to do anything about a task that does not end in time; its part is as good as a crash leaves it.
        _ = running.wait(timeout: .now() + .seconds(2))
        return results
    }

    /// Ends a task whose body can no longer be written.
    func cancelForBody(_ id: UInt64) {
        progress(of: id)?.cancel()
    }

    // MARK: - Parts

    func row(_ id: UInt64) -> TransferRow? { state.withLock { $0.rows[id] } }

    /// The progress of the direction that a row shows.
    private func progress(of id: UInt64) -> Progress? {
        guard let row = row(id), !row.isFinal, let task = row.task else { return nil }
        return row.job.kind == .upload ? manager.uploadProgress(for: task) : manager.downloadProgress(for: task)
    }

    private func resumePaused(_ row: TransferRow) {
        if row.isHeld { enterHeld(row.id) }
        progress(of: row.id)?.resume()
    }

    /// A held task counts as running from now on.
    private func enterHeld(_ id: UInt64) {
        let wasHeld = state.withLock { state in
            defer { state.rows[id]?.isHeld = false }
            return state.rows[id]?.isHeld == true
        }
        if wasHeld { running.enter() }
    }

    /// Makes a new task for a row whose last one has ended.
    func retry(_ row: TransferRow) {
        state.withLock { state in
            guard var fresh = state.rows[row.id], fresh.isFinal else { return }
            if let task = fresh.task { state.rowOfTask[task.id] = nil }
            fresh.result = nil
            fresh.task = nil
            fresh.lastStatus = TaskStatus()
            fresh.startedAt = nil
            fresh.endedAt = nil
            fresh.wasStarted = false
            fresh.wasResumed = false
            fresh.lastPhase = nil
            fresh.discardsPart = false
            fresh.retryReason = nil
            state.rows[row.id] = fresh
            state.liveCount += 1
        }
        report(row.id, .resumed)
        // The kept part is wanted now, whatever the command line said about older ones.
        var job = row.job
        job.continues = true
        start(row.id, job: job, isHeld: false)
    }
}

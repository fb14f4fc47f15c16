import CLinux
import Foundation
import SessionCore

/// What the library tells about tasks. Called on the delegate queue, in order for each task.
extension SessionBridge {
    /// Takes one event of one task; those of tasks that a retry has replaced are dropped.
    func handle(_ event: SessionTaskEvent, of task: SessionTask) {
        guard let id = state.withLock({ $0.rowOfTask[task.id] }) else {
            if case .completed = event { running.leave(task) }
            return
        }
        switch event {
        case .resumed: noteResumed(id)
        case .suspended:
            state.withLock { state in
                state.room.leave(id)
                state.rows[id]?.isSuspended = true
            }
            report(id, .paused)
            admitWaiting()
        case .status(let status): noteStatus(id, status)
        case .response(let head): noteResponse(id, head, task)
        case .restarted(let reason): report(id, .restarted(reason: reason))
        case .retrying(let attempt, let milliseconds, let reason):
            // An attempt that ended at once may be told before the status it had.
            noteStarted(id)
            state.withLock { $0.rows[id]?.retryReason = reason }
            // Attempts that made progress are not counted by the library, so its number may be zero.
            report(id, .retrying(attempt: max(attempt, 1), afterSeconds: Double(milliseconds) / 1000, reason: reason))
        case .completed(let completion):
            finish(id, completion, task)
            running.leave(task)
            admitWaiting()
        case .data, .moved, .moveFailed, .resumedAtOffset: break
        }
    }

    private func noteResumed(_ id: UInt64) {
        let now = cl_monotonic_milliseconds()
        let isFirst = state.withLock { state in
            state.room.enter(id)
            return state.rows[id]?.noteResumed(at: now) ?? true
        }
        if !isFirst { report(id, .resumed) }
    }

    /// The first sign that a slot was free counts as the start.
    private func noteStarted(_ id: UInt64) {
        let now = cl_monotonic_milliseconds()
        let isFirst = state.withLock { state in
            state.rows[id]?.noteStarted(at: now, addedAt: state.additionMoments.moment(of: id)) ?? false
        }
        if isFirst { report(id, .started) }
    }

    private func noteStatus(_ id: UInt64, _ status: TaskStatus) {
        switch status.phase {
        case .connecting, .running, .verifying, .retrying: noteStarted(id)
        case .queued, .paused, .completed, .failed, .cancelled: break
        }
        let isNews =
            if observer.showsRows {
                state.withLock { $0.rows[id]?.noteStatus(status) ?? false }
            } else {
                // Lines have nothing to tell of a transfer before its first byte.
                status.received > 0 || status.sent > 0
            }
        if isNews { observer.transferDidMove(id) }
    }

    private func noteResponse(_ id: UInt64, _ head: ResponseHead, _ task: SessionTask) {
        noteStarted(id)
        let showsRows = observer.showsRows
        let output = state.withLock { state -> BodyOutput? in
            if showsRows { state.rows[id]?.note(head) }
            return head.statusCode >= 400 ? state.rows[id].flatMap { $0.job.kind == .download ? $0.output : nil } : nil
        }
        output?.dropBody()
        let isResumable = task.status.isResumable
        report(id, .response(status: head.statusCode, headers: head.headers.count, isResumable: isResumable))
    }

    // MARK: - The end

    private func finish(_ id: UInt64, _ completion: TaskCompletion, _ task: SessionTask) {
        guard let row = state.withLock({ $0.rows.ending(of: id) }) else { return }
        let isClosing = state.withLock { $0.isClosing }
        var result = Self.result(of: completion)
        if let failure = finishOutput(of: row, completion, result: result), result != .cancelled || !isClosing {
            result = .failed(TransferFailure(failure, path: row.output?.path))
        }
        if isClosing, result == .cancelled { result = .unfinished }
        let now = cl_monotonic_milliseconds()
        let seconds = Double(now - (row.startedAt ?? now)) / 1000
        let path = completion.filePath ?? row.output?.path
        let showsRows = observer.showsRows
        state.withLock { state in
            state.room.leave(id)
            state.rows[id]?.noteEnd(result, completion, path: path, at: now, keepingDetails: showsRows)
            if showsRows { state.shelveBody(of: id) }
            if result == .completed { state.rowOfTask[task.id] = nil }
        }
        // The library knows nothing of an answer or a body that makes a failure of it here.
        if case .failed = result, completion.error == nil { save(id) }
        if row.discardsPart { manager.discardPart(of: task) }
        noteStart(id, of: row, endedWith: result)
        switch result {
        case .completed:
            reportEnd(id, .completed(Self.summary(of: completion, row: row, path: path, seconds: seconds)))
        case .failed(let failure): reportEnd(id, .failed(failure))
        case .cancelled: reportEnd(id, .cancelled)
        case .unfinished: reportEnd(id, .paused)
        }
        if result != .cancelled, row.job.kind == .data { planRepeat(id) }
    }

    /// A transfer that ends soon may do so before any status of it was told.
    private func noteStart(_ id: UInt64, of row: RowEnding, endedWith result: TransferResult) {
        switch result {
        case .completed: noteStarted(id)
        case .failed: if row.wasResumed { noteStarted(id) }
        case .cancelled, .unfinished: break
        }
    }

    private static func result(of completion: TaskCompletion) -> TransferResult {
        if let error = completion.error {
            if let error = error as? SessionError, error.code == .cancelled { return .cancelled }
            return .failed(TransferFailure(error))
        }
        if let head = completion.head, head.statusCode >= 400 { return .failed(TransferFailure(head: head)) }
        return .completed
    }

    /// Ends a streamed body; the body of an error status is a whole body too.
    ///
    /// An upload's answer is written here.
    private func finishOutput(
        of row: RowEnding, _ completion: TaskCompletion, result: TransferResult
    ) -> BodyOutput.Failure? {
        guard let output = row.output else { return nil }
        if row.job.kind == .upload, !completion.body.isEmpty { _ = output.write(completion.body) }
        return output.finish(isWhole: completion.error == nil)
    }

    private static func summary(
        of completion: TaskCompletion, row: RowEnding, path: String?, seconds: Double
    ) -> TransferEvent.Completion {
        let isSHA256 = row.job.checksum?.algorithm == .sha256
        let bytes = row.job.kind == .upload ? completion.status.sent : completion.status.received
        return TransferEvent.Completion(
            path: path, bytes: bytes, sha256: isSHA256 ? completion.verifiedDigest : nil, seconds: seconds,
            wasSkipped: completion.wasSkipped)
    }
}

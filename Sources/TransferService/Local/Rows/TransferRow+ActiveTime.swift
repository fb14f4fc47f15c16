import SessionCore

/// The time that a run takes, without its pauses and the waits for a slot after them, as a time limit counts it.
extension TransferRow.Run {
    /// Records the beginning of a pause.
    mutating func recordPause(at time: Int64) {
        isSuspended = true
        pausedAt = pausedAt ?? time
    }

    /// Records a phase; the first active one ends a pause.
    ///
    /// The phase lags behind the report of a pause, whose time counts from the report.
    mutating func keepTime(in phase: Phase, at time: @autoclosure () -> Int64) {
        switch phase {
        case .paused, .queued: if wasStarted, pausedAt == nil { pausedAt = time() }
        case .connecting, .running, .verifying, .retrying: if pausedAt != nil, !isSuspended { endPause(at: time()) }
        case .completed, .failed, .cancelled: break
        }
    }

    /// Records its end; a pause until then does not count.
    mutating func recordEnd(at time: Int64) {
        // No phase may have been reported since it was resumed.
        endPause(at: isSuspended ? time : queuedAt ?? time)
        endedAt = time
    }

    private mutating func endPause(at time: Int64) {
        if let start = startedAt, let since = pausedAt { startedAt = start + max(time - max(since, start), 0) }
        pausedAt = nil
    }
}

/// How a transfer keeps to the limits on how fast bodies move.
extension Transfer {
    /// Whether bytes may move now; a transfer that may not waits for its next portion.
    func mayMove(_ direction: Pace.Direction) -> Bool {
        core.pace.mayMove(direction, id, host: origin, lane: lane, at: core.now)
    }

    /// Whether bytes may move now; an attempt that may not is paused by the caller.
    func mayMove(_ direction: Pace.Direction, _ attempt: Attempt) -> Bool {
        guard !mayMove(direction) else { return true }
        attempt.hold(direction.pause)
        attempt.pacing.hasHeld = true
        return false
    }

    /// As much of a buffer as a body may fill in one step.
    func step(of buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(core.pace.step(.upload, of: id)))
    }

    /// It was granted a portion, or nothing bounds it any more.
    ///
    /// Where several connections want the portion, the one goes first that has waited for the longest time: one that did so
    /// always would take it all.
    func goOn(_ direction: Pace.Direction) {
        let further = direction == .download ? heldAttempts(direction.pause) : []
        guard !further.isEmpty else { return unpause(direction.pause) }
        let all = further + [attempt].compactMap(\.self)
        for attempt in all.sorted(by: { $0.pacing.latestPortion < $1.pacing.latestPortion }) {
            unpause(attempt, direction.pause)
        }
    }

    /// Holds attempts that have used up their portion back from the connection, which costs less than to refuse bytes that
    /// were read.
    ///
    /// A head is not held back: libcurl 7.88 hands over lines that it reads during a pause in another order.
    func stopForPace(_ direction: Pace.Direction) {
        if let attempt, !attempt.pause.contains(direction.pause) { stop(attempt, direction) }
        guard direction == .download else { return }
        for attempt in branchAttempts(without: direction.pause) { stop(attempt, direction) }
    }

    private func stop(_ attempt: Attempt, _ direction: Pace.Direction) {
        guard direction == .upload || attempt.isAnswered, !mayMove(direction, attempt) else { return }
        applyPause(attempt)
    }

    /// Whether an attempt is under way that wants to move more: a body that is sent in full waits for nothing.
    func hasMore(_ direction: Pace.Direction) -> Bool {
        guard let attempt, !machine.isHeld else { return false }
        return direction == .download || attempt.source?.length != attempt.sent
    }

    /// Lets go of what a paused transfer was granted; it asks anew when it goes on.
    func leavePace(_ attempt: Attempt) {
        core.pace.leave(id)
        attempt.release([.downloadRate, .uploadRate])
    }

    /// Lets go of what a transfer was granted whose own attempt has ended; its further connections ask anew.
    func leavePace() {
        guard core.pace.isActive else { return }
        core.pace.leave(id)
        if !heldAttempts(.downloadRate).isEmpty { _ = mayMove(.download) }
    }
}

extension Pace.Direction {
    fileprivate var pause: Attempt.Pause { self == .download ? .downloadRate : .uploadRate }
}

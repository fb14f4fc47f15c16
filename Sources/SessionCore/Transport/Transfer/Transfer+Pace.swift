/// The rate limits of a transfer's bodies.
extension Transfer {
    /// Whether bytes may move now; a refused transfer waits for its next portion.
    func mayMove(_ direction: Pace.Direction) -> Bool {
        core.pace.mayMove(direction, id, host: origin, lane: lane, at: core.now)
    }

    /// Whether bytes may move now; the caller pauses an attempt that is refused.
    func mayMove(_ direction: Pace.Direction, _ attempt: Attempt) -> Bool {
        guard !mayMove(direction) else { return true }
        attempt.hold(direction.pause)
        attempt.pacing.hasPaused = true
        return false
    }

    /// Returns the part of a buffer that a body may fill in one step.
    func step(of buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(core.pace.step(.upload, of: id)))
    }

    /// Resumes after a portion was granted, or after the limit was lifted.
    ///
    /// If several connections want the portion, the one that has waited longest goes first; a fixed first one would
    /// always take it all.
    func goOn(_ direction: Pace.Direction) {
        let further = direction == .download ? pausedAttempts(direction.pause) : []
        guard !further.isEmpty else { return unpause(direction.pause) }
        let all = further + [attempt].compactMap(\.self)
        for attempt in all.sorted(by: { $0.pacing.latestPortion < $1.pacing.latestPortion }) {
            unpause(attempt, direction.pause)
        }
    }

    /// Pauses attempts that have used up their portion, which costs less than refusing bytes that were read.
    ///
    /// A head is not paused: libcurl 7.88 reorders the header lines that it reads during a pause.
    func stopForPace(_ direction: Pace.Direction) {
        if let attempt, !attempt.pause.contains(direction.pause) { stop(attempt, direction) }
        guard direction == .download else { return }
        for attempt in branchAttempts(without: direction.pause) { stop(attempt, direction) }
    }

    private func stop(_ attempt: Attempt, _ direction: Pace.Direction) {
        guard direction == .upload || attempt.isAnswered, !mayMove(direction, attempt) else { return }
        applyPause(attempt)
    }

    /// Whether the current attempt has more to move: a body that is sent in full waits for nothing.
    func hasMore(_ direction: Pace.Direction) -> Bool {
        guard let attempt, !machine.isHolding else { return false }
        return direction == .download || attempt.source?.length != attempt.sent
    }

    /// Returns what a paused transfer was granted; it asks again when it resumes.
    func leavePace(_ attempt: Attempt) {
        core.pace.leave(id)
        attempt.release([.downloadRate, .uploadRate])
    }

    /// Returns what a transfer was granted when its lead attempt has ended; its branches ask again.
    func leavePace() {
        guard core.pace.isActive else { return }
        core.pace.leave(id)
        if !pausedAttempts(.downloadRate).isEmpty { _ = mayMove(.download) }
    }
}

extension Pace.Direction {
    fileprivate var pause: Attempt.Pause { self == .download ? .downloadRate : .uploadRate }
}

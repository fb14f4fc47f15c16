/// Whether a light of activity is on: it goes on late and off late, so that it never flickers.
///
/// A value: it says what to do, and somebody else waits.
struct ActivityState: Sendable, Equatable {
    enum Phase: Sendable, Equatable {
        case inactive, delayingStart, active, delayingEnd
    }

    /// What follows from a change.
    enum Action: Sendable, Equatable {
        case nothing
        /// Wait for the delay of the phase that has begun; an earlier wait is over.
        case wait
        case show, hide
    }

    private(set) var phase = Phase.inactive

    var isVisible: Bool { phase == .active || phase == .delayingEnd }

    /// Something runs now, or nothing does.
    mutating func change(isRunning: Bool) -> Action {
        switch (phase, isRunning) {
        case (.inactive, true):
            phase = .delayingStart
            return .wait
        case (.active, false):
            phase = .delayingEnd
            return .wait
        case (.delayingStart, false): phase = .inactive
        case (.delayingEnd, true): phase = .active
        case (.inactive, false), (.active, true), (.delayingStart, true), (.delayingEnd, false): break
        }
        return .nothing
    }

    /// The delay of the phase is over.
    mutating func delayEnded() -> Action {
        switch phase {
        case .delayingStart:
            phase = .active
            return .show
        case .delayingEnd:
            phase = .inactive
            return .hide
        case .inactive, .active: return .nothing
        }
    }
}

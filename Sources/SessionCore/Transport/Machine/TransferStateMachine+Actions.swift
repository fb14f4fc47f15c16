/// What the state machine tells its owner to do, and what it hears of storage and attempts.
extension TransferStateMachine {
    /// How a transfer ends.
    enum Ending: Sendable, Hashable {
        case completed
        case failed
        case cancelled(keepsPart: Bool)
    }

    /// What the owner has to do, in the order of the array.
    enum Action: Sendable, Equatable {
        case joinQueue
        case leaveQueue
        case releaseSlot
        /// Look for a part, check the destination; answer with ``prepared(_:)``.
        case prepare
        /// Ask the caller; its answer leads to ``prepared(_:)`` too.
        case ask(CallerQuestion)
        /// Wait for the answer no more.
        case withdraw(CallerQuestion)
        case startAttempt
        /// Take the attempt off the wire.
        case endAttempt
        /// Stop reading and writing but keep the connection.
        case hold
        case release
        case startHoldTimer
        case stopHoldTimer
        case startRetryTimer
        case stopRetryTimer
        /// Write what is buffered and record it, because nothing more comes for a while. Comes last: a disk that refuses
        /// ends the transfer at once.
        case flushPart
        /// Prove, sync and rename; answer with ``finished(_:)``.
        case finish
        /// Flush or delete the part; answer with ``closed()``.
        case closePart(keeps: Bool)
        case announce(Ending)
    }

    /// What looking for a part found.
    enum Preparation: Sendable, Equatable {
        case ready
        /// The part is whole already, or nothing has to be transferred.
        case nothingToTransfer
        case failed
    }

    /// How an attempt left the wire by itself.
    enum AttemptEnd: Sendable, Equatable {
        /// The whole body is there.
        case bodyComplete
        /// Another request follows at once: a redirect, the next range, a restart from zero.
        case again
        /// Another request follows when the caller has decided.
        case askFirst(CallerQuestion)
        /// The attempt failed and is repeated after a delay.
        case retry
        case failed
    }
}

extension TransferStateMachine {
    /// The phase that rows show; nil while closing, when the last one stands.
    var phase: Phase? {
        switch state {
        case .parked: wasResumed ? .paused : .queued
        case .waiting, .holdingForSlot: .queued
        case .preparing, .connecting: intent == .suspended ? .paused : .connecting
        case .transferring: .running
        case .holding: .paused
        case .backingOff: .retrying
        case .finishing: .verifying
        case .closing, .ended: nil
        }
    }

    /// Whether an attempt is on the wire that may neither read nor write, because of a pause.
    var isHeld: Bool {
        switch state {
        case .holding, .holdingForSlot: true
        case .parked, .waiting, .preparing, .connecting, .transferring, .backingOff, .finishing, .closing, .ended: false
        }
    }
}

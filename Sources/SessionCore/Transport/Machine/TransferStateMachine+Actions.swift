/// The state machine's actions for its owner, and its inputs from storage and attempts.
extension TransferStateMachine {
    /// How a transfer ends.
    enum Ending: Sendable, Hashable {
        case completed
        case failed
        case cancelled(keepsPart: Bool)
    }

    /// An action for the owner, in the order of the array.
    enum Action: Sendable, Equatable {
        case joinQueue
        case leaveQueue
        case releaseSlot
        /// Look for a partial file and check the destination; answer with ``prepared(_:)``.
        case prepare
        /// Ask the caller; the answer leads to ``prepared(_:)`` too.
        case ask(CallerQuestion)
        /// Withdraw the question.
        case withdraw(CallerQuestion)
        case startAttempt
        /// Remove the attempt from libcurl.
        case endAttempt
        /// Stop reading and writing but keep the connection.
        case hold
        case release
        case startHoldTimer
        case stopHoldTimer
        case startRetryTimer
        case stopRetryTimer
        /// Write the buffer and record it, because nothing more arrives for a while. Comes last: a failing disk ends
        /// the transfer at once.
        case flushPart
        /// Verify, sync and rename; answer with ``finished(_:)``.
        case finish
        /// Flush or delete the partial file; answer with ``closed()``.
        case closePart(keeps: Bool)
        case announce(Ending)
    }

    /// The result of looking for a partial file.
    enum Preparation: Sendable, Equatable {
        case ready
        /// The partial file is complete, or nothing has to be transferred.
        case nothingToTransfer
        /// Preparing is repeated after a delay.
        case retry
        case failed
    }

    /// How an attempt ended by itself.
    enum AttemptEnd: Sendable, Equatable {
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
    /// The phase shown to users; nil while closing, when the last one stays.
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

    /// Whether an attempt exists that may neither read nor write, because of a pause.
    var isHolding: Bool {
        switch state {
        case .holding, .holdingForSlot: true
        case .parked, .waiting, .preparing, .connecting, .transferring, .backingOff, .finishing, .closing, .ended: false
        }
    }
}

/// The life of one transfer: every input changes the state and returns the actions that follow.
///
/// The transfer loop feeds it inputs and performs the actions it returns. It knows no sockets, files or time, so every
/// order of pausing, resuming, failing and cancelling is proven by tables.
struct TransferStateMachine: Sendable, Hashable {
    /// The states; each case names the ones that may follow it.
    enum State: Sendable, Hashable {
        /// Added, or paused without a connection. Next: waiting, backingOff, closing.
        case parked
        /// Wants to run and has no slot. Next: preparing, parked, finishing, closing.
        case waiting
        /// The caller answers an open question, then storage looks for a partial file. Has a slot, unless paused before
        /// the answer. Next: connecting, waiting, parked, backingOff, finishing, closing.
        case preparing
        /// An attempt is running, its final head has not arrived. Next: transferring, holding, backingOff, preparing,
        /// finishing, closing.
        case connecting
        /// The head was accepted and the body moves. Next: holding, backingOff, preparing, finishing, closing.
        case transferring
        /// Paused with an open connection. Next: holdingForSlot, parked, closing.
        case holding(accepted: Bool)
        /// Resumed with an open connection, slot not granted. Next: connecting, transferring, holding, waiting,
        /// finishing, closing.
        case holdingForSlot(accepted: Bool)
        /// The last attempt failed and the next one has to wait. Next: waiting, parked, closing.
        case backingOff
        /// Every byte is received; storage verifies and renames. Next: preparing, waiting, parked, backingOff, closing,
        /// ended.
        case finishing
        /// The ending is known; storage closes the partial file first. Next: ended.
        case closing(Ending)
        /// Announced. Final.
        case ended
    }

    private(set) var state: State = .parked
    /// The latest wish; keeps a pause that arrives while storage works.
    private(set) var intent: TransferControl.Intent = .suspended
    private(set) var hasSlot = false
    /// Whether it ever ran, which tells a parked transfer from one never started.
    private(set) var wasResumed = false
    /// Whether no attempt is needed any more since a pause: resuming then finishes the transfer.
    private var needsNoAttempt = false
    private var unanswered = UnansweredQuestion()

    /// The open question.
    var openQuestion: CallerQuestion? {
        guard let question = unanswered.question else { return nil }
        switch state {
        case .preparing: return question
        case .connecting, .transferring, .holding, .holdingForSlot: return question.holdsResponse ? question : nil
        case .parked, .waiting, .backingOff, .finishing, .closing, .ended: return nil
        }
    }

    /// Whether the current attempt's response is withheld until the caller has decided.
    var isResponsePending: Bool { openQuestion?.holdsResponse == true }

    // MARK: - Questions

    /// Records that the caller is asked a question; the number identifies the answer.
    mutating func ask(_ question: CallerQuestion, number: Int) { unanswered.ask(question, number: number) }

    /// Whether the question with a number is open.
    func isOpen(number: Int) -> Bool { openQuestion != nil && unanswered.number == number }

    /// Records the answer to the question with a number; returns false if it is no longer open.
    mutating func answered(number: Int) -> Bool { isOpen(number: number) && unanswered.close() != nil }

    /// Records the answer to the open question, and returns the question; nil if none is open.
    mutating func answered() -> CallerQuestion? { openQuestion == nil ? nil : unanswered.close() }

    // MARK: - Inputs

    /// Handles a possible change of the caller's wish.
    ///
    /// - Parameter mustWait: whether the attempt after a pause has to wait, as its server has asked.
    mutating func reconcile(_ intent: TransferControl.Intent, mustWait: Bool = false) -> [Action] {
        guard self.intent != intent else { return [] }
        if case .cancelled = self.intent {
            // The partial file is untouched until storage has looked for it.
            if state == .preparing, intent == .cancelled(keepsPart: false) { self.intent = intent }
            return []
        }
        self.intent = intent
        switch intent {
        case .running: return run(mustWait: mustWait)
        case .suspended: return suspend()
        case .cancelled(let keepsPart): return cancel(keepsPart: keepsPart)
        }
    }

    /// Handles a granted slot.
    mutating func slotGranted() -> [Action] {
        switch state {
        case .waiting:
            hasSlot = true
            if needsNoAttempt { return beginFinishing() }
            return beginPreparing()
        case .holdingForSlot(let accepted):
            hasSlot = true
            state = accepted ? .transferring : .connecting
            return [.stopHoldTimer, .release]
        case .parked, .preparing, .connecting, .transferring, .holding, .backingOff, .finishing, .closing, .ended:
            hasSlot = true
            return releaseSlot()
        }
    }

    /// Handles the result of looking for a partial file.
    mutating func prepared(_ preparation: Preparation) -> [Action] {
        guard case .preparing = state else { return [] }
        if case .cancelled(let keepsPart) = intent { return close(.cancelled(keepsPart: keepsPart)) }
        switch preparation {
        case .failed: return close(.failed)
        case .nothingToTransfer: needsNoAttempt = true
        case .ready, .retry: break
        }
        if intent == .suspended {
            state = .parked
            return releaseSlot()
        }
        if preparation == .retry { return backOff() }
        if needsNoAttempt { return beginFinishing() }
        guard hasSlot else {
            state = .waiting
            return [.joinQueue]
        }
        state = .connecting
        return [.startAttempt]
    }

    /// Records that the final head arrived and its body will be read.
    mutating func headAccepted() {
        switch state {
        case .connecting: state = .transferring
        case .holding(accepted: false): state = .holding(accepted: true)
        case .holdingForSlot(accepted: false): state = .holdingForSlot(accepted: true)
        case .parked, .waiting, .preparing, .transferring, .holding, .holdingForSlot, .backingOff, .finishing, .closing,
            .ended:
            break
        }
    }

    /// Handles the end of an attempt, which the owner has removed already.
    mutating func attemptEnded(_ end: AttemptEnd) -> [Action] {
        unanswered.closeIfResponseIsPending()
        switch state {
        case .connecting, .transferring: break
        case .holding, .holdingForSlot: return attemptEndedWhileHolding(end)
        case .parked, .waiting, .preparing, .backingOff, .finishing, .closing, .ended: return []
        }
        switch end {
        case .bodyComplete: return beginFinishing()
        case .failed: return close(.failed)
        case .again:
            return beginPreparing()
        case .askFirst(let question):
            unanswered.comeUp(question)
            return beginPreparing()
        case .retry:
            state = .backingOff
            return releaseSlot() + [.startRetryTimer, .flushPart]
        }
    }

    /// Closes a paused connection after the hold timeout, or when its memory is needed.
    ///
    /// The owner calls this only if resuming later loses nothing.
    mutating func holdExpired() -> [Action] {
        unanswered.closeIfResponseIsPending()
        switch state {
        case .holding:
            state = .parked
            return [.endAttempt, .flushPart]
        case .holdingForSlot:
            state = .waiting
            return [.endAttempt, .flushPart]
        case .parked, .waiting, .preparing, .connecting, .transferring, .backingOff, .finishing, .closing, .ended:
            return []
        }
    }

    /// Handles the end of the retry delay.
    mutating func retryDue() -> [Action] {
        guard case .backingOff = state else { return [] }
        state = .waiting
        return [.joinQueue]
    }

    /// Handles a user's wish to try again at once.
    mutating func hastened() -> [Action] {
        guard case .backingOff = state else { return [] }
        state = .waiting
        return [.stopRetryTimer, .joinQueue]
    }

    /// Handles the result of verifying and renaming the file; after a failure the partial file is closed.
    mutating func finished(_ succeeded: Bool) -> [Action] {
        guard case .finishing = state else { return [] }
        guard succeeded else { return close(.failed) }
        state = .ended
        return releaseSlot() + [.announce(.completed)]
    }

    /// Fetches the body again after storage has found it wrong, or after a delay where it could not save it.
    mutating func finishedInVain(waits: Bool = false) -> [Action] {
        guard case .finishing = state else { return [] }
        needsNoAttempt = false
        switch intent {
        case .cancelled(let keepsPart): return close(.cancelled(keepsPart: keepsPart))
        case .suspended:
            state = .parked
            return releaseSlot()
        case .running where waits: return backOff()
        case .running: break
        }
        guard hasSlot else {
            state = .waiting
            return [.joinQueue]
        }
        return beginPreparing()
    }

    /// Announces the ending once storage has closed the partial file.
    mutating func closed() -> [Action] {
        guard case .closing(let ending) = state else { return [] }
        state = .ended
        return [.announce(ending)]
    }

    /// Fails the transfer after its owner could not open the attempt or write the partial file.
    mutating func fail() -> [Action] {
        switch state {
        case .finishing, .closing, .ended: return []
        case .parked, .waiting, .preparing, .connecting, .transferring, .holding, .holdingForSlot, .backingOff:
            return close(.failed)
        }
    }

    // MARK: - Decisions

    private mutating func run(mustWait: Bool) -> [Action] {
        wasResumed = true
        switch state {
        case .parked where mustWait && !needsNoAttempt:
            state = .backingOff
            return [.startRetryTimer]
        case .parked:
            state = .waiting
            return [.joinQueue]
        case .holding(let accepted):
            state = .holdingForSlot(accepted: accepted)
            return [.joinQueue]
        case .waiting, .preparing, .connecting, .transferring, .holdingForSlot, .backingOff, .finishing, .closing,
            .ended:
            return []
        }
    }

    private mutating func suspend() -> [Action] {
        switch state {
        case .waiting:
            state = .parked
            return [.leaveQueue]
        case .backingOff:
            state = .parked
            return [.stopRetryTimer]
        case .connecting:
            state = .holding(accepted: false)
            return [.hold] + releaseSlot() + [.startHoldTimer]
        case .transferring:
            state = .holding(accepted: true)
            return [.hold] + releaseSlot() + [.startHoldTimer]
        case .holdingForSlot(let accepted):
            state = .holding(accepted: accepted)
            return [.leaveQueue]
        case .preparing where unanswered.question != nil:
            // The caller may take long to answer, and others can run until then.
            return releaseSlot()
        case .parked, .preparing, .holding, .finishing, .closing, .ended:
            return []
        }
    }

    private mutating func cancel(keepsPart: Bool) -> [Action] {
        switch state {
        case .preparing where unanswered.question == nil:
            // Storage is working: its reply decides.
            return []
        case .finishing, .closing, .ended:
            // A finished file stays.
            return []
        case .preparing, .parked, .waiting, .connecting, .transferring, .holding, .holdingForSlot, .backingOff:
            return close(.cancelled(keepsPart: keepsPart))
        }
    }

    /// Ends a running attempt or wait, and lets storage close the partial file.
    private mutating func close(_ ending: Ending) -> [Action] {
        var actions: [Action] = []
        // A caller that never answers must not keep a transfer alive; a withheld response ends with its attempt.
        let open = unanswered.close()
        switch state {
        case .waiting: actions = [.leaveQueue]
        case .connecting, .transferring: actions = [.endAttempt]
        case .holding: actions = [.stopHoldTimer, .endAttempt]
        case .holdingForSlot: actions = [.leaveQueue, .stopHoldTimer, .endAttempt]
        case .backingOff: actions = [.stopRetryTimer]
        case .parked, .preparing, .finishing, .closing, .ended: break
        }
        if let open, !open.holdsResponse { actions.append(.withdraw(open)) }
        state = .closing(ending)
        let keeps: Bool
        switch ending {
        case .cancelled(let keepsPart): keeps = keepsPart
        case .completed, .failed: keeps = true
        }
        return actions + releaseSlot() + [.closePart(keeps: keeps)]
    }

    private mutating func beginPreparing() -> [Action] {
        state = .preparing
        return [unanswered.question.map { .ask($0) } ?? .prepare]
    }

    private mutating func backOff() -> [Action] {
        state = .backingOff
        return releaseSlot() + [.startRetryTimer]
    }

    private mutating func beginFinishing() -> [Action] {
        state = .finishing
        return [.finish]
    }

    /// Handles an attempt that ended during a pause: neither a disconnect nor a complete body wakes the transfer, and
    /// the next step waits for the resume.
    private mutating func attemptEndedWhileHolding(_ end: AttemptEnd) -> [Action] {
        let queued: Bool
        if case .holdingForSlot = state { queued = true } else { queued = false }
        switch end {
        case .bodyComplete where queued:
            return [.stopHoldTimer, .leaveQueue] + beginFinishing()
        case .bodyComplete:
            needsNoAttempt = true
            state = .parked
            return [.stopHoldTimer, .flushPart]
        case .failed:
            let actions: [Action] = queued ? [.leaveQueue, .stopHoldTimer] : [.stopHoldTimer]
            state = .closing(.failed)
            return actions + [.closePart(keeps: true)]
        case .again, .retry, .askFirst:
            if case .askFirst(let question) = end { unanswered.comeUp(question) }
            state = queued ? .waiting : .parked
            return [.stopHoldTimer, .flushPart]
        }
    }

    private mutating func releaseSlot() -> [Action] {
        guard hasSlot else { return [] }
        hasSlot = false
        return [.releaseSlot]
    }
}

/// What happens next in the life of one transfer: a value without side effects.
///
/// The transfer loop feeds it inputs and performs the actions it returns. Nothing here knows sockets, files or time,
/// so every order of pausing, resuming, failing and cancelling is proven by tables.
struct TransferStateMachine: Sendable, Hashable {
    /// Each case names the states that may follow it.
    enum State: Sendable, Hashable {
        /// Added, or paused without a connection. Next: waiting, backingOff, closing.
        case parked
        /// Wants to run and has no slot. Next: preparing, parked, finishing, closing.
        case waiting
        /// The caller answers what has to be known first, then storage looks for a part. It has a slot, unless it was
        /// paused before the answer came. Next: connecting, waiting, parked, finishing, closing.
        case preparing
        /// An attempt is on the wire, its final head has not arrived. Next: transferring, holding, backingOff,
        /// preparing, finishing, closing.
        case connecting
        /// The head was accepted and the body moves. Next: holding, backingOff, preparing, finishing, closing.
        case transferring
        /// Paused with the connection held. Next: holdingForSlot, parked, closing.
        case holding(accepted: Bool)
        /// Resumed, connection still held, slot not granted. Next: connecting, transferring, holding, waiting,
        /// finishing, closing.
        case holdingForSlot(accepted: Bool)
        /// The last attempt failed and the next one has to wait. Next: waiting, parked, closing.
        case backingOff
        /// Every byte is there; storage proves and renames. Next: closing, ended.
        case finishing
        /// The ending is known; storage puts the part in order first. Next: ended.
        case closing(Ending)
        /// Announced. Final.
        case ended
    }

    private(set) var state: State = .parked
    /// The wish as last seen; pausing while storage works is remembered here.
    private(set) var intent: TransferControl.Intent = .suspended
    private(set) var hasSlot = false
    /// Whether it ran at any time, so that a parked transfer can be told from one never started.
    private(set) var wasResumed = false
    /// Whether it turned out during a pause that no attempt is needed any more: then the resume finishes it.
    private var needsNoAttempt = false
    private var unanswered = UnansweredQuestion()

    /// The question that was asked and has no answer yet.
    var openQuestion: CallerQuestion? {
        guard let question = unanswered.question else { return nil }
        switch state {
        case .preparing: return question
        case .connecting, .transferring, .holding, .holdingForSlot: return question.holdsResponse ? question : nil
        case .parked, .waiting, .backingOff, .finishing, .closing, .ended: return nil
        }
    }

    /// Whether the response of the attempt under way is held until the caller has decided.
    var isResponseHeld: Bool { openQuestion?.holdsResponse == true }

    // MARK: - Questions

    /// The caller is asked something; the number identifies the answer.
    mutating func ask(_ question: CallerQuestion, number: Int) { unanswered.ask(question, number: number) }

    /// Whether somebody waits for the answer to the question of a number.
    func isOpen(number: Int) -> Bool { openQuestion != nil && unanswered.number == number }

    /// The caller has answered the question of a number; false when nobody waits for that answer any more.
    mutating func answered(number: Int) -> Bool { isOpen(number: number) && unanswered.close() != nil }

    /// The caller has answered a question; false when it was not asked.
    mutating func answered(_ question: CallerQuestion) -> Bool {
        openQuestion == question && unanswered.close() != nil
    }

    // MARK: - Inputs

    /// The caller's wish may have changed.
    ///
    /// - Parameter mustWait: whether the attempt that follows a pause has to wait, as its server has asked.
    mutating func reconcile(_ intent: TransferControl.Intent, mustWait: Bool = false) -> [Action] {
        guard self.intent != intent else { return [] }
        if case .cancelled = self.intent {
            // Nothing has been done about the part before storage has looked for it.
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

    /// A slot is free for this transfer.
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

    /// Storage has looked for a part.
    mutating func prepared(_ preparation: Preparation) -> [Action] {
        guard case .preparing = state else { return [] }
        if case .cancelled(let keepsPart) = intent { return close(.cancelled(keepsPart: keepsPart)) }
        switch preparation {
        case .failed: return close(.failed)
        case .nothingToTransfer: needsNoAttempt = true
        case .ready: break
        }
        if intent == .suspended {
            state = .parked
            return releaseSlot()
        }
        if needsNoAttempt { return beginFinishing() }
        guard hasSlot else {
            state = .waiting
            return [.joinQueue]
        }
        state = .connecting
        return [.startAttempt]
    }

    /// The final head arrived and its body will be taken.
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

    /// The attempt is off the wire by itself; the owner has removed it already.
    mutating func attemptEnded(_ end: AttemptEnd) -> [Action] {
        unanswered.closeIfResponseIsHeld()
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

    /// A paused connection was held long enough, or its memory is needed.
    ///
    /// The owner asks only where going on later loses nothing.
    mutating func holdExpired() -> [Action] {
        unanswered.closeIfResponseIsHeld()
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

    /// The delay before the next attempt is over.
    mutating func retryDue() -> [Action] {
        guard case .backingOff = state else { return [] }
        state = .waiting
        return [.joinQueue]
    }

    /// Storage has proven and renamed the file, or could not; then the part is put in order.
    mutating func finished(_ succeeded: Bool) -> [Action] {
        guard case .finishing = state else { return [] }
        guard succeeded else { return close(.failed) }
        state = .ended
        return releaseSlot() + [.announce(.completed)]
    }

    /// Storage has found the whole wrong, and what is fetched anew may be right.
    mutating func finishedInVain() -> [Action] {
        guard case .finishing = state else { return [] }
        needsNoAttempt = false
        switch intent {
        case .cancelled(let keepsPart): return close(.cancelled(keepsPart: keepsPart))
        case .suspended:
            state = .parked
            return releaseSlot()
        case .running: break
        }
        guard hasSlot else {
            state = .waiting
            return [.joinQueue]
        }
        return beginPreparing()
    }

    /// Storage has put the part in order.
    mutating func closed() -> [Action] {
        guard case .closing(let ending) = state else { return [] }
        state = .ended
        return [.announce(ending)]
    }

    /// Fails the transfer for what its owner could not do itself: open the attempt, write the part.
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
            // The caller may take long to answer, and others can run meanwhile.
            return releaseSlot()
        case .parked, .preparing, .holding, .finishing, .closing, .ended:
            return []
        }
    }

    private mutating func cancel(keepsPart: Bool) -> [Action] {
        switch state {
        case .preparing where unanswered.question == nil:
            // Storage is at work: its answer decides.
            return []
        case .finishing, .closing, .ended:
            // A file that got its name stays.
            return []
        case .preparing, .parked, .waiting, .connecting, .transferring, .holding, .holdingForSlot, .backingOff:
            return close(.cancelled(keepsPart: keepsPart))
        }
    }

    /// Ends whatever is under way and lets storage put the part in order.
    private mutating func close(_ ending: Ending) -> [Action] {
        var actions: [Action] = []
        // A caller that never answers must not keep a transfer alive; a held response goes with its attempt.
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

    private mutating func beginFinishing() -> [Action] {
        state = .finishing
        return [.finish]
    }

    /// A server that hangs up on a paused transfer does not wake it, and neither does one that has sent everything:
    /// what follows waits for the resume.
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

import CCurl

/// A transfer on the loop: feeds the state machine and performs the actions it returns.
///
/// Confined to the transfer loop's thread.
final class Transfer {
    let description: TransferDescription
    let id: TransferID
    let control: TransferControl
    /// The server whose slots the transfer takes.
    private(set) var home: QueueHome
    /// The server's name for messages.
    let displayHost: String
    let core: LoopCore
    /// Handles responses.
    ///
    /// Created on first use, because most transfers of a long list are waiting.
    private(set) lazy var handler: any ResponseHandler = makeHandler()
    /// The request of the current hop: the original request, or the one a redirect led to.
    private(set) var request: TransferRequest {
        didSet { isEncrypted = Self.isEncrypted(request.url) }
    }
    /// The lane that keeps data requests from waiting behind files.
    var lane: Scheduler.Lane { .lane(of: description.kind) }
    private(set) var attendance = QueueAttendance()
    private(set) var isEncrypted: Bool
    private(set) var attempt: Attempt?
    /// The error the transfer fails with.
    private(set) var failure: SessionError?
    var figures: TransferFigures
    var answer = AnswerState()
    var asking = RequestState()
    var tries = RetryControl()
    /// The state of a resumable upload; nil for nearly every transfer.
    private(set) var upload: UploadState?
    private(set) var machine = TransferStateMachine()
    private(set) var hasStarted = false
    /// The connections beside the lead; made when they are first needed.
    private(set) lazy var connections = makeConnections()
    private var hasConnections = false
    private var isDirty = false
    /// Whether its slot was passed to another transfer before its own end.
    private var hasPassedSlotOn = false

    init(_ description: TransferDescription, core: LoopCore) {
        self.description = description
        self.core = core
        id = description.id
        control = description.control
        request = description.request
        isEncrypted = Self.isEncrypted(description.request.url)
        let entry = core.recent.origins.entry(of: description.request.url)
        let origin = entry?.text ?? description.request.url
        home = QueueHome(host: core.routeKey(of: description.request, to: origin), origin: origin)
        displayHost = entry?.origin.host ?? Origin.serverName(of: description.request.url)
        figures = TransferFigures(sendsBody: description.request.body != .none)
    }

    /// The queue key of the server and route whose slots the transfer takes; see ``QueueHome``.
    var host: String { home.host }

    /// Takes the slots of another origin; only for a transfer that has no slot and waits for none.
    func move(to key: String) {
        home = QueueHome(host: key, original: core.recent.origins.entry(of: description.request.url)?.text)
    }

    /// Records whether it is to run, and whether it waits for a host in trouble; returns false if that is known.
    func attend(isAtWork: Bool) -> Bool { attendance.work(isAtWork) }
    func attend(isAway: Bool) -> Bool { attendance.goAway(isAway) }

    // MARK: - Changes by the extensions

    func ask(_ request: TransferRequest) { self.request = request }

    func begin(_ upload: UploadState) { self.upload = upload }

    func hand(to handler: any ResponseHandler) { self.handler = handler }

    /// Makes an attempt the lead: one that has just begun, or a former branch.
    func take(_ attempt: Attempt) { self.attempt = attempt }

    func record(_ failure: SessionError) { self.failure = failure }

    /// Whether the caller would answer a question now; forwarded to the description, which is too large to copy.
    func asks(_ question: Questions) -> Bool { description.asks(question) }

    /// Whether a URL's scheme is https, the only other one being http.
    private static func isEncrypted(_ url: String) -> Bool {
        let bytes = url.utf8Span.span
        return bytes.count > 5 && bytes[4] | 0x20 == 0x73 && bytes[5] == 0x3A
    }

    /// The connections beside the lead; nil for a transfer with one connection to one source.
    var connectionsIfAny: DownloadConnections? {
        hasConnections || hasStarted && (handler.segments != nil || handler.sources != nil) ? connections : nil
    }

    private func makeConnections() -> DownloadConnections {
        hasConnections = true
        return DownloadConnections(self)
    }

    private func makeHandler() -> any ResponseHandler {
        switch description.sink {
        case .memory(let limit): BodyCollector(limit: limit) { [description] in description.asks(.chunks) }
        case .stream:
            BodyCollector(
                limit: nil,
                ordering: description.arrangement.segmentation.map { OrderedBody($0, description, core: core) })
        case .file(let target): makeWriter(target)
        case .staged: makeWriter(nil)
        }
    }

    func makeWriter(_ target: DownloadTarget?) -> DownloadWriter {
        DownloadWriter(description, target: target, core: core)
    }

    // MARK: - Inputs from the loop

    /// Reads the caller's wish and acts on it.
    ///
    /// Nothing else reads the wish: it changes on other threads at any time, so all other code asks the machine, which
    /// knows the wish that was acted on.
    private func look() {
        perform(machine.reconcile(control.intent, mustWait: mustWait))
        core.count(self, isAtWork: machine.intent == .running && machine.state != .ended)
    }

    /// Handles a possible change of the caller's wish, or of its rank in the queue.
    func reconcile() {
        if hasStarted { handler.refreshObserver() }
        look()
        if tries.takeHastening(control.rank.hastenings) { perform(machine.hastened()) }
        core.moveInQueue(self)
    }

    /// Reads the wish first: a caller that pauses or cancels many transfers must not see one of them start in between.
    func slotGranted() {
        look()
        perform(machine.slotGranted())
    }

    private func holdExpired() {
        let request = description.request
        let mayRepeat = figures.status.received == 0 && request.body == .none && request.isIdempotent
        guard handler.resumability == .yes || mayRepeat || upload?.machine.keepsBytes == true else { return }
        if let attempt { drain(attempt) }
        guard attempt != nil else { return }
        perform(machine.holdExpired())
        // The redirect's target may be gone when the pause is over.
        if attempt == nil { startOver() }
    }

    func due(_ purpose: Deadlines.Purpose) {
        switch purpose {
        case .hold: holdExpired()
        case .retry: retryDue()
        case .stall: stallCheckDue()
        case .arrival: arrivalDue()
        case .window: windowDue()
        case .limit: timeLimitDue()
        case .segments: upload?.connections?.checkDue() ?? connections.segmentsDue()
        case .hosts: break
        }
    }

    func retryDue() {
        core.clearDeadline(.retry(id))
        if endRemoval() { return }
        perform(machine.retryDue())
    }

    func consumed(_ bytes: Int) {
        if handler.consumed(bytes) { unpause(.sink) }
    }

    func sinkHasRoom() { unpause(.sink) }

    func sourceHasBytes() { unpause(.source) }

    // MARK: - Inputs from the attempt

    func headAccepted() {
        machine.headAccepted()
        phaseChanged()
    }

    func closed() { perform(machine.closed()) }

    func perform(end: TransferStateMachine.AttemptEnd) { perform(machine.attemptEnded(end)) }

    /// Asks the caller a question; the number identifies the answer.
    func pose(_ question: CallerQuestion) -> Int {
        let number = core.nextQuestionNumber()
        machine.ask(question, number: number)
        return number
    }

    /// Records the caller's answer; returns false if that question is no longer open.
    func answered(number: Int) -> Bool { machine.answered(number: number) }

    /// Records the caller's answer to the open question, and returns the question.
    @discardableResult
    func answered() -> CallerQuestion? { machine.answered() }

    func fail(_ error: SessionError) {
        record(error)
        perform(machine.fail())
    }

    // MARK: - Actions

    private func perform(_ actions: [TransferStateMachine.Action]) {
        for action in actions { perform(action) }
        phaseChanged()
    }

    private func perform(_ action: TransferStateMachine.Action) {
        switch action {
        case .joinQueue: joinQueue()
        case .leaveQueue: core.leaveQueue(self)
        case .releaseSlot:
            if !machine.isHolding { upload?.connections?.endAll() }
            core.releaseSlot(self)
        case .prepare:
            hasStarted = true
            prepareRequest()
        case .ask(let question):
            hasStarted = true
            put(question)
        case .withdraw(let question): withdraw(question)
        case .startAttempt: startAttempt()
        case .endAttempt:
            endFurther()
            endAttempt()
        case .hold:
            connectionsIfAny?.endAll()
            hold()
            handler.paused()
        case .release: release()
        case .startHoldTimer:
            core.setDeadline(.hold(id), afterMilliseconds: Deadlines.milliseconds(core.configuration.holdTimeout))
        case .stopHoldTimer: core.clearDeadline(.hold(id))
        case .startRetryTimer:
            endFurther()
            startRetryTimer()
        case .stopRetryTimer:
            core.clearDeadline(.retry(id))
            core.stopWaitingForHost(self)
            figures.stopWaiting()
        case .flushPart: handler.flush()
        case .finish:
            endFurther()
            finish()
        case .closePart(let keeps):
            endFurther()
            handler.close(keeps: keeps) { [unowned self] in partIsClosed(keeps: keeps) }
        case .announce(let ending): announce(ending)
        }
    }

    func prepared(_ preparation: Preparation) {
        switch preparation {
        case .ready: perform(machine.prepared(.ready))
        case .nothingToTransfer: perform(machine.prepared(.nothingToTransfer))
        case .failed(let error) where waitsForDescriptor(error): perform(machine.prepared(.retry))
        case .failed(let error):
            record(error)
            perform(machine.prepared(.failed))
        }
    }

    private func finish() {
        handler.finish { [unowned self] error in
            let wrong = error.flatMap { error in handler.sources.flatMap { connections.switchAfterMismatch(error, $0) }
            }
            if let error, let reason = wrong ?? handler.reasonToRestart(after: error) {
                handler.restart(keepingPart: false)
                core.emit(.restarted(id, reason: reason))
                startOver()
                return perform(machine.finishedInVain())
            }
            if let error, savesLater(error) { return perform(machine.finishedInVain(waits: true)) }
            failure = error
            perform(machine.finished(error == nil))
        }
    }

    // MARK: - The slot

    /// Waits for a slot, at another source if its own server is in trouble.
    func joinQueue() {
        if attempt == nil, hasOtherSources {
            core.detours.insert(id)
            goAround()
        }
        core.joinQueue(self)
    }

    /// Records that the slot was passed to another transfer; returns false without a slot, because the body became
    /// complete while the transfer waited for one.
    func passSlotOn() -> Bool {
        hasPassedSlotOn = machine.hasSlot
        return hasPassedSlotOn
    }

    /// Whether the slot was passed to another transfer; resets the flag.
    func takePassedSlot() -> Bool {
        defer { hasPassedSlotOn = false }
        return hasPassedSlotOn
    }

    private func endAttempt() {
        guard let attempt else { return }
        let age = attemptAge
        figures.endAttempt(at: core.now)
        collectMetrics(attempt, age: age)
        recordSent(by: attempt)
        letGo(attempt)
        handler.attemptBroke()
    }

    /// Detaches an attempt that libcurl has finished.
    func detach(_ attempt: Attempt) {
        figures.endAttempt(at: core.now)
        collectMetrics(attempt)
        letGo(attempt)
    }

    /// Unlinks an attempt of any kind from its owner and from this transfer.
    func letGo(_ attempt: Attempt) {
        switch attempt.work {
        case .lead:
            if upload != nil { recordUploaded(by: attempt) }
            recordBody(readBy: attempt)
            freeWindow(of: attempt)
            leavePace()
            core.remove(attempt)
            core.clearDeadline(.stall(id))
            core.clearDeadline(.arrival(id))
            self.attempt = nil
        case .branch(let further), .probe(let further), .part(let further):
            further.attempt = nil
            core.remove(attempt)
            if let host = attempt.branch?.host ?? attempt.part?.host { core.branchEnded(at: host) }
        case .none: return
        }
        attempt.letGo()
    }

    // MARK: - Status

    /// Enqueues the status, once per publication.
    ///
    /// Called for every chunk.
    func enqueueStatus() {
        guard !isDirty else { return }
        isDirty = true
        core.outbox.moved.append(self)
    }

    private func phaseChanged() {
        enqueueStatus()
        guard let phase = machine.phase, figures.enter(phase) else { return }
        keepTime(in: phase)
        core.outbox.hurry()
    }

    /// Publishes the current counts to all threads, and returns them.
    /// - Parameter isDone: whether the transfer is complete, so that nothing can be resumed.
    @discardableResult
    func publishStatus(isDone: Bool = false) -> TaskStatus {
        isDirty = false
        if hasStarted {
            let handler = handler
            let body = TransferFigures.Body(
                received: handler.received, expected: handler.expected, resumedAt: handler.resumedAt,
                resumability: isDone ? .no : upload?.machine.keepsBytes == true ? .yes : handler.resumability,
                failedAttempts: tries.withoutProgress)
            figures.refresh(body, attempt.map { progress(of: $0, isDone: isDone) })
        }
        control.publish(figures.status)
        return figures.status
    }

    private func progress(of attempt: Attempt, isDone: Bool) -> TransferFigures.Progress {
        let arrived = bytesArrived(of: attempt)
        let owesAnswer = !attempt.isAnswered && attempt.handle.hasSentRequest && !machine.isHolding
        return TransferFigures.Progress(
            connections: isDone ? 0 : handler.segments?.working ?? workingParts, sent: sentBytes(arrived),
            inFlight: max(attempt.sent - arrived, 0) + (upload?.connections?.inFlight ?? 0),
            answerAwaitedSince: owesAnswer ? attempt.awaitedSince(now: core.now) : nil, hasSent: attempt.sent > 0)
    }

    func takePendingData() -> [UInt8]? { hasStarted ? handler.takePendingData() : nil }

    var isChunkDue: Bool { hasStarted && handler.isChunkDue }
}

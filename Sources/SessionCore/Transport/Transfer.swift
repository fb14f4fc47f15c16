import CCurl

/// One transfer on the loop: it feeds the state machine and performs what the machine returns.
///
/// Confined to the transfer loop's thread.
final class Transfer {
    private let shared: SharedValue<TransferDescription>
    let id: TransferID
    let control: TransferControl
    /// Whose slots it takes: scheme, host and port.
    let host: String
    /// The server's name for sentences.
    let displayHost: String
    unowned let core: LoopCore
    /// What is done with responses; made when it is first needed, because most of a long list wait for their turn.
    lazy var handler: any ResponseHandler = makeHandler()
    private var hasStarted = false
    /// Whether its slot went to another transfer before its own end.
    var hasPassedSlotOn = false
    /// The request of the current hop: the original one, or what a redirect named.
    var request: TransferRequest
    var attempt: Attempt?
    var status = TaskStatus()
    /// The latest final head.
    var head: ResponseHead?
    /// What the transfer fails with, once it does.
    var failure: SessionError?
    var metrics = TransferMetrics()
    /// Whether an attempt has begun or been answered since the figures were collected.
    var metricsAreStale = false
    var redirects = RedirectPolicy.Context()
    /// Attempts in a row that ended without a new byte.
    var attemptsWithoutProgress = 0
    /// What is a new byte and what is not.
    var reach = TransferReach()
    /// The attempt's end, kept back until the caller has decided about its response.
    var undecidedEnd: CURLcode?
    var awaitsDisposition = false
    /// Whether the caller has made a download of the response; the answers to later attempts go on with it.
    var becameDownload = false
    /// The redirect that the caller decides about.
    var undecidedRedirect: UndecidedRedirect?
    /// The server the caller decides about before anything is sent to it.
    var undecidedTrust: TrustReview.Question?
    /// How often the caller was asked about a server since the last answer of one: a server that shows another chain at
    /// every connection would go on for ever.
    var trustQuestions = 0
    /// Set while the caller decides whether to show credentials; the response is held meanwhile.
    var awaitsCredentials = false
    /// What may be shown to whom.
    var credentials = OriginCredentials()
    /// Whether the server answered 417 to the question whether it wants the body.
    var refusesExpectation = false
    /// Whether the request's body was read and cannot be read again.
    var isBodySpent = false
    /// The body the caller made when the first one was spent.
    var replacementBody: BodySpecification?
    /// The number of the question that waits for an answer.
    var openQuestion: Int?
    private(set) var questionCount = 0
    /// The page of an error status, for the outcome.
    var errorPage: MemorySink?
    /// Set when a refused or unfollowed redirect is the final answer.
    var redirectIsAnswer = false
    var retryDelay: Int64 = 0
    var stallWatch: StallWatch?
    private(set) var machine = TransferStateMachine()
    private var isDirty = false
    var holdsConnection = false

    init(_ shared: SharedValue<TransferDescription>, core: LoopCore) {
        self.shared = shared
        let description = shared.value
        self.core = core
        id = description.id
        control = description.control
        request = description.request
        let place = core.origins.entry(of: description.request.url)
        host = place?.text ?? description.request.url
        displayHost = place?.origin.host ?? description.request.url
        status.expectedToSend = description.request.body == .none ? 0 : nil
    }

    var description: TransferDescription { shared.value }

    private func makeHandler() -> any ResponseHandler {
        switch description.sink {
        case .memory(let limit): BodyCollector(limit: limit) { [shared] in shared.value.asks(.chunks) }
        case .stream: BodyCollector(limit: nil)
        case .file(let target): makeWriter(target)
        case .staged: makeWriter(nil)
        }
    }

    func makeWriter(_ target: DownloadTarget?) -> DownloadWriter { DownloadWriter(shared, target: target, core: core) }

    // MARK: - Inputs from the loop

    /// Reads the caller's wish and acts on it.
    ///
    /// This is the only place that reads it: it changes at any time on other threads, so whatever else depends on it
    /// asks the machine, which knows what was acted on.
    private func look() { perform(machine.reconcile(control.wish)) }

    /// The caller's wish, or its rank in the queue, may have changed.
    func reconcile() {
        if hasStarted { handler.lookForObserver() }
        look()
        core.moveInQueue(self)
        guard case .cancelled = machine.wish else { return }
        stopAsking()
    }

    /// Does not wait for an answer any more: a caller that never gives one must not keep a cancelled transfer alive.
    private func stopAsking() {
        guard undecidedRedirect != nil || openQuestion != nil else { return }
        undecidedRedirect = nil
        openQuestion = nil
        leaveTrust()
        prepared(.ready)
    }

    /// Numbers a question, so that an answer to an earlier one is not mistaken for this one's.
    func nextQuestion() -> Int {
        questionCount += 1
        openQuestion = questionCount
        return questionCount
    }

    /// Looks at the wish first: who pauses or cancels many at once must not see one of them start meanwhile.
    func slotGranted() {
        look()
        perform(machine.slotGranted())
    }

    func holdExpired() {
        let request = description.request
        let mayRepeat = status.received == 0 && request.body == .none && request.isIdempotent
        guard handler.isResumable || mayRepeat else { return }
        if let attempt { drain(attempt) }
        perform(machine.holdExpired())
    }

    func retryDue() { perform(machine.retryDue()) }

    func consumed(_ bytes: Int) {
        if handler.consumed(bytes) { unpause(.sink) }
    }

    /// The sink has room again.
    func sinkHasRoom() { unpause(.sink) }

    /// The body source has bytes again.
    func sourceHasBytes() { unpause(.source) }

    // MARK: - Inputs from the attempt

    func headAccepted() {
        machine.headAccepted()
        phaseChanged()
    }

    func perform(end: TransferStateMachine.AttemptEnd) { perform(machine.attemptEnded(end)) }

    func fail(_ error: SessionError) {
        failure = error
        perform(machine.fail())
    }

    // MARK: - Actions

    private func perform(_ actions: [TransferStateMachine.Action]) {
        for action in actions { perform(action) }
        phaseChanged()
    }

    private func perform(_ action: TransferStateMachine.Action) {
        switch action {
        case .joinQueue: core.joinQueue(self)
        case .leaveQueue: core.leaveQueue(self)
        case .releaseSlot: core.releaseSlot(self)
        case .prepare: prepare()
        case .startAttempt: startAttempt()
        case .endAttempt: endAttempt()
        case .hold: hold()
        case .release: release()
        case .startHoldTimer:
            core.setDeadline(.hold(id), afterMilliseconds: Deadlines.milliseconds(core.configuration.holdTimeout))
        case .stopHoldTimer: core.clearDeadline(.hold(id))
        case .startRetryTimer:
            core.setDeadline(.retry(id), afterMilliseconds: retryDelay)
            status.retryAt = core.now + retryDelay
        case .stopRetryTimer:
            core.clearDeadline(.retry(id))
            status.retryAt = nil
        case .flushPart: handler.flush()
        case .finish: finish()
        case .closePart(let keeps):
            handler.close(keeps: keeps) { [unowned self] in
                perform(machine.closed())
            }
        case .announce(let ending): announce(ending)
        }
    }

    private func prepare() {
        hasStarted = true
        if let redirect = undecidedRedirect {
            core.emit(
                .redirect(id, redirect.head, to: redirect.request, needsConsent: redirect.refusal != nil))
        } else if let question = undecidedTrust {
            ask(question)
        } else {
            prepareRequest()
        }
    }

    func prepared(_ preparation: Preparation) {
        switch preparation {
        case .ready: perform(machine.prepared(.ready))
        case .nothingToTransfer: perform(machine.prepared(.nothingToTransfer))
        case .failed(let error):
            failure = error
            perform(machine.prepared(.failed))
        }
    }

    private func finish() {
        handler.finish { [unowned self] error in
            failure = error
            perform(machine.finished(error == nil))
        }
    }

    // MARK: - Leaving the wire

    private func endAttempt() {
        forgetHold()
        guard let attempt else { return }
        let age = attemptAge
        metrics.attemptStartedAt = nil
        collectMetrics(attempt, age: age)
        letGo(attempt)
        undecidedEnd = nil
        if awaitsCredentials {
            awaitsCredentials = false
            openQuestion = nil
        }
        handler.attemptBroke()
    }

    /// Takes a finished attempt out of libcurl's hands.
    func takeOff(_ attempt: Attempt) {
        forgetHold()
        metrics.attemptStartedAt = nil
        collectMetrics(attempt)
        letGo(attempt)
    }

    /// Seconds since the attempt under way began.
    var attemptAge: Double { Double(core.now - (metrics.attemptStartedAt ?? core.now)) / 1000 }

    /// Ends the ties between an attempt, its sink and this transfer.
    private func letGo(_ attempt: Attempt) {
        let core = core
        freeWindow(of: attempt)
        core.remove(attempt)
        core.clearDeadline(.stall(id))
        core.clearDeadline(.arrival(id))
        attempt.sink = nil
        self.attempt = nil
    }

    // MARK: - Status

    /// Called for every chunk: notes once per publication that counts moved.
    @inline(__always)
    func noteProgress() {
        guard !isDirty else { return }
        isDirty = true
        core.noteMoved(self)
    }

    private func phaseChanged() {
        noteProgress()
        guard let phase = machine.phase, phase != status.phase else { return }
        status.phase = phase
        if phase != .retrying { status.retryAt = nil }
        core.hurry()
    }

    /// Puts the current counts where every thread can read them.
    ///
    /// Nil when the transfer has ended.
    func publishStatus() -> TaskStatus? {
        isDirty = false
        guard machine.state != .ended else { return nil }
        refreshStatus()
        control.publish(status)
        return status
    }

    /// Puts an attempt's figures where every thread can read them, unless the transfer has done so at its end.
    ///
    /// Before the answer libcurl's would mean something else: that there was no connection to make yet, for example.
    func publishMetrics() {
        guard metricsAreStale, let attempt else { return }
        guard !attempt.isAnswered else { return collectMetrics(attempt) }
        metricsAreStale = false
        control.publish(metrics)
    }

    func refreshStatus() {
        guard hasStarted else { return }
        let handler = handler
        status.received = handler.received
        status.expectedToReceive = handler.expected
        status.resumedAt = handler.resumedAt
        status.isResumable = handler.isResumable
        status.failedAttempts = attemptsWithoutProgress
        guard let attempt else { return }
        status.sent = bytesArrived(of: attempt)
        // The machine waits for the response; a body is on its way long before.
        if status.phase == .connecting, attempt.sent > 0 { status.phase = .running }
    }

    func takePendingData() -> [UInt8]? { hasStarted ? handler.takePendingData() : nil }
}

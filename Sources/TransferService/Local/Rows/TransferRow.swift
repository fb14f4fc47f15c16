import SessionCore

/// Stores the service's knowledge of one transfer: the job, the current run, and what the latest response left.
package struct TransferRow: Sendable {
    /// The most entries in the transfer's own log.
    private static let eventLimit = 50

    let id: UInt64
    private(set) var job: Job
    /// The latest run; a retry begins a new one.
    var run = Run()
    /// What the history's entries have of its file.
    var told = ToldBytes()
    /// The position in the queue within its priority.
    var position: UInt64
    /// Whether secrets were left out when it was saved, without which it cannot be sent.
    var lacksSecrets = false
    /// The header fields among these secrets, and whether its URL had some.
    var (hiddenHeaders, hidesURL) = ([String](), false)
    /// The file of a run that has ended.
    var path: String?
    /// Oldest first.
    private(set) var events: [TransferEvent] = []
    /// Seconds between the runs of a repeated request.
    var repeatInterval: Int?
    var isRepetitionPaused = false
    /// Counts changes of the repetition, so that an earlier timer does nothing.
    var repeatOrder: Int32 = 0
    /// Counts the jobs that it has had, so that a task for an earlier one is refused.
    var revision: Int32 = 0
    /// The number of the request among equal ones of the same method and URL, from 1.
    var ordinal: Int32 = 1

    /// The details of earlier runs; every change stores a new object.
    var record: Record {
        get { constantRecord?.record ?? Record() }
        set { constantRecord = ConstantRecord(newValue) }
    }
    /// The details' record; nil until details exist, because they are most of a row's size.
    private var constantRecord: ConstantRecord?

    init(id: UInt64, job: Job) {
        self.id = id
        self.job = job
        position = id
        run.isPausedInQueue = job.startsPaused
    }

    /// The priority from -2 to 2; higher goes first.
    var priority: Int8 {
        get { job.priority.rawValue }
        set { if newValue != priority { job.priority = TaskPriority(clamping: Int(newValue)) } }
    }

    var wantsTask: Bool { mayBeHeld && run.question == nil }

    /// Whether a pause takes effect without a task.
    var mayBeHeld: Bool { run.task == nil && run.result == nil && !run.isPausedInQueue && !run.isChanging }

    /// Whether it is paused, failed or cancelled, and waits for the user.
    var hasStopped: Bool {
        switch run.result {
        case .failed, .cancelled: true
        case .completed, .unfinished: false
        case nil: run.isPausedInQueue || run.isSuspended
        }
    }

    /// Whether its job and a pause describe it completely.
    var isUntouched: Bool {
        run.task == nil && !isFinal && run.lastStatus == TaskStatus() && !lacksSecrets && position == id
            && path == nil && constantRecord == nil && events.isEmpty && repeatInterval == nil && !run.isUnjudged
            && run.decision == nil && told == ToldBytes() && run.wait == AskedWait()
    }

    var isFinal: Bool { run.result != nil }

    /// What its user has decided about an existing file, for the next attempts at the same download; once it is
    /// complete, the file is another one.
    var unfinishedDecision: Job.IfExists? { run.result == .completed ? nil : run.decision }

    /// The current counts.
    ///
    /// A waiting task has not read its partial file, whose length is known from before; a restored task knows only that
    /// length.
    var status: TaskStatus {
        guard !isFinal, let task = run.task else { return run.lastStatus }
        var status = task.status
        guard status.sent == 0, !knowsPart(status) else { return status }
        status.received = run.lastStatus.received
        status.expectedToReceive = run.lastStatus.expectedToReceive
        status.resumability = run.lastStatus.resumability
        return status
    }

    /// Whether the task has read its partial file: neither while it waits, nor when it ends before it begins.
    private func knowsPart(_ status: TaskStatus) -> Bool {
        switch status.phase {
        case .queued, .paused: run.wasStarted && (status.received > 0 || run.lastStatus.received == 0)
        case .failed, .cancelled: run.wasStarted
        case .connecting, .running, .verifying, .retrying, .completed: true
        }
    }

    /// The counts that the next run begins with: the bytes of a kept partial file.
    var keptStatus: TaskStatus {
        var kept = TaskStatus()
        guard job.kind == .download, run.lastStatus.resumability != .no,
            run.lastStatus.received < run.lastStatus.expectedToReceive ?? .max
        else { return kept }
        kept.received = run.lastStatus.received
        kept.expectedToReceive = run.lastStatus.expectedToReceive
        kept.resumability = run.lastStatus.resumability
        return kept
    }

    /// Body bytes in the direction that matters.
    var moved: Int64 { job.kind == .upload ? status.sent : status.received }

    /// The part of ``moved`` that counts in the run's figures.
    ///
    /// How much of a refused upload had left this machine is chance; it counts only where the server has accepted it,
    /// or keeps it for a retry.
    var counted: MovedBytes { Self.counted(of: job.kind, run.result, status) }

    /// Returns the bytes that count of a transfer with a result, if it has ended, and these counts.
    static func counted(of kind: Job.Kind, _ result: TransferResult?, _ status: TaskStatus) -> MovedBytes {
        guard kind == .upload else { return MovedBytes(received: status.received) }
        return switch result {
        case .failed, .cancelled: MovedBytes(sent: status.resumability == .yes ? status.sent : 0)
        case .completed, .unfinished, nil: MovedBytes(sent: status.sent)
        }
    }

    // MARK: Events

    /// Returns whether the transfer's own log contains an event.
    ///
    /// The addition is left out: it would make every waiting row complete.
    package static func keeps(_ what: TransferEvent.What) -> Bool {
        switch what {
        case .added, .progress: false
        case .started, .response, .paused, .resumed, .retrying, .restarted, .mirrorDropped, .mirrorSwitched,
            .notice, .completed, .failed, .cancelled:
            true
        }
    }

    /// Adds an event to the transfer's own log, dropping the oldest; its text is made when it is shown.
    mutating func log(_ event: TransferEvent) {
        if events.count >= Self.eventLimit { events.removeFirst() }
        events.append(event)
    }

    /// Stores the result of the run and what the task left; a completed one releases its task.
    ///
    /// Then nothing is retried, and no partial file is left to delete. `keepingDetails` is false where no user can see
    /// them.
    mutating func end(
        _ result: TransferResult, _ completion: TaskCompletion, _ head: ResponseHead?, path: String?, at time: Int64,
        keepingDetails: Bool
    ) {
        run.recordEnd(at: time)
        keepPart(of: completion, endedWith: result)
        let known = run.lastStatus
        run.lastStatus = completion.status
        // A short transfer may end before its start is reported.
        if run.wasStarted || result == .completed {
            recordEnd(completion.status)
        } else {
            // The library has the counts of its store, and has not read the partial file.
            (run.lastStatus.received, run.lastStatus.expectedToReceive) = (known.received, known.expectedToReceive)
            run.lastStatus.resumability = known.resumability
        }
        run.result = result
        run.wasSkipped = completion.wasSkipped
        run.protocolVersion = head?.version ?? run.task?.responseHead?.version
        self.path = path ?? self.path
        // A response that ends the transfer is reported only here; a failure's sentence quotes its head.
        if let head, keepingDetails || head.isFailure { record.head = head }
        if keepingDetails {
            keepDetails(of: completion)
        } else if case .failed = result {
            // A saved session shows them in the next run.
            record.metrics = completion.metrics
        }
        guard result == .completed else { return }
        run.task = nil
        run.output = nil
    }

    mutating func limit(to rates: TaskRates?) { job.rates = rates }

    /// Lets further runs keep an existing file, which their user may have changed, beside the new one.
    mutating func keepsFile() { job.ifExists = job.ifExists.keepingFile }

    /// Becomes the row of another job at the same queue position: only the log remains, and the counts of a partial
    /// file that moves with it.
    ///
    /// With `staysFile` the file is the same, whatever is known of its partial file.
    mutating func become(_ job: Job, keeping kept: TaskStatus, staysFile: Bool, at time: Int64) {
        var row = TransferRow(id: id, job: job)
        // A priority that was raised by hand stays unless the other job has one.
        if job.priority == .normal { row.priority = priority }
        row.position = position
        row.events = events
        row.repeatInterval = job.kind == .data ? repeatInterval : nil
        row.repeatOrder = repeatOrder &+ 1
        row.ordinal = ordinal
        row.revision = revision &+ 1
        row.run.queuedAt = time
        row.run.lastStatus = kept
        if staysFile || kept.received > 0 { row.told = told }
        if staysFile { row.keepPart(at: partPath) }
        self = row
    }
}

extension TransferRow {
    /// The details that a later run replaces.
    struct Record: Sendable {
        var head: ResponseHead?
        /// The figures of the latest ended run, where details are kept.
        var metrics: TransferMetrics?
        /// The result of the latest verification; nil before the latest run has ended.
        var digestResult: DigestResult?
        /// The algorithm that was verified, where it differs from the requested one.
        var announcedAlgorithm: String?
        /// The body of the latest ended data request, cut to what fits on a screen.
        var body: [UInt8] = []
        /// Whether newer bodies displaced its body.
        var bodyWasDropped = false
        /// The path of the partial file that the latest ended run has left.
        var partPath: String?
        /// Milliseconds of the latest runs, newest last.
        var latencies: [Int] = []
    }

    private final class ConstantRecord: Sendable {
        let record: Record

        init(_ record: Record) {
            self.record = record
        }
    }

    /// The outcome of a run's verification.
    enum DigestResult: Sendable {
        case matches, differs
        /// The run ended before the file was complete.
        case unchecked
    }

    /// One run of a transfer: its task, its figures and its texts.
    ///
    /// A retry begins with a new value, so that nothing of an ended run passes for the next one's.
    struct Run: Sendable {
        /// The row's task; nil before it is made, and after the run was completed.
        var task: SessionTask?
        /// The output of a streamed body; nil for any other.
        var output: BodyOutput?
        /// Set at the end.
        var result: TransferResult?
        /// Whether an earlier run ended without success.
        var isRetry = false
        /// Whether it was paused before it could begin, and must be resumed by hand.
        var isPausedInQueue = false
        /// The sentence about an existing file that its user has to decide about; nil for none.
        var undecided: String?
        /// What its user has decided about an existing file; nil where the job's rule holds.
        var decision: Job.IfExists?
        /// The long wait that its server has asked for.
        var wait = AskedWait()
        /// Whether it ended before the program was started.
        var isEarlier = false
        /// Whether an earlier run ended after its response had come and before it was judged.
        var isUnjudged = false
        /// Whether it was completed without a transfer.
        var wasSkipped = false
        /// Whether it got a slot.
        var wasStarted = false
        /// Whether a response was reported.
        var wasAnswered = false
        /// Whether the fields that another server does not get were reported.
        var hasToldLeftFields = false
        /// Whether it was resumed once; a further resume ends a pause.
        var wasResumed = false
        /// Whether its pause was reported; the phase follows when the loop reaches it.
        var isSuspended = false
        /// When its pause began; the wait for a slot after it belongs to it.
        var pausedAt: Int64?
        /// Whether a user has paused or resumed its task, whose state is then newer than any event.
        var isSteered = false
        /// Whether to delete the partial file when the cancelled task has ended.
        var discardsPart = false
        /// Whether it is being cancelled for something else than its end, so that the saved session has not learned of it.
        var keepsWish = false
        /// Whether its task starts beyond the limits.
        var isHastened = false
        /// Whether it was stopped, and the row becomes another task in a moment.
        var isChanging = false
        /// The number of the question to a command whose answer decides whether a refused row goes on; nil without one.
        var question: Int?
        /// Whether a progress block reports its bytes.
        var reportsProgress = false
        /// The phase that was reported last.
        var lastPhase: Phase?
        /// The reported offset of the latest attempt.
        var lastResumedAt: Int64 = 0
        /// The offset at which it began to receive; negative before its first byte.
        var beganAt: Int64 = -1
        /// Whether it may go on where a run of an earlier service was stopped.
        var isRestored = false
        /// Whether the last report said that a response was awaited.
        var lastAwaited = false
        /// The start of the wait for a response that was reported as long.
        var toldSilence: Int64?
        /// When the row began to want a slot, if later than its addition.
        var queuedAt: Int64?
        /// When it began, moved by the length of each pause, so that the time since then is active time.
        var startedAt: Int64?
        var endedAt: Int64?
        /// Milliseconds that it waited for a slot.
        var queued: Int?
        /// The sentence of a wait for a retry.
        var retryReason: String?
        /// The protocol version, once it has ended.
        var protocolVersion: HTTPVersion?
        /// The counts at its end, or the restored ones.
        var lastStatus = TaskStatus()

        /// Stores its task, unless it has ended; returns what becomes of that task.
        mutating func attach(_ product: TaskFactory.Product) -> LocalService.State.Fate {
            guard result == nil, !isChanging else { return .isUnwanted }
            task = product.task
            output = product.output
            reportsProgress = product.reportsProgress
            return isPausedInQueue ? .holds : .runs
        }

        /// Ends the wait for a resume by hand; from now on it wants a slot.
        mutating func release(at time: Int64) {
            isPausedInQueue = false
            undecided = nil
            queuedAt = time
        }

        /// Records that its task was resumed; returns true the first time.
        mutating func recordResume(at time: @autoclosure () -> Int64) -> Bool {
            if isSuspended { queuedAt = time() }
            isSuspended = false
            defer { wasResumed = true }
            return !wasResumed
        }

        /// The news in a status that no progress block reports.
        enum StatusNews {
            case nothing, numbers
            /// The phase, which is reported in words too.
            case phase
        }

        /// Records a status; returns what is new in it.
        ///
        /// A partial file is found after the phase has changed, and may be all there is to show. A restored task has no
        /// progress block of this run.
        mutating func recordStatus(_ status: TaskStatus) -> StatusNews {
            defer {
                lastPhase = status.phase
                lastResumedAt = status.resumedAt
                lastAwaited = status.answerAwaitedSince != nil
            }
            if lastPhase != status.phase { return .phase }
            let isNews = lastResumedAt != status.resumedAt || lastAwaited != (status.answerAwaitedSince != nil)
            return !reportsProgress || isNews ? .numbers : .nothing
        }

        /// Records where its first bytes follow.
        mutating func recordBeginning(_ status: TaskStatus) {
            if beganAt < 0, status.received > status.resumedAt { beganAt = status.resumedAt }
        }

        /// Records a wait for a response that has lasted `limit` seconds; returns true once for each wait.
        mutating func recordSilence(_ status: TaskStatus, limit: Double, now: Int64) -> Bool {
            guard let since = status.answerAwaitedSince, since != toldSilence else { return false }
            guard Double(now - since) >= limit * 1_000 else { return false }
            toldSilence = since
            return true
        }

        /// Records that it got a slot at a moment of the monotonic clock; returns true the first time.
        mutating func recordStart(at time: Int64, addedAt: Int64?) -> Bool {
            guard !wasStarted else { return false }
            wasStarted = true
            queued = (queuedAt ?? addedAt).map { Int(max(time - $0, 0)) }
            startedAt = startedAt ?? time
            return true
        }
    }
}

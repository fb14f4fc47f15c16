import CLinux
import Dashboard
import SessionCore

/// What the bridge knows of one transfer: the job, the task that runs it now, and what came of it.
struct TransferRow: Sendable {
    let id: UInt64
    let job: Job
    /// The latest run of the transfer; nil when no task could be made.
    var task: SessionTask?
    /// Where the body goes, for jobs whose body is streamed.
    var output: BodyOutput?
    /// Set at the end of the latest run.
    var result: TransferResult?
    /// Whether it was paused before it could begin, and has to be resumed by hand.
    var isHeld = false
    /// Whether it ended before the program was started.
    var isEarlier = false
    /// Whether secrets of its request were left out when it was saved, without which it cannot be sent.
    var lacksSecrets = false
    /// Whether an earlier run ended without success.
    var isRetry = false
    /// Whether the latest run got a slot.
    var wasStarted = false
    /// Whether the latest run was resumed once: what follows is a pause's end.
    var wasResumed = false
    /// Whether the latest run's pause was told; the phase follows when the loop has come to it.
    var isSuspended = false
    /// The head of the latest answer.
    var head: ResponseHead?
    /// Whether a progress block tells of the latest run's bytes.
    var reportsProgress = false
    /// What the dashboard was told of the latest run.
    var lastPhase: Phase?
    /// Where the latest attempt went on, as the dashboard was told.
    var lastResumedAt: Int64 = 0
    /// Whether the part is to be deleted when the cancelled task has ended.
    var discardsPart = false
    /// Since when it wants a slot, where that is later than when it was added.
    var queuedAt: Int64?
    var startedAt: Int64?
    var endedAt: Int64?
    /// Milliseconds that the latest run waited for a slot.
    var queued: Int?
    /// The figures of the latest run that ended, where details are kept.
    var metrics: TransferMetrics?
    /// Whether the digest that was asked for was verified when the latest run ended; nil before that.
    var digestWasVerified: Bool?
    /// What happened to it, oldest first.
    var events: [TransferEvent] = []
    var path: String?
    /// From -2 to 2; higher goes first.
    var priority: Int8 = 0
    /// Its place in the queue among those of its priority.
    var place: UInt64
    /// The body of the latest data request that ended, and how much of it fits on a screen.
    var body: [UInt8] = []
    /// Whether there was one that had to give way to newer ones.
    var bodyWasDropped = false
    /// Milliseconds that the latest runs took, newest last.
    var latencies: [Int] = []
    /// Seconds between runs of a request that is repeated.
    var repeatInterval: Int?
    /// Counts the orders to repeat, so that a timer of an earlier one does nothing.
    var repeatOrder = 0
    /// The sentence of a wait for another attempt.
    var retryReason: String?
    /// What a run that has ended spoke.
    var protocolVersion: HTTPVersion?
    /// Counts of a run that has ended.
    var lastStatus = TaskStatus()

    init(id: UInt64, job: Job) {
        self.id = id
        self.job = job
        place = id
        isHeld = job.startsPaused
    }

    /// Whether it waits for a task.
    var wantsTask: Bool { task == nil && result == nil && !isHeld }

    /// Whether it does not go on by itself although it could: it is paused, has failed or was cancelled.
    var hasStopped: Bool {
        switch result {
        case .failed, .cancelled: true
        case .completed, .unfinished: false
        case nil: isHeld || isSuspended
        }
    }

    /// Whether the latest run has ended.
    var isFinal: Bool { result != nil }

    /// The counts now.
    var status: TaskStatus { isFinal ? lastStatus : task?.status ?? lastStatus }

    /// Body bytes that moved in the direction that matters.
    var moved: Int64 { job.kind == .upload ? status.sent : status.received }

    /// The method that is sent.
    var method: String { Self.method(of: job) }

    /// The method that is sent for a job.
    static func method(of job: Job) -> String {
        if let method = job.method { return method }
        switch job.kind {
        case .data, .download: return "GET"
        case .upload: return "PUT"
        }
    }

    /// Whether an event belongs into the transfer's own log.
    ///
    /// That it was added does not: rows that only wait are kept as little more than their URL, and no line is worth
    /// undoing that.
    static func keeps(_ what: TransferEvent.What) -> Bool {
        switch what {
        case .added, .progress: false
        case .started, .response, .paused, .resumed, .retrying, .restarted, .completed, .failed, .cancelled: true
        }
    }

    /// Gives up the body.
    mutating func dropBody() {
        body = []
        bodyWasDropped = true
    }

    /// Keeps an event for the transfer's own log, forgetting the oldest; the log's words are made when it is shown.
    mutating func note(_ event: TransferEvent) {
        if events.count >= 50 { events.removeFirst() }
        events.append(event)
    }
}

/// What happens to a row, taken note of in its place: each answers what the bridge has to know.
extension TransferRow {
    /// Gives it a task, unless it has ended.
    mutating func attach(_ product: TaskFactory.Product) -> SessionBridge.State.Fate {
        guard !isFinal else { return .isUnwanted }
        task = product.task
        output = product.output
        reportsProgress = product.reportsProgress
        return isHeld ? .holds : .runs
    }

    /// It is not held back any more: from now on it wants a slot.
    mutating func release(at time: Int64) {
        isHeld = false
        queuedAt = time
    }

    /// Its task was resumed; true the first time.
    mutating func noteResumed(at time: @autoclosure () -> Int64) -> Bool {
        if isSuspended { queuedAt = time() }
        isSuspended = false
        defer { wasResumed = true }
        return !wasResumed
    }

    /// Whether a status says what no progress block does.
    ///
    /// A part that is gone on with is found after the phase has changed, and may be all there is to show. A task of an
    /// earlier run has no block of this one.
    mutating func noteStatus(_ status: TaskStatus) -> Bool {
        defer {
            lastPhase = status.phase
            lastResumedAt = status.resumedAt
        }
        return !reportsProgress || lastPhase != status.phase || lastResumedAt != status.resumedAt
    }

    /// It got a slot, at a moment of the monotonic clock; true the first time.
    mutating func noteStarted(at time: Int64, addedAt: Int64?) -> Bool {
        guard !wasStarted else { return false }
        wasStarted = true
        queued = (queuedAt ?? addedAt).map { Int(max(time - $0, 0)) }
        startedAt = startedAt ?? time
        return true
    }

    /// Takes over the end of a run; one that was completed lets go of its task.
    ///
    /// Nothing is retried then, and no part is left to delete. Details nobody can ask for are not kept.
    mutating func noteEnd(
        _ result: TransferResult, _ completion: TaskCompletion, _ head: ResponseHead?, path: String?, at time: Int64,
        keepingDetails: Bool
    ) {
        note(completion, head, path: path, at: time, keepingDetails: keepingDetails)
        self.result = result
        protocolVersion = head?.version ?? task?.responseHead?.version
        guard result == .completed else { return }
        task = nil
        output = nil
    }
}

/// A row that gets a task now: what the task is made of.
///
/// A copy of the whole row would cost more than the rest.
struct RowAdmission: Sendable {
    let id: UInt64
    var job: Job
    var queueKey: TransferRow.QueueKey
    var lacksSecrets: Bool
}

/// What the bridge has to know of a row whose run has ended; a copy of the whole row would cost more than the rest.
struct RowEnding: Sendable {
    let id: UInt64
    var kind: Job.Kind
    /// Whether a SHA-256 was asked for.
    var wantsSHA256: Bool
    var output: BodyOutput?
    var startedAt: Int64?
    /// Whether the latest run was resumed once.
    var wasResumed: Bool
    /// Whether the part is to be deleted.
    var discardsPart: Bool
}

import SessionCore

/// The bridge's knowledge of one transfer: the job, the run that it is in, and what its latest answer left.
package struct TransferRow: Sendable {
    /// The number of entries in the transfer's own log.
    private static let eventLimit = 50

    let id: UInt64
    private(set) var job: Job
    /// The latest run; a retry begins another one.
    var run = Run()
    /// The priority, from -2 to 2; higher goes first.
    var priority: Int8 = 0
    /// The place in the queue among rows of the same priority.
    var place: UInt64
    /// Whether secrets of its request were left out when it was saved, without which it cannot be sent.
    var lacksSecrets = false
    /// The file of a run that has ended.
    var path: String?
    /// The events of the transfer's own log, oldest first.
    private(set) var events: [TransferEvent] = []
    /// Seconds between runs of a request that is repeated.
    var repeatInterval: Int?
    /// Whether the repetition is paused.
    var isRepetitionPaused = false
    /// Counts the orders to repeat, so that a timer of an earlier one does nothing.
    var repeatOrder: Int32 = 0
    /// The number of the request among those of the same method and URL, from 1.
    var ordinal: Int32 = 1

    /// What the details show of earlier runs; a change of it is a new one.
    var record: Record {
        get { constantRecord?.record ?? Record() }
        set { constantRecord = ConstantRecord(newValue) }
    }
    /// Nil until there is something to show, as for rows whose details nobody can ask for: most of a row is this.
    private var constantRecord: ConstantRecord?

    init(id: UInt64, job: Job) {
        self.id = id
        self.job = job
        place = id
        run.isHeld = job.startsPaused
    }

    /// Whether it waits for a task.
    var wantsTask: Bool { run.task == nil && run.result == nil && !run.isHeld }

    /// Whether it does not go on by itself although it could: it is paused, has failed or was cancelled.
    var hasStopped: Bool {
        switch run.result {
        case .failed, .cancelled: true
        case .completed, .unfinished: false
        case nil: run.isHeld || run.isSuspended
        }
    }

    /// Whether nothing is known of it that its job and a pause do not say.
    var isUntouched: Bool {
        run.task == nil && !isFinal && run.lastStatus == TaskStatus() && !lacksSecrets && priority == 0 && place == id
            && path == nil && constantRecord == nil && events.isEmpty && repeatInterval == nil
    }

    /// Whether the latest run has ended.
    var isFinal: Bool { run.result != nil }

    /// The counts now.
    ///
    /// A task that waits has not looked at the part that it will go on with, whose bytes are known from before, and one that
    /// comes from an earlier run of the program knows no more of it than how much there was.
    var status: TaskStatus {
        guard !isFinal, let task = run.task else { return run.lastStatus }
        var status = task.status
        guard status.sent == 0, !knowsPart(status) else { return status }
        status.received = run.lastStatus.received
        status.expectedToReceive = run.lastStatus.expectedToReceive
        status.resumability = run.lastStatus.resumability
        return status
    }

    /// Whether the task has looked at its part: not while it waits, nor where it ends without having begun.
    private func knowsPart(_ status: TaskStatus) -> Bool {
        switch status.phase {
        case .queued, .paused: run.wasStarted && (status.received > 0 || run.lastStatus.received == 0)
        case .failed, .cancelled: run.wasStarted
        case .connecting, .running, .verifying, .retrying, .completed: true
        }
    }

    /// The counts of a run that has ended as the next one begins with them: the bytes of a part that is kept.
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

    /// Body bytes that moved in the direction that matters.
    var moved: Int64 { job.kind == .upload ? status.sent : status.received }

    /// Of ``moved`` what counts in the figures of a run.
    ///
    /// How much of a refused upload had left this machine is chance, and none of it is anywhere; so it counts where its
    /// server has taken it, or keeps what came for another try.
    var counted: Int64 {
        guard job.kind == .upload else { return moved }
        return switch run.result {
        case .failed, .cancelled: status.resumability == .yes ? moved : 0
        case .completed, .unfinished, nil: moved
        }
    }

    // MARK: Events

    /// Whether an event belongs into the transfer's own log.
    ///
    /// The addition does not: rows that only wait are kept as little more than their URL, and no line is worth
    /// undoing that.
    package static func keeps(_ what: TransferEvent.What) -> Bool {
        switch what {
        case .added, .progress: false
        case .started, .response, .paused, .resumed, .retrying, .restarted, .sourceDropped, .sourceTurned,
            .notice, .completed, .failed, .cancelled:
            true
        }
    }

    /// Adds an event to the transfer's own log, forgetting the oldest; the log's words are made when it is shown.
    mutating func log(_ event: TransferEvent) {
        if events.count >= Self.eventLimit { events.removeFirst() }
        events.append(event)
    }

    /// Stores the outcome of the run and what the task left; one that was completed lets go of its task.
    ///
    /// Nothing is retried then, and no part is left to delete. Details nobody can ask for are not kept.
    mutating func end(
        _ result: TransferResult, _ completion: TaskCompletion, _ head: ResponseHead?, path: String?, at time: Int64,
        keepingDetails: Bool
    ) {
        run.endedAt = time
        let known = run.lastStatus
        run.lastStatus = completion.status
        if !run.wasStarted, result != .completed {
            // The library has the counts of its store, and has not looked at the part.
            (run.lastStatus.received, run.lastStatus.expectedToReceive) = (known.received, known.expectedToReceive)
            run.lastStatus.resumability = known.resumability
        }
        run.result = result
        run.protocolVersion = head?.version ?? run.task?.responseHead?.version
        self.path = path ?? self.path
        // Answers that end the transfer are told only here; a failure's sentence quotes its head.
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

    /// Lets a further run give its file a number where the rule was to leave it at the one that is there.
    mutating func neverSkips() {
        if job.ifExists == .skip || job.ifExists == .fail { job.ifExists = .rename }
    }

    /// Becomes the row of another job, at the same place of the queue: nothing of its earlier runs is left but the log, and
    /// the counts of a part that goes along.
    mutating func become(_ job: Job, keeping kept: TaskStatus, at time: Int64) {
        var row = TransferRow(id: id, job: job)
        row.priority = priority
        row.place = place
        row.events = events
        row.repeatInterval = job.kind == .data ? repeatInterval : nil
        row.repeatOrder = repeatOrder &+ 1
        row.ordinal = ordinal
        row.run.queuedAt = time
        row.run.lastStatus = kept
        self = row
    }

    /// Gives up the body.
    mutating func dropBody() {
        record.body = []
        record.bodyWasDropped = true
    }
}

extension TransferRow {
    /// What the details show until a later run replaces it.
    struct Record: Sendable {
        /// The head of the latest answer.
        var head: ResponseHead?
        /// The figures of the latest run that ended, where details are kept.
        var metrics: TransferMetrics?
        /// What was found of the digest that was asked for when the latest run ended; nil before that.
        var digestResult: DigestResult?
        /// The digest that was compared, where that is another than the one that was asked for.
        var announcedAlgorithm: String?
        /// The body of the latest data request that ended, as much of it as fits on a screen.
        var body: [UInt8] = []
        /// Whether there was a body that had to give way to newer ones.
        var bodyWasDropped = false
        /// Milliseconds that the latest runs took, newest last.
        var latencies: [Int] = []
    }

    private final class ConstantRecord: Sendable {
        let record: Record

        init(_ record: Record) {
            self.record = record
        }
    }

    /// What a run has found of the digest that was asked for.
    enum DigestResult: Sendable {
        case matches, differs
        /// It ended before there was a whole file.
        case unchecked
    }

    /// One run of a transfer: its task, its figures and its texts.
    ///
    /// A retry begins with a new value, so nothing of a run that has ended can be taken for the next one's.
    struct Run: Sendable {
        /// Nil before it is made, and after the run was completed.
        var task: SessionTask?
        /// The output of the body, for jobs whose body is streamed.
        var output: BodyOutput?
        /// Set at the end.
        var result: TransferResult?
        /// Whether an earlier run ended without success.
        var isRetry = false
        /// Whether it was paused before it could begin, and has to be resumed by hand.
        var isHeld = false
        /// Whether it ended before the program was started.
        var isEarlier = false
        /// Whether it got a slot.
        var wasStarted = false
        /// Whether an answer was told.
        var wasAnswered = false
        /// Whether it was resumed once: what follows is a pause's end.
        var wasResumed = false
        /// Whether its pause was told; the phase follows when the loop has come to it.
        var isSuspended = false
        /// Whether somebody has paused or resumed its task, whose state then tells how it stands before any event does.
        var isSteered = false
        /// Whether the part is to be deleted when the cancelled task has ended.
        var discardsPart = false
        /// Whether its task is to start beyond the limits.
        var isHastened = false
        /// Whether it was resumed while it was being cancelled, and is tried again when that has ended.
        var resumesAtEnd = false
        /// Whether a progress block tells of its bytes.
        var reportsProgress = false
        /// The phase that the dashboard was told last.
        var lastPhase: Phase?
        /// The offset of the latest attempt, as the dashboard was told.
        var lastResumedAt: Int64 = 0
        /// Whether an answer was awaited then.
        var lastAwaited = false
        /// When the row began to want a slot, where that is later than when the transfer was added.
        var queuedAt: Int64?
        var startedAt: Int64?
        var endedAt: Int64?
        /// Milliseconds that it waited for a slot.
        var queued: Int?
        /// The sentence of a wait for another attempt.
        var retryReason: String?
        /// The protocol that was spoken, once it has ended.
        var protocolVersion: HTTPVersion?
        /// The counts at its end, or those of an earlier run of the program.
        var lastStatus = TaskStatus()

        /// Stores its task, unless it has ended; answers what is to become of that task.
        mutating func attach(_ product: TaskFactory.Product) -> LocalService.State.Fate {
            guard result == nil else { return .isUnwanted }
            task = product.task
            output = product.output
            reportsProgress = product.reportsProgress
            return isHeld ? .holds : .runs
        }

        /// Ends the wait for a resume by hand: from now on it wants a slot.
        mutating func release(at time: Int64) {
            isHeld = false
            queuedAt = time
        }

        /// Records that its task was resumed; true the first time.
        mutating func recordResume(at time: @autoclosure () -> Int64) -> Bool {
            if isSuspended { queuedAt = time() }
            isSuspended = false
            defer { wasResumed = true }
            return !wasResumed
        }

        /// The news in a status that no progress block brings.
        enum StatusNews {
            case nothing, numbers
            /// The phase, which is told in words too.
            case phase
        }

        /// Records a status; answers what is new in it.
        ///
        /// A part that is continued is found after the phase has changed, and may be all there is to show. A task of
        /// an earlier run of the program has no progress block of this one.
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

        /// Records that it got a slot, at a moment of the monotonic clock; true the first time.
        mutating func recordStart(at time: Int64, addedAt: Int64?) -> Bool {
            guard !wasStarted else { return false }
            wasStarted = true
            queued = (queuedAt ?? addedAt).map { Int(max(time - $0, 0)) }
            startedAt = startedAt ?? time
            return true
        }
    }
}

/// The facts of a row that its task is made of.
///
/// A copy of the whole row would cost more than the rest.
struct RowAdmission: Sendable {
    let id: UInt64
    var job: Job
    var queueKey: TransferRow.QueueKey
    var lacksSecrets: Bool
}

/// The facts that the bridge needs of a row whose run has ended; a copy of the whole row would cost more than the rest.
struct RowEnding: Sendable {
    let id: UInt64
    var kind: Job.Kind
    /// Whether a SHA-256 was asked for.
    var findsChecksum: Bool
    var output: BodyOutput?
    var startedAt: Int64?
    /// Whether the latest run was resumed once.
    var wasResumed: Bool
    /// Whether the part is to be deleted.
    var discardsPart: Bool
}

/// What a worker holds and does next: a pure value, which knows neither the queue nor the transfers.
package struct WorkerBook: Sendable {
    package let slots: Int
    package let perHost: Int
    var held = HeldJobs()
    /// Claimed jobs in their order; jobs that have begun or left are skipped.
    var line: [Int64] = []
    var running: [String: Int] = [:]
    /// The hosts of late jobs for which a slot is kept.
    var awaited: Set<String> = []
    package private(set) var outbox = Outbox()
    package private(set) var isStopping = false
    /// The reason why nothing is claimed until the worker has looked again; nil while it works.
    package private(set) var obstacle: JobCause?
    private var aside = AsideJobs()
    /// The jobs whose files other processes have open.
    private var inUse = GrowingWaits(longest: 60)
    /// The jobs for which this worker's machine, or the bucket, was blamed.
    private var unable = BlamedJobs()
    private var unplaced = BlamedJobs()

    package init(slots: Int, perHost: Int? = nil) {
        self.slots = slots
        self.perHost = perHost ?? slots
    }

    /// The largest size of a file that counts as one: a pebibyte.
    static let largestSize: Int64 = 1 << 50

    /// The jobs of which the queue must hear, so that their leases last.
    package var leased: [HeldJob] {
        held.values.filter { $0.phase != .abandoned }.sorted { $0.job.id < $1.job.id }
    }

    /// Whether there are such jobs.
    package var hasLeases: Bool { held.count > count(.abandoned) }

    /// Whether a runner waits for word of the queue.
    package var hasQuestions: Bool { held.asking > 0 }

    package func count(_ phase: HeldJob.Phase) -> Int { held.count(phase) }

    /// The number of jobs to claim now: with them the worker has at most its slots plus a quarter.
    package var claimCount: Int {
        guard !isStopping, obstacle == nil else { return 0 }
        let most = slots + max(1, slots / 4)
        return max(0, most - count(.ready) - count(.running) - count(.parking))
    }

    /// Whether the runner has jobs.
    package var isBusy: Bool { count(.running) + count(.parking) + count(.abandoned) > 0 }

    /// Whether jobs run, or are to begin.
    package var hasWork: Bool { held.count > count(.ended) }

    /// Whether there are reports that wait for no others: all but finished jobs beside running ones.
    package var hasUrgentReports: Bool {
        let waits = !outbox.holds.isEmpty || !outbox.failures.isEmpty || !outbox.handBacks.isEmpty
        return waits || !outbox.completions.isEmpty && !hasWork
    }

    /// Whether everything is handed back and reported after ``stop()``.
    package var isFinished: Bool { isStopping && held.isEmpty && outbox.isEmpty }
}

// MARK: Inputs

extension WorkerBook {
    /// Takes claimed jobs; an invalid one becomes a dead letter at once.
    package mutating func take(_ jobs: [ClaimedJob]) {
        for job in jobs {
            // A job may come back to the worker that lost it, while its old transfer still stops.
            guard held[job.id] == nil else {
                outbox.handBacks.append(HandBack(id: job.id, epoch: job.epoch))
                continue
            }
            held[job.id] = HeldJob(job)
            do throws(JobFault) {
                try job.check()
                line.append(job.id)
            } catch {
                end(job.id)
                outbox.failures.append(
                    Failure(id: job.id, epoch: job.epoch, cause: JobCause(error.text), isFinal: true))
            }
        }
        // What was met while they were claimed concerns them too.
        let (mayStart, held) = (!isStopping && obstacle == nil, Set(outbox.holds.map(\.host)))
        if !mayStart || !held.isEmpty { handBackReady { !mayStart || held.contains($0.host) } }
    }

    /// Takes a report of the runner; a report of an unknown job is late and means nothing.
    package mutating func take(_ report: JobReport) {
        switch report {
        case .moved(let id, let received, let total):
            held[id]?.received = received
            // A larger number is no size, and would be the whole of the queue's sums.
            held[id]?.total = total.flatMap { (0...Self.largestSize).contains($0) ? $0 : nil }
        case .asks(let id):
            if held[id]?.phase == .running { held[id]?.asks = true }
        case .done(let id, let received, let result):
            aside.hadRoom(id)
            inUse.end(id)
            unable.end(id)
            unplaced.end(id)
            guard let job = finish(id) else { return }
            outbox.completions.append(Completion(id: id, epoch: job.epoch, received: received, result: result))
        case .failed(let id, let failure):
            guard let job = finish(id) else { return }
            take(failure, of: job)
        case .stopped(let id, let received):
            guard let job = finish(id) else { return }
            outbox.handBacks.append(HandBack(id: id, epoch: job.epoch, received: received))
        }
    }

    private mutating func take(_ failure: JobFailure, of job: ClaimedJob) {
        if case .inUse(let cause) = failure { return leave(job, cause) }
        inUse.end(job.id)
        switch failure {
        case .again(let cause):
            outbox.failures.append(Failure(id: job.id, epoch: job.epoch, cause: cause, isFinal: false))
        case .final(let cause):
            outbox.failures.append(Failure(id: job.id, epoch: job.epoch, cause: cause, isFinal: true))
        case .hold(let seconds, let cause, let named):
            let host = named ?? job.host
            outbox.holds.append(Outbox.Hold(host: host, seconds: seconds, cause: cause))
            let awaits = host == job.host ? nil : host
            outbox.handBacks.append(HandBack(id: job.id, epoch: job.epoch, cause: cause, awaits: awaits))
            handBackReady { $0.host == host }
        case .refused(let cause, let named):
            let host = named ?? job.host
            outbox.holds.append(Outbox.Hold(host: host, seconds: nil, cause: cause))
            // Only a host's own jobs wait with it; another job's attempts must end where a redirect stays wrong.
            outbox.failures.append(
                Failure(id: job.id, epoch: job.epoch, cause: cause, isFinal: false, isRefusal: host == job.host))
            handBackReady { $0.host == host }
        case .unable(let cause): leaveOrHalt(job, cause)
        case .unplaced(let cause): leaveUnplaced(job, cause)
        case .tooLarge(let cause, let hasFreed):
            // Others that it has left no room have said that the disk is full.
            if hasFreed, obstacle?.kind == cause.kind { clearObstacle() }
            let (isNew, wait) = aside.note(job.id)
            leave(job, cause, wait: wait, isNoted: isNew)
            if aside.showFullDisk(slots: slots) { halt(cause) }
        case .inUse: break
        }
    }

    /// Halts, unless the job has halted this worker before and others have gone well since: then it waits alone.
    private mutating func leaveOrHalt(_ job: ClaimedJob, _ cause: JobCause) {
        let verdict = unable.note(job.id)
        leave(job, cause, wait: verdict.wait, isNoted: verdict.isToBlame)
        if !verdict.isToBlame { halt(cause) }
    }

    /// Leaves a job whose file the bucket refuses, as an attempt where it takes others.
    ///
    /// Halts where the bucket has refused as many as there are slots.
    private mutating func leaveUnplaced(_ job: ClaimedJob, _ cause: JobCause) {
        let verdict = unplaced.note(job.id)
        guard !verdict.isToBlame else {
            return outbox.failures.append(Failure(id: job.id, epoch: job.epoch, cause: cause, isFinal: false))
        }
        leave(job, cause, wait: verdict.wait, isNoted: verdict.isNew)
        if unplaced.showsObstacle(slots: slots) { halt(cause) }
    }

    /// Hands a job back for a while; `isNoted` says so in a line.
    private mutating func leave(_ job: ClaimedJob, _ cause: JobCause, wait: Double, isNoted: Bool) {
        outbox.handBacks.append(HandBack(id: job.id, epoch: job.epoch, cause: cause, wait: wait))
        if isNoted { outbox.notes.append(WorkerLines.aside(job.id, cause.text)) }
    }

    /// Leaves a job to the process that has its file open: it may go on or end, and neither is a failed attempt.
    private mutating func leave(_ job: ClaimedJob, _ cause: JobCause) {
        let (isNew, wait) = inUse.note(job.id)
        outbox.handBacks.append(HandBack(id: job.id, epoch: job.epoch, cause: cause, wait: wait))
        if isNew { outbox.notes.append(WorkerLines.inUse(job.id, cause.text)) }
    }

    /// Claims nothing until the obstacle is cleared, and hands back what has not begun.
    private mutating func halt(_ cause: JobCause) {
        obstacle = cause
        unable.halt()
        unplaced.halt()
        handBackReady { _ in true }
    }

    /// Takes the queue's answer about `asked`; a job without an answer belongs to another worker.
    package mutating func take(_ answers: [LeaseAnswer], asked: [HeldJob]) -> [WorkerAction] {
        let known = Dictionary(answers.map { ($0.id, $0) }) { first, _ in first }
        var actions: [WorkerAction] = []
        for one in asked {
            let id = one.job.id
            // It may have ended, and even come again, while the queue was asked.
            guard let job = held[id], job.job.epoch == one.job.epoch else { continue }
            let answer = known[id]
            switch job.phase {
            case .ready:
                if answer == nil {
                    held[id] = nil
                } else if answer?.wish != .run || answer?.isHostHeld == true {
                    handBackReady { $0.id == id }
                }
            case .running:
                if answer == nil {
                    held[id]?.phase = .abandoned
                    actions.append(.stop(id))
                } else if answer?.wish != .run {
                    held[id]?.phase = .parking
                    actions.append(.stop(id))
                } else if job.asks {
                    held[id]?.asks = false
                    actions.append(.finish(id))
                }
            case .parking:
                if answer == nil { held[id]?.phase = .abandoned }
            // Its report will be refused, which is said then.
            case .abandoned, .ended: break
            }
        }
        return actions
    }

    /// Claims nothing more and hands back what has not begun; running jobs go on.
    package mutating func stop() {
        isStopping = true
        handBackReady { _ in true }
    }

    /// Stops what still runs, so that other workers can go on with the parts.
    package mutating func park() -> [WorkerAction] {
        held.values.filter { $0.phase == .running }.map(\.job.id).sorted().map { id in
            held[id]?.phase = .parking
            return .stop(id)
        }
    }

    /// Claims again after an obstacle.
    package mutating func clearObstacle() { obstacle = nil }

    /// Forgets the reports that the queue has taken.
    package mutating func sent(_ reports: Outbox) {
        outbox.holds.removeFirst(reports.holds.count)
        outbox.completions.removeFirst(reports.completions.count)
        outbox.failures.removeFirst(reports.failures.count)
        outbox.handBacks.removeFirst(reports.handBacks.count)
        outbox.notes.removeFirst(reports.notes.count)
        let ids = reports.completions.map(\.id) + reports.failures.map(\.id) + reports.handBacks.map(\.id)
        for id in ids where held[id]?.phase == .ended { held[id] = nil }
    }
}

// MARK: Changes

extension WorkerBook {
    /// Ends a job that has begun and returns it; nil if another worker may have it.
    private mutating func finish(_ id: Int64) -> ClaimedJob? {
        guard let job = held[id], job.phase != .ready, job.phase != .ended else { return nil }
        if let count = running[job.job.host] { running[job.job.host] = count > 1 ? count - 1 : nil }
        guard job.phase != .abandoned else {
            held[id] = nil
            return nil
        }
        held[id]?.phase = .ended
        return job.job
    }

    private mutating func end(_ id: Int64) { held[id]?.phase = .ended }

    mutating func handBackReady(_ isChosen: (ClaimedJob) -> Bool) {
        for id in line {
            guard let job = held[id]?.job, held[id]?.phase == .ready, isChosen(job) else { continue }
            end(id)
            outbox.handBacks.append(HandBack(id: id, epoch: job.epoch))
        }
        line.removeAll { held[$0]?.phase != .ready }
    }
}

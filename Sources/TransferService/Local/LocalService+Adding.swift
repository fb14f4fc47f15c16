import CLinux
import SessionCore
import SessionSupport

/// The way from jobs to rows.
extension LocalService {
    /// Adds rows, which get tasks when their turn is near.
    ///
    /// Repetitions of a download that is there already are left out, and counted. Nothing is added once the program ends.
    @discardableResult
    package func add(_ jobs: [Job]) -> CommandReply {
        var rest = jobs[...]
        return add(isAfterwards: true) {
            defer { rest = rest.dropFirst(Self.pageLength) }
            return Array(rest.prefix(Self.pageLength))
        }
    }

    /// The milliseconds for which a list waits for the disk that its rows are written down on.
    private static let diskPatience: Int64 = 500

    package func add(pages nextPage: () -> [Job]) { add(isAfterwards: false, nextJobs: nextPage) }

    /// Adds the rows of several lists, until one is empty.
    ///
    /// Rows of one list may start once the next list was asked for. `isAfterwards` says that somebody asks while the run is
    /// under way, knowing what has become of its transfers.
    ///
    /// The reply names the rows of jobs that were added afterwards: a list that a run begins with may be long.
    @discardableResult
    package func add(isAfterwards: Bool, nextJobs: () -> [Job]) -> CommandReply {
        state.withLock { $0.additions += 1 }
        var reply = CommandReply()
        var jobs = nextJobs()
        // Somebody who types does not wait for a disk, and a disk that does not answer keeps a list waiting once.
        var waitsForDisk = !isAfterwards
        while !jobs.isEmpty {
            let added = notifyingWhenSaved { insert(jobs, isAfterwards: isAfterwards) }
            reply.repetitions += jobs.count - added.count
            if isAfterwards { reply.added += added }
            if waitsForDisk { waitsForDisk = manager.store.waitForRoom(milliseconds: Self.diskPatience) }
            jobs = nextJobs()
            tellQueue()
        }
        let id = state.withLock { state in
            state.additions -= 1
            return state.order.last
        }
        // The rows may have ended by now, which somebody may wait for.
        if isIdle, let id {
            observers.receive(.moved(id))
            observers.receive(.idle)
        }
        return reply
    }

    /// Adds rows; answers which.
    private func insert(_ jobs: [Job], isAfterwards: Bool) -> [UInt64] {
        var added: [UInt64] = []
        let now = cl_monotonic_milliseconds()
        let jobs = factory.checksums == nil ? jobs : jobs.map(factory.checked)
        for job in isSaved ? jobs.map(prepared) : jobs {
            switch state.withLock({ $0.insertWaiting(job, at: now) }) {
            case .added(let id):
                begin(id, job)
                added.append(id)
            case .isAwaited(let id):
                if give(job, to: id) { added.append(id) }
            case .isThere(let id):
                if blocksAdding(id, isAfterwards: isAfterwards), replace(id, with: job) {
                    added.append(id)
                } else if let other = state.withLock({ $0.insertBeside(id, job, at: now) }) {
                    begin(other, job)
                    added.append(other)
                } else {
                    reportRepetition(of: job, id, isAfterwards: isAfterwards)
                }
            case .refused: break
            }
        }
        return added
    }

    /// Lets a row that was added wait for its task.
    private func begin(_ id: UInt64, _ job: Job) {
        save(id)
        report(id, .added(description(of: job, path: path(of: job))))
        if job.startsPaused { hold(id) } else { state.withLock { $0.enqueue(id) } }
    }

    /// Gives a job to the row of an earlier run that waits for it, which keeps its place and the bytes that it has.
    private func give(_ job: Job, to id: UInt64) -> Bool {
        guard let row = row(id) else { return false }
        guard row.job.kind == .download, case .failure(let failure) = carryOn(row, as: job) else {
            return row.job.kind == .download || replace(id, with: job)
        }
        guard replace(id, with: job) else { return false }
        report(id, .notice(ServiceLines.partNotReused(failure.message)))
        return true
    }

    /// Tells of a row that begins paused; where nobody can let it go on, nobody waits for it either.
    private func hold(_ id: UInt64) {
        if !observers.interest.takesCommands { state.withLock { _ = $0.parked.insert(id) } }
        report(id, .paused)
    }

    /// Whether a row that failed or was cancelled stands where somebody who sees it has asked for the same anew, perhaps
    /// with what it lacked.
    private func blocksAdding(_ id: UInt64, isAfterwards: Bool) -> Bool {
        guard observers.interest.showsRows, isAfterwards else { return false }
        switch state.withLock({ $0.rows.result(of: id) }) {
        case .failed, .cancelled: return true
        case .completed, .unfinished, nil: return false
        }
    }

    /// Tells that a row stands for a job already, so that none vanishes.
    ///
    /// Somebody who cannot see the row asks for it anew by naming it: one that is paused, has failed or was cancelled goes
    /// on. A URL that merely stands twice in what a run begins with asks once.
    private func reportRepetition(of job: Job, _ id: UInt64, isAfterwards: Bool) {
        var description = description(of: job, path: path(of: job))
        description.isRepeated = true
        report(id, .added(description))
        guard !observers.interest.showsRows, !job.startsPaused else { return }
        if state.withLock({ $0.hasStopped(id, sinceEarlierRun: !isAfterwards) }) { resume([id]) }
    }

    /// Makes another transfer of a row that has ended; false when another row stands for that already.
    ///
    /// A row that goes on meanwhile stays as it is, and another one is added.
    ///
    /// `kept` are the counts of a part that goes along.
    func replace(_ id: UInt64, with job: Job, keeping kept: TaskStatus = TaskStatus()) -> Bool {
        let job = isSaved ? prepared(job) : job
        switch state.withLock({ $0.replace(id, with: job, keeping: kept, at: cl_monotonic_milliseconds()) }) {
        case .isThere, .isAwaited: return false
        case .refused: return add([job]).repetitions == 0
        case .added: break
        }
        save(id)
        report(id, .added(description(of: job, path: path(of: job))))
        if job.startsPaused { report(id, .paused) } else { state.withLock { $0.enqueue(id) } }
        observers.receive(.changed(id))
        tellQueue()
        return true
    }

    /// Adds a row that has failed before it could begin, as for a bad line of a list that is still arriving.
    @discardableResult
    func addFailed(url: String, message: String) -> UInt64 {
        let job = Job(kind: .download, url: url)
        let id = state.withLock { $0.insert(job, at: cl_monotonic_milliseconds()) }
        report(id, .added(description(of: job, path: nil)))
        fail(id, TransferFailure(kind: "invalidRequest", category: .ordinary, message: message))
        return id
    }
}

import CLinux
import Glibc
import SessionCore
import SessionSupport

/// Adds rows for jobs.
extension LocalService {
    /// Adds rows, which get tasks when their turn is near.
    ///
    /// Duplicates of an existing download are left out and counted. After the program has begun to end, nothing is
    /// added.
    ///
    /// - Parameter key: the number of the first job, for an addition that a client may repeat.
    @discardableResult
    package func add(_ jobs: [Job], once key: UInt64? = nil) -> CommandReply {
        var rest = jobs[...]
        return add(isAfterwards: true, once: key) {
            defer { rest = rest.dropFirst(Self.pageLength) }
            return Array(rest.prefix(Self.pageLength))
        }
    }

    /// The milliseconds for which a list waits for the disk that stores its rows.
    private static let diskPatience: Int64 = 500

    package func add(pages nextPage: () -> [Job]) { add(isAfterwards: false, nextJobs: nextPage) }

    /// Adds the rows of several lists, until one is empty.
    ///
    /// Rows of one list may start once the next list was requested. `isAfterwards` marks jobs that a user adds during
    /// the run.
    ///
    /// The reply names only the rows of jobs that were added afterwards: the list at the start of a run may be long.
    @discardableResult
    package func add(isAfterwards: Bool, once key: UInt64? = nil, nextJobs: () -> [Job]) -> CommandReply {
        state.withLock { $0.additions += 1 }
        var reply = CommandReply()
        var key = key
        var jobs = nextJobs()
        // Typing must not wait for a disk, and an unresponsive disk delays a list only once.
        var waitsForDisk = !isAfterwards
        while !jobs.isEmpty {
            let (added, repeated) = notifyingWhenSaved { insert(jobs, isAfterwards: isAfterwards, once: key) }
            key = key.map { $0 &+ UInt64(jobs.count) }
            if isAfterwards {
                reply.added += added
                reply.repeated += repeated
            }
            if waitsForDisk { waitsForDisk = manager.store.waitForRoom(milliseconds: Self.diskPatience) }
            jobs = nextJobs()
            tellQueue()
        }
        let (id, hasDue) = state.withLock { state in
            state.additions -= 1
            return (state.order.last, state.precedence.hasDue)
        }
        if hasDue { tellQueue() }
        // The rows may have ended already, and an observer may wait for that.
        if isIdle, let id {
            observers.receive(.moved(id))
            observers.receive(.idle)
        }
        return reply
    }

    /// Adds rows and returns their ids, and the ones of repeated downloads; a service that ends takes none.
    private func insert(
        _ jobs: [Job], isAfterwards: Bool, once first: UInt64?
    ) -> (added: [UInt64], repeated: [UInt64]) {
        var added: [UInt64] = []
        var repeated: [UInt64] = []
        let now = cl_monotonic_milliseconds()
        let jobs = factory.checksums == nil ? jobs : jobs.map(factory.checked)
        for (index, job) in jobs.lazy.map(prepared).enumerated() {
            let key = first.map { $0 &+ UInt64(index) }
            if let key, let id = state.withLock({ $0.additionKeys[key] }) {
                added.append(id)
                continue
            }
            switch state.withLock({ $0.insertWaiting(job, at: now) }) {
            case .added(let id):
                begin(id, job, key)
                added.append(id)
            case .isAwaited(let id):
                if give(job, to: id) { added.append(id) } else { repeated.append(id) }
            case .isThere(let id):
                if isAfterwards, isToRunAgain(id, as: job), runs(id, again: job) {
                    added.append(id)
                } else if let other = state.withLock({ $0.insertBeside(id, job, at: now) }) {
                    begin(other, job, key)
                    added.append(other)
                } else {
                    state.withLock { $0.nameRow(id, of: job) }
                    repeated.append(id)
                    reportRepetition(of: job, id, isAfterwards: isAfterwards)
                }
            case .refused: break
            }
        }
        return (added, repeated)
    }

    private func begin(_ id: UInt64, _ job: Job, _ key: UInt64?) {
        if let key { state.withLock { $0.additionKeys.note(key, of: id) } }
        let problem = save(id)
        report(id, .added(description(of: job, path: path(of: job))))
        if let problem { report(id, .notice(ServiceLines.inThisRunOnly(problem.message))) }
        if job.startsPaused { hold(id) } else { state.withLock { $0.enqueue(id, job) } }
    }

    /// Gives a job to the waiting row of an earlier run, which keeps its position and its bytes.
    private func give(_ job: Job, to id: UInt64) -> Bool {
        guard let row = row(id) else { return false }
        guard row.job.kind == .download, case .failure(let failure) = carryOn(row, as: job) else {
            return row.job.kind == .download || runs(id, again: job)
        }
        guard runs(id, again: job) else { return false }
        report(id, .notice(ServiceLines.partNotReused(failure.message)))
        return true
    }

    /// Reports a row that begins paused; without a user to resume it, the run does not wait for it.
    private func hold(_ id: UInt64) {
        if !observers.interest.takesCommands { state.withLock { _ = $0.parked.insert(id) } }
        report(id, .paused)
    }

    /// Returns whether a job that repeats an ended row makes a new transfer of it.
    ///
    /// A failed or cancelled row that the user sees was asked for again, perhaps with a missing secret. A completed one
    /// is complete for as long as its file is there, unless the job replaces the file or asks whether it is current.
    private func isToRunAgain(_ id: UInt64, as job: Job) -> Bool {
        switch state.withLock({ $0.rows.result(of: id) }) {
        case .failed, .cancelled: observers.interest.showsRows
        case .completed:
            switch job.ifExists {
            case .overwrite, .refresh, .same, .sameOrFail: true
            case .rename, .skip, .fail, .ask: row(id)?.path.map { access($0, F_OK) != 0 } ?? false
            }
        case .unfinished, nil: false
        }
    }

    /// Makes a new transfer of an ended row that a job repeats; returns false where it has not ended.
    ///
    /// Its text may have been dropped, and the job has the same.
    private func runs(_ id: UInt64, again job: Job) -> Bool {
        state.withLock { $0.rows.revive(id, job) }
        if case .added = place(job, in: id, keeping: TaskStatus()) { return true }
        return false
    }

    /// Reports that an existing row stands for a job, so that no job vanishes.
    ///
    /// A user repeats it by naming it again: a paused, failed or cancelled one is resumed. A URL that merely occurs
    /// twice at the start of a run is requested once.
    private func reportRepetition(of job: Job, _ id: UInt64, isAfterwards: Bool) {
        var description = description(of: job, path: path(of: job))
        description.isRepeated = true
        report(id, .added(description))
        guard !job.startsPaused else { return }
        if state.withLock({ $0.hasStopped(id, sinceEarlierRun: !isAfterwards) }) { resume([id]) }
    }

    /// Makes a new transfer of a row that has ended; returns false when another row already stands for that.
    ///
    /// A row that has resumed by then is unchanged, and another one is added.
    ///
    /// `kept` are the counts of a partial file that moves with it.
    func replace(_ id: UInt64, with job: Job, keeping kept: TaskStatus = TaskStatus()) -> Bool {
        switch place(job, in: id, keeping: kept) {
        case .isThere, .isAwaited: return false
        case .refused: return !add([prepared(job)]).added.isEmpty
        case .added: return true
        }
    }

    /// Makes a new transfer of a row that has ended, or was stopped for this change and no other.
    func place(
        _ job: Job, in id: UInt64, keeping kept: TaskStatus, planned: RowChange? = nil
    ) -> State.Insertion {
        let job = prepared(job)
        let insertion = state.withLock { state in
            state.replace(id, with: job, keeping: kept, planned: planned, at: cl_monotonic_milliseconds())
        }
        guard case .added = insertion else { return insertion }
        let problem = save(id)
        report(id, .added(description(of: job, path: path(of: job))))
        if let problem { report(id, .notice(ServiceLines.inThisRunOnly(problem.message))) }
        if job.startsPaused { report(id, .paused) } else { state.withLock { $0.enqueue(id) } }
        observers.receive(.changed(id))
        tellQueue()
        return insertion
    }

    /// Adds a row that failed before it began, as for a bad line of a list that is still arriving.
    @discardableResult
    func addFailed(url: String, message: String) -> UInt64 {
        let job = Job(kind: .download, url: url)
        let id = state.withLock { $0.insert(job, at: cl_monotonic_milliseconds()) }
        report(id, .added(description(of: job, path: nil)))
        fail(id, TransferFailure(kind: "invalidRequest", category: .ordinary, message: message))
        return id
    }
}

extension LocalService.State {
    /// What becomes of a job that repeats an upload of an earlier run; nil for any other job.
    func repetition(of job: Job) -> Insertion? {
        guard let id = earlierUploads[job], let row = rows[id], EarlierUploads.areSame(row.job, job) else { return nil }
        if row.lacksSecrets { return .isAwaited(by: id) }
        switch row.run.result {
        case .completed, .cancelled: return nil
        case .failed, .unfinished, nil: return row.job.url == job.url ? .isThere(id) : nil
        }
    }

    /// The row with the same options among the rows of a download, else the one that stands for it.
    func twin(of job: Job, among known: UInt64) -> UInt64 {
        downloads.rows(of: known).first { rows.job(of: $0).map { !job.isBeside($0) } ?? false } ?? known
    }

    /// Adds a second row for a download whose job differs from the first row's in a header, an option or the
    /// checksum, or that a client of aria2 knows by a number of its own.
    ///
    /// A row of an earlier run may lack secrets, so it is not compared.
    mutating func insertBeside(_ id: UInt64, _ job: Job, at time: Int64) -> UInt64? {
        guard !isClosing, id > lastRestored, let known = rows[id]?.job, job.isBeside(known) else { return nil }
        let new = insert(job, at: time)
        if let first = destination(of: job).flatMap({ downloads[$0.tableKey] }) { downloads.add(new, beside: first) }
        return new
    }
}

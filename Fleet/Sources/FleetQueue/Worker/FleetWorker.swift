/// Drains a queue: claims jobs, has them carried out, renews their leases and reports their ends.
///
/// A class because its loop owns a connection that comes and goes. It reads no clock but one that never jumps; every
/// time in the queue is the server's.
package final class FleetWorker {
    private let address: QueueAddress
    private let identity: WorkerIdentity
    private let runner: any TransferRunner
    private let bell: Bell
    private let wakers: [Int32]
    private let say: (String) -> Void
    private var book: WorkerBook
    private var times: Timetable
    private var queue: FleetQueue?
    private var queueIdentity: String?
    private var reconnect = 0.0
    private var reconnectWait = FleetWorker.shortestReconnectWait
    /// Why the database is away, as it was said last; nil while it is there.
    private var absence: String?
    /// Whether an answer is awaited for so long that it was said.
    private var isSilenced = false
    private var order: () -> Order = { .work }
    private var obstacleEnds = 0.0
    private var holds = HoldNotes()
    /// The counts of running jobs that were told last.
    private var lastMoves: [JobMove] = []
    private(set) var done = 0
    private(set) var failed = 0

    /// What the worker is told to do, asked whenever its loop wakes.
    package enum Order: Equatable, Sendable {
        case work
        /// Claims nothing more, and lets running jobs end.
        case finish
        /// Parks running jobs.
        case park
        /// Ends when no job waits or runs any more, here or at another worker.
        case drain
    }

    /// `wakers` are further descriptors that wake the loop, such as the one of signals.
    package init(
        _ address: QueueAddress, as identity: WorkerIdentity, runner: any TransferRunner, bell: Bell,
        wakers: [Int32] = [], say: @escaping (String) -> Void
    ) {
        self.wakers = wakers
        self.address = address
        self.identity = identity
        self.runner = runner
        self.bell = bell
        self.say = say
        book = WorkerBook(slots: identity.slots, perHost: identity.perHost)
        times = Timetable(lease: identity.lease)
    }

    /// Works until it is told to end and everything is handed back, or until an error that waiting does not mend.
    package func run(_ order: @escaping () -> Order) throws(FleetError) {
        self.order = order
        // The closure may hold what holds this worker.
        defer { self.order = { .work } }
        try connect(at: FleetClock.now())
        say(WorkerLines.started(identity.name, slots: identity.slots))
        while true {
            let order = order()
            follow(order)
            if queue == nil, book.isFinished { break }
            do throws(FleetError) {
                try turn(drains: order == .drain)
                endOutage()
            } catch {
                try lose(error)
            }
            if book.isFinished { break }
            if self.order() == .park, queue == nil, !book.isBusy {
                say(WorkerLines.untold(book.held.count))
                break
            }
            waitForWork()
        }
        try? queue?.leave(identity)
        say(WorkerLines.ended(done: done, failed: failed))
    }

    private func follow(_ order: Order) {
        switch order {
        case .work, .drain: break
        case .finish, .park:
            if !book.isStopping {
                say(WorkerLines.stopping)
                book.stop()
            }
            guard order == .park else { return }
            carryOut(book.park())
        }
    }

    private func turn(drains: Bool) throws(FleetError) {
        let now = FleetClock.now()
        takeReports()
        meetObstacle(at: now)
        carryOut(book.starts())
        if queue == nil { try connect(at: now) }
        guard let queue else { return }
        // A worker without jobs claims first, so that they begin while it is listed.
        let hasLeases = book.hasLeases
        if hasLeases { try renew(queue, at: now, leases: true) }
        try exchange(queue, at: now, drains: drains)
        if !hasLeases, !book.isFinished { try renew(queue, at: now, leases: false) }
        if times.areMovesDue(at: now, hasJobs: book.isRunning) { try tellMoves(queue) }
        if book.isRunning, times.areSharesDue(at: now) {
            let hosts = book.runningHosts
            carryOut(book.share(try queue.shares(of: hosts), among: hosts))
        }
        // Notices also arrive with the answers above, after which the socket has nothing to read.
        while try readNotices(queue) {}
        if times.missesProbe(at: now) { say(WorkerLines.noNotices) }
    }

    /// Says where that is due that the worker lives; with `leases` renews its jobs' and hears what is wanted of them.
    private func renew(_ queue: FleetQueue, at now: Double, leases: Bool) throws(FleetError) {
        let isDue = times.isBeatDue(at: now)
        if isDue || book.hasQuestions {
            let asked = leases ? book.leased : []
            let answers = try queue.beat(asked, for: identity, stats: stats)
            carryOut(book.take(answers, asked: asked))
            if isDue { try queue.reap(lease: identity.lease) }
        } else if times.isLookDue(at: now) {
            try look(queue)
        }
    }

    private func look(_ queue: FleetQueue) throws(FleetError) {
        let asked = book.leased
        guard !asked.isEmpty else { return }
        let answers = try queue.look(at: asked)
        carryOut(book.take(answers, asked: asked))
    }

    /// Tells the counts of the running jobs that last, which windows show: files that end at once cost nothing.
    private func tellMoves(_ queue: FleetQueue) throws(FleetError) {
        let moves = book.moves()
        guard !moves.isEmpty, moves != lastMoves else { return }
        try queue.tell(moves, of: identity)
        lastMoves = moves
    }

    private func takeReports() {
        for report in runner.takeReports() {
            switch report {
            case .moved: break
            case .done: times.completed(at: FleetClock.now())
            default: times.expectJobs()
            }
            book.take(report)
        }
    }

    /// Fills the slots of ended jobs from the reserve, so that no slot waits for an answer of the database.
    private func refill() -> Order {
        bell.clear()
        takeReports()
        carryOut(book.starts())
        return order()
    }

    /// Sends what waits for the queue, and claims jobs: first what keeps workers from a host, last the finished jobs,
    /// with whose transaction their slots are filled.
    private func exchange(_ queue: FleetQueue, at now: Double, drains: Bool) throws(FleetError) {
        let reports = book.outbox
        try send(reports, to: queue, at: now)
        let late = book.late
        if !late.isEmpty { carryOut(book.begin(try queue.begin(late), of: late)) }
        let count = times.isClaimDue(at: now) && wantsJobs ? book.claimCount : 0
        var finished = Outbox()
        if count > 0 || !book.hasWork || times.areCompletionsDue(at: now) {
            times.sendsCompletions()
            finished.completions = reports.completions
        }
        let full = identity.perHost.map { book.hosts(withJobs: $0) } ?? []
        let (taken, jobs) = try queue.exchange(finished.completions, claiming: count, for: identity, but: full)
        done += taken.count
        let lost = finished.completions.count - taken.count
        if lost > 0 { say(WorkerLines.lost(lost)) }
        book.sent(finished)
        guard count > 0 else { return }
        times.claimed(jobs.count, of: count, at: now, drains: drains)
        book.take(jobs)
        carryOut(book.starts())
        let aside = drains ? runner.misfits : []
        if drains, jobs.isEmpty, book.leased.isEmpty, book.outbox.isEmpty, try queue.isDrained(but: aside) {
            end(leaving: aside)
            try queue.tellEnd()
        }
    }

    /// Sends all reports but the finished jobs, and forgets each kind when it is answered: a later one that fails is tried
    /// again alone.
    private func send(_ reports: Outbox, to queue: FleetQueue, at now: Double) throws(FleetError) {
        for hold in reports.holds {
            let seconds = try queue.hold(hold.host, seconds: hold.seconds, cause: hold.cause)
            book.sent(Outbox(holds: [hold]))
            guard holds.note(hold.host, seconds: seconds, at: now) else { continue }
            let host = PostgresText.printable(hold.host)
            say(WorkerLines.held(host, seconds: seconds, hold.cause.text))
        }
        if !reports.failures.isEmpty {
            let counted = try queue.fail(reports.failures)
            book.sent(Outbox(failures: reports.failures))
            for failure in reports.failures { tell(failure, isCounted: counted[failure.id]) }
        }
        if !reports.handBacks.isEmpty {
            try queue.handBack(reports.handBacks)
            book.sent(Outbox(handBacks: reports.handBacks))
        }
        for note in reports.notes { say(note) }
        book.sent(Outbox(notes: reports.notes))
    }

    /// Tells a failed attempt; `isCounted` is nil where the job was no longer this worker's.
    private func tell(_ failure: Failure, isCounted: Bool?) {
        let (id, cause) = (failure.id, failure.cause.text)
        switch isCounted {
        case true?:
            failed += 1
            say(WorkerLines.failed(id, cause, failure.isFinal))
        case false?: say(WorkerLines.uncounted(id, cause))
        case nil: say(WorkerLines.lostFailure(id, cause))
        }
    }

    /// Ends with the queue, in which jobs without room here stay for another worker.
    private func end(leaving aside: [Int64]) {
        if !aside.isEmpty { say(WorkerLines.leaving(aside.count)) }
        book.stop()
    }

    /// Small claims cost as much as large ones, so a worker that is busy waits until half of its reserve is used.
    private var wantsJobs: Bool { book.claimCount >= max(1, identity.slots / 8) }

    private func carryOut(_ actions: [WorkerAction]) {
        for action in actions {
            switch action {
            case .start(let job): runner.start(job)
            case .stop(let id): runner.stop(id)
            case .limit(let id, let rate): runner.limit(id, to: rate)
            case .finish(let id): runner.finish(id)
            }
        }
    }

    private func meetObstacle(at now: Double) {
        guard let reason = book.obstacle else {
            if obstacleEnds != 0 { times.expectBeat() }
            obstacleEnds = 0
            return
        }
        if obstacleEnds == 0 {
            say(WorkerLines.obstacle(reason.text))
            obstacleEnds = now + 60
            times.expectBeat()
        } else if now >= obstacleEnds {
            obstacleEnds = 0
            book.clearObstacle()
            times.expectBeat()
        }
    }

    private var stats: WorkerStats {
        WorkerStats(
            running: book.count(.running), ready: book.count(.ready), done: done, failed: failed,
            obstacle: book.obstacle?.text)
    }
}

// MARK: The connection

extension FleetWorker {
    private func connect(at now: Double) throws(FleetError) {
        guard now >= reconnect else { return }
        let queue = try FleetQueue(address, role: "worker", expected: queueIdentity)
        queueIdentity = queue.identity
        try queue.listen(probe: identity.name)
        times.connected(at: now)
        // Signals are heard in a long wait too, and reports that nothing can take are given up then. A short one may end
        // with jobs, which begin before the worker stops.
        queue.connection.pastime = (
            wakers + [bell.descriptor],
            { [unowned self] in
                let order = refill()
                if isSilenced { follow(order) }
            }
        )
        queue.onSilence(
            after: Self.longestSilence,
            // A worker that is told to end waits for no answer where it has nothing to report.
            givesUp: { [unowned self] in book.isFinished || order() == .park && !book.isBusy }
        ) { [unowned self] in
            isSilenced = true
            say(WorkerLines.silent(seconds: Int(Self.longestSilence)))
            follow(order())
        }
        self.queue = queue
    }

    /// Notes a turn without an error; a connection alone is none, because the server may end each statement on it.
    private func endOutage() {
        if isSilenced { say(WorkerLines.answers) }
        isSilenced = false
        guard queue != nil else { return }
        if absence != nil { say(WorkerLines.back) }
        absence = nil
        reconnectWait = Self.shortestReconnectWait
    }

    private static let shortestReconnectWait = 0.5

    /// The seconds after which a wait for an answer is said.
    private static let longestSilence = 5.0

    /// Waits for a database that is away or has ended a statement; any other error ends the worker.
    ///
    /// Running jobs go on, and their reports wait.
    private func lose(_ error: FleetError) throws(FleetError) {
        queue = nil
        isSilenced = false
        // Their answer may have been lost.
        if !book.outbox.completions.isEmpty { times.completed(at: FleetClock.now()) }
        guard [.away, .conflict, .interrupted].contains(error.code) else {
            carryOut(book.park())
            throw error
        }
        // Another reason is news: after a failover the server may be there and the database missing.
        if absence != error.text, !book.isFinished { say(WorkerLines.away(error.text, seconds: reconnectWait)) }
        absence = error.text
        reconnect = FleetClock.now() + reconnectWait
        reconnectWait = min(10, reconnectWait * 2)
    }

    /// Reads the notices that are there and follows them; false if there were none.
    private func readNotices(_ queue: FleetQueue) throws(FleetError) -> Bool {
        var mustLook = false
        let notices = try queue.notices()
        for notice in notices {
            switch notice {
            case identity.name: times.heardProbe()
            case "work": times.expectJobs()
            default: mustLook = mustLook || notice == "wish" || notice.hasPrefix("hold ")
            }
        }
        if mustLook { try look(queue) }
        return !notices.isEmpty
    }

    private func waitForWork() {
        let now = FleetClock.now()
        var seconds = times.wait(from: now, wantsJobs: wantsJobs)
        var descriptors = wakers + [bell.descriptor]
        if let queue {
            descriptors.append(queue.descriptor)
        } else {
            seconds = max(0, reconnect - now)
        }
        if queue != nil, book.isRunning {
            seconds = min(seconds, times.waitForShares(from: now), times.waitForMoves(from: now))
        }
        if obstacleEnds > 0 { seconds = min(seconds, max(0, obstacleEnds - now)) }
        if queue != nil, book.hasUrgentReports { seconds = 0 }
        _ = DatabaseConnection.waitForInput(descriptors, milliseconds: Int((seconds * 1000).rounded(.up)))
        bell.clear()
    }
}

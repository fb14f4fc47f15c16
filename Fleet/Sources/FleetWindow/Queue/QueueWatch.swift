internal import FleetQueue
internal import SessionSupport
internal import TransferService

/// Looks at the queue once a second on a thread of its own: one aggregate, the running jobs and the workers.
///
/// An aggregate that takes long is made less often, so that a window never costs the database more than a quarter of
/// a core.
final class QueueWatch: Sendable {
    /// What has changed since the last look.
    struct News: Sendable {
        var changed: [Int64] = []
        var moved: [Int64] = []
        /// Jobs that no longer run, as they are now.
        var ended: [ListedJob] = []
        /// Whether the database answers; nil where that is as before.
        var presence: Presence?
        /// A problem that has begun, and one that has ended, by the sentence that has told it.
        var complaint: SafeText?
        var resolved: SafeText?
        /// Limits and held hosts, where they have changed.
        var limits: TransferLimits?
        var held: [ServerBackoff]?
    }

    /// Whether the database answers, also with a refusal.
    enum Presence: Sendable {
        case there
        case away(FleetError)
    }

    /// Milliseconds between two looks, and between two notices of moving bytes.
    private static let (interval, tick): (Int64, Int64) = (1_000, 500)
    /// The most running jobs that are followed one by one.
    private static let runningLimit = 10_000
    /// The least milliseconds after which a look without an answer is told.
    private static let patience: Int64 = 3_000

    private let desk: QueueDesk
    private let picture: Locked<QueuePicture>
    private let onNews: @Sendable (News) -> Void
    private let isStopped = Monitor(false)
    private let last = Locked<(limits: TransferLimits?, held: [String])>((nil, []))

    init(_ desk: QueueDesk, _ picture: Locked<QueuePicture>, onNews: @escaping @Sendable (News) -> Void) {
        (self.desk, self.picture, self.onNews) = (desk, picture, onNews)
    }

    func start() throws(SystemThread.Refusal) {
        try SystemThread.detach(name: "queue-watch") { [self] in run() }
    }

    func stop() { isStopped.change { $0 = true } }

    private func run() {
        var nextCount = Int64.min
        var nextLook = Int64.min
        var pace = AskingPace()
        while true {
            let now = MonotonicClock.milliseconds
            if now >= nextLook {
                nextLook = now + Self.interval
                let took = look(counts: now >= nextCount, patience: max(Self.patience, pace.usual * 2))
                if let took {
                    nextCount = MonotonicClock.milliseconds - took + pace.wait(after: took, least: Self.interval) - 50
                }
            } else {
                let moving = picture.withLock { $0.moving(at: now) }
                if !moving.isEmpty { onNews(News(moved: moving)) }
            }
            let left = min(nextLook, MonotonicClock.milliseconds + Self.tick) - MonotonicClock.milliseconds
            if isStopped.wait(timeoutMilliseconds: max(left, 10), until: { $0 }) { return }
        }
    }

    /// Looks once; returns the milliseconds of the aggregate, nil where it was not made.
    private func look(counts: Bool, patience: Int64) -> Int64? {
        do throws(FleetError) {
            let (found, took) = try desk.ask { [self] (queue: FleetQueue) throws(FleetError) in
                queue.onSilence(after: Double(patience) / 1000) { [weak self] in self?.fall(silentFor: patience) }
                let started = MonotonicClock.milliseconds
                let tallies = counts ? (try queue.tallies(), try queue.workerTallies()) : nil
                let took = MonotonicClock.milliseconds - started
                return (try news(in: queue, tallies), counts ? took : nil)
            }
            onNews(found)
            return took
        } catch {
            fail(error)
            return nil
        }
    }

    private func news(in queue: FleetQueue, _ tallies: (hosts: [JobTally], workers: [WorkerTally])?) throws(FleetError)
        -> News
    {
        let running = try queue.runningJobs(Self.runningLimit)
        let (workers, perHost) = try queue.workers()
        let held = try queue.heldHosts()
        let now = MonotonicClock.milliseconds
        var news = News()
        let gone = picture.withLock { picture in
            if picture.problem != nil {
                picture.played.resume(at: now, began: picture.lookedAt ?? now)
                picture.speeds.resume(at: now)
                news.presence = .there
                news.resolved = picture.complaint
                (picture.problem, picture.complaint) = (nil, nil)
            }
            let (changed, moved, gone) = picture.take(running, now: now)
            (news.changed, news.moved) = (changed, moved)
            (picture.workers, picture.perHost) = (workers, perHost)
            if let tallies {
                picture.totals = TotalsMaking.totals(
                    tallies.hosts, ended: tallies.workers, running: running, workers: workers)
                picture.hasPriorities = tallies.hosts.contains { $0.isPrioritised && $0.state == .waiting }
                picture.countedAt = now
                let sums = picture.totals.cells.filter { $0.state != .cancelled }
                picture.speeds.add(
                    bytes: sums.reduce(0) { $0 &+ $1.moved },
                    done: sums.first { $0.state == .done }?.count ?? 0, at: now)
                picture.totals.bytesPerSecond = picture.speeds.bytesPerSecond
                picture.totals.rowsPerSecond = picture.speeds.rowsPerSecond
            }
            return gone
        }
        if !gone.isEmpty { news.ended = try queue.jobs(gone) }
        tell(workers, perHost, held, now, &news)
        return news
    }

    private func tell(
        _ workers: [ListedWorker], _ perHost: Int, _ held: [HeldHost], _ now: Int64,
        _ news: inout News
    ) {
        let limits = TransferLimits(all: workers.reduce(0) { $0 + $1.slots }, perHost: perHost)
        let hosts = held.map { $0.host + " " + $0.moment }
        last.withLock { last in
            if last.limits != limits { news.limits = limits }
            if last.held != hosts {
                news.held = held.map {
                    ServerBackoff(
                        host: SafeText(untrusted: $0.host), cause: .http, askedAgainAt: now + Int64($0.seconds * 1000))
                }
            }
            last = (limits, hosts)
        }
    }

    /// Tells that the database does not answer; the answer is still awaited, and ends the problem.
    private func fall(silentFor milliseconds: Int64) {
        let seconds = Int(milliseconds / 1000)
        fail(FleetError(.away, QueueErrors.away(QueueErrors.noAnswer(seconds: seconds))))
    }

    private func fail(_ error: FleetError) {
        let sentence = WindowErrors.away(error.text)
        let isNew = picture.withLock { picture in
            picture.problem = sentence
            guard picture.complaint == nil else { return false }
            picture.complaint = sentence
            return true
        }
        // What the server refuses to a look, such as a slow aggregate, it may answer to a question.
        let presence = error.code == .away ? Presence.away(error) : .there
        onNews(News(presence: presence, complaint: isNew ? sentence : nil))
    }
}

import CAllocator
import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Connects netdash to the library: jobs become tasks, and task events become transfer events and rows.
///
/// Every row keeps its id for as long as the program runs; a retry makes a new task for the same row. Users steer a
/// running task only through its `Progress`. Safe from any thread: the library calls back on its delegate queue, the
/// event loop sends commands.
package final class LocalService: TransferService {
    /// The number of rows read in one step, and added before the first of them may start.
    package static let pageLength = 128

    /// The limit of kept response bodies in bytes; older ones are dropped.
    static let bodyLimit = 64 << 20

    let manager: SessionManager
    let factory: TaskFactory
    let finder: ChecksumFinder
    /// The archive of earlier downloads, which are skipped; nil without an archive.
    let archive: DownloadArchive?
    let observers: ObserverHub
    let state: Locked<State>
    let retries: Int
    /// Seconds after which a wait for a response is reported.
    let stallTimeout: Double
    /// The options of this call for all requests, also an earlier run's.
    let runOptions: RunOptions
    /// Whether failures of an earlier run are retried.
    let retriesFailed: Bool
    /// Whether that file contains secrets.
    let keepsSecrets: Bool
    /// The command that replaces expired links; nil for none.
    let expiryCommand: String?
    /// The file that lists failed and interrupted transfers at the end.
    let failedPath: String?
    /// Whether ended rows are dropped, because an endless list would fill the memory with them.
    let forgetsRows: Bool
    /// Whether events contain the response's head.
    let tellsHeads: Bool
    /// Locked while queue changes are sent, so that the library receives them in order.
    private let sending = Locked(())
    let startedAt = cl_monotonic_milliseconds()
    /// The queue on which repeated requests wait.
    let repeatQueue = DispatchQueue(label: "netdash.repeat")
    /// The started tasks that have not ended.
    let running = RunningTasks()
    /// The file of the secrets that the saved session hides; nil without one.
    let secrets: SavedSecrets?
    /// The history of a saved session; nil without one.
    let history: TransferHistory?
    /// The history that is read where no session is saved; nothing is added to it.
    let earlierHistory: TransferHistory?
    let partsFound = Locked<String?>(nil)
    /// Entered while the end of a row is reported.
    let endReports = DispatchGroup()
    let configured: Locked<Configured>
    /// The queue on which partial files move for changes of rows.
    let changeQueue = DispatchQueue(label: "netdash.changes")
    /// Counts the changes that are no longer pending.
    let changesEnded = Monitor(0)

    /// The most completed rows, and the most failed or cancelled ones, that a saved session restores.
    ///
    /// A start with so many takes less than a second.
    private static let endedLimit = 100_000

    /// Opens its own session: a saved one if named, whose rows ``begin()`` restores.
    ///
    /// Blocks while a saved session is opened; ``refusal`` says when that failed. `interest` is the run's minimum, with
    /// or without subscribers; `found` receives a saved session's first rows during that time. Without a saved session
    /// the history of `earlier` is shown.
    package init(
        settings: ServiceSettings, printsBodies: Bool, for interest: Interest, session name: String? = nil,
        earlier: String? = nil,
        folder: String? = UserFolder.sessions(environment: ProcessInfo.processInfo.environment),
        found: (@Sendable ([RowSnapshot]) -> Void)? = nil
    ) {
        var configuration = SessionConfiguration.default
        configuration.identifier = name
        configuration.storeFolder = folder
        configuration.resumesRestoredTasks = false
        configuration.restoresUnstartedTasks = false
        configuration.completedTasksLimit = Self.endedLimit
        configuration.failedTasksLimit = Self.endedLimit
        configuration.maximumConcurrentTransfers = settings.maximumConcurrent
        configuration.maximumConcurrentTransfersPerHost = settings.maximumPerHost
        configuration.dataTransfersHaveOwnSlots = true
        configuration.rateLimits = RateLimits(RatesInForce(settings.rates, at: Timestamp.now().minuteOfWeek))
        configuration.requestRates = settings.requestRates
        configuration.maximumRetries = settings.retries
        configuration.outagePatience = settings.outagePatience
        // An interactive user can pause and cancel, and may be on a train; a script waits for an exit code.
        configuration.networkPatience = interest.takesCommands ? nil : ServiceSettings.usualPatience
        configuration.maximumRetryTime = settings.retryMaxTime
        configuration.connectTimeout = settings.connectTimeout
        configuration.stallTimeout = settings.stallTimeout
        configuration.dataLimit = Self.bodyLimit
        configuration.decodesBodies = true
        configuration.makesCollections = true
        configuration.additionalHeaders = [
            "User-Agent": settings.options.terms.headers["User-Agent"] ?? Product.userAgent
        ]
        let identity = JobIdentity()
        // A wrong option was reported before the run began.
        configuration.options = try? identity.runOptions(settings.options)
        let secrets = name.flatMap { name in
            folder.flatMap { SavedSecrets(session: name, folder: $0, keepsNew: settings.keepsSecrets) }
        }
        self.secrets = secrets
        func history(of name: String?) -> TransferHistory? {
            name.flatMap { name in folder.map { TransferHistory(session: name, folder: $0) } }
        }
        (self.history, earlierHistory) = (history(of: name), history(of: name == nil ? earlier : nil))
        let routes = JobRoutes(run: configuration.options)
        var handlers = SessionHandlers()
        if let found {
            handlers.onStoredTransfersFound = { transfers in
                let rows = transfers.filter { !$0.wanted.isRemoval }
                    .map { TransferRow(restoring: $0, secrets?.job(of: $0.id.rawValue), settings.runOptions) }
                found(rows.map { $0.snapshot(settings, routes) })
            }
        }
        ThreadMemory.onRest { ca_return_memory() }
        manager = SessionManager(configuration: configuration, handlers: handlers)
        // This program never runs the main queue: the event loop has the main thread.
        manager.completionQueue = DispatchQueue(label: "netdash.completion")
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        factory = TaskFactory(
            manager: manager, directory: settings.directory, printsBodies: printsBodies,
            includesHeads: settings.includesHead && printsBodies, titlesBodies: settings.titlesBodies,
            identity: identity,
            checksums: settings.checksumsPath.flatMap { try? ChecksumList(path: $0) })
        finder = ChecksumFinder(configuration)
        tellsHeads = settings.includesHead
        (retries, stallTimeout, runOptions) = (settings.retries, settings.stallTimeout, settings.runOptions)
        (expiryCommand, keepsSecrets) = (settings.expiryCommand, settings.keepsSecrets)
        (retriesFailed, failedPath) = (settings.retriesFailed, settings.failedPath)
        archive = settings.archivePath.map { DownloadArchive(path: $0) }
        observers = ObserverHub(base: interest)
        configured = Locked(
            Configured(
                limits: TransferLimits(all: settings.maximumConcurrent, perHost: settings.maximumPerHost),
                plan: settings.rates))
        state = Locked(
            State(
                routes: routes,
                // Absolute, because edited jobs name their folder absolutely.
                directory: SavedJob.absolute(settings.directory ?? ".")))
        forgetsRows =
            name == nil && !interest.showsRows && !interest.takesCommands && !settings.keepsEndedRows
        state.withLock { [forgetsRows] state in
            state.isSaved = name != nil
            // The list of failed transfers needs complete rows.
            if forgetsRows, settings.failedPath == nil { state.rows.forgetEnded() }
        }
        // Events of restored tasks wait until their rows exist.
        if name == nil { listen() }
        if settings.rates != RatePlan() { setRates(settings.rates) }
        configure { _ in }
    }

    package func subscribe(_ interest: Interest, wake: @escaping @Sendable () -> Void) -> any Subscription {
        let source = LocalSubscription.Source(
            rows: { [weak self] in self?.snapshots(of: $0) ?? [] },
            figures: { [weak self] in self?.figures(of: $0) ?? [] },
            progress: { [weak self] in self?.progress(of: $0, withURLs: interest.wantsURLs) ?? [] })
        let subscription = LocalSubscription(interest, source: source, wake: wake)
        let number = observers.add(subscription)
        subscription.onCancel { [weak observers] in observers?.remove(number) }
        if let unsaved { subscription.receive(.complaint(unsaved)) }
        return subscription
    }

    /// Sends an observer in this process every event from now on.
    package func observe(_ observer: any TransferObserver) { observers.add(observer) }

    /// Subscribes to the events of all tasks.
    func listen() {
        let reference = Reference(bridge: self)
        manager.handlers.onTaskEvent = { task, event in reference.bridge?.handle(event, of: task) }
        manager.onEntriesAdmitted = { ids in reference.bridge?.makeTasks(ids) }
        manager.handlers.onHostBackoffs = { hosts in
            reference.bridge?.observers.receive(.backoffs(hosts.map { ServerBackoff($0) }))
        }
        manager.handlers.onLimitedHosts = { hosts in
            let counts = hosts.map {
                (ServerBackoff.label(ServerBackoff.name($0.origin), ServerBackoff.route($0.route)), $0.transfers)
            }
            reference.bridge?.observers.receive(.limited(Dictionary(counts) { first, _ in first }))
        }
    }

    /// Refers weakly to the service from the manager's closures.
    ///
    /// A constant costs less per event than a weak capture.
    private struct Reference: Sendable {
        weak let bridge: LocalService?
    }

    // MARK: - Starting

    /// Sends the library the queue changes it does not know; the library decides which rows get tasks.
    ///
    /// All changes go in one message.
    func tellQueue() {
        guard state.withLock({ $0.hasQueueNews }) else { return }
        keepPrecedence()
        sending.withLock { _ in
            let changes = state.withLock { $0.takeQueueChanges() }
            if !changes.isEmpty { manager.changeQueue(changes) }
        }
        if state.withLock({ !$0.hours.isEmpty }) { planHours() }
    }

    /// Makes tasks for the admitted rows; called on the delegate queue.
    private func makeTasks(_ ids: [TransferID]) {
        for id in ids {
            if let row = state.withLock({ $0.admit(id.rawValue) }) { start(row) }
        }
    }

    private func start(_ row: RowAdmission) {
        if let missing = row.missingSecrets { return fail(row.id, missing) }
        if isArchived(row) { return skip(row) }
        // Only options ask for anything before the task.
        guard !row.job.options.isEmpty else { return startTask(row) }
        prepareSecrets(of: row) { [weak self] in
            self?.checkPrograms(of: row) { [weak self] in self?.findChecksum(row) }
        }
    }

    private func findChecksum(_ row: RowAdmission) {
        guard row.job.kind == .download, row.job.checksum == nil, row.job.options.contains(.findChecksum),
            row.job.output != .standardOutput
        else {
            return startTask(row)
        }
        let turn = state.withLock { $0.beginSearch(row.id) }
        finder.find(row.job, request: { [factory] in factory.request(for: $0, as: row.job) }) { [weak self] found in
            guard let self, state.withLock({ $0.endSearch(row.id, turn) }) else { return }
            var row = row
            row.job.checksum = found
            startTask(row)
        }
    }

    private func startTask(_ row: RowAdmission) {
        let id = row.id
        do throws(TransferFailure) {
            // Gauges follow the task's progress; plain lines save that object for every task of a long list.
            let product = try factory.make(
                row.job, options: options(of: row), isChanged: row.revision != 0,
                moved: observers.interest.showsRows ? moved(id) : nil, bodyFailed: { bodyFailed(id) })
            rank(product.task, row.queueKey)
            limit(product.task, of: id)
            running.enter(product.task)
            let (fate, key) = state.withLock { $0.attach(product, to: row) }
            // The row may have moved in the queue in the meantime.
            if let key, key != row.queueKey { rank(product.task, key, ranked: row.queueKey.priority) }
            switch fate {
            case .runs:
                // Its row is queued by then, and the task takes its position.
                tellQueue()
                if let output = product.output, output.awaitsReader, let path = output.path {
                    report(id, .notice(ServiceLines.awaitsReader(of: path)))
                }
                product.task.resume()
            case .holds: running.leave(product.task)
            // The row was cancelled or changed in the meantime, so its end is not reported; it may be queued again.
            case .isUnwanted: product.task.cancelKeepingEntry()
            }
        } catch  where state.withLock({ $0.rows[id]?.revision == row.revision }) {
            fail(id, error)
        } catch {
            // The row was changed in the meantime, and has another job.
        }
    }

    private func moved(_ id: UInt64) -> @Sendable (Progress) -> Void {
        { [weak self] _ in self?.observers.receive(.moved(id)) }
    }

    private func bodyFailed(_ id: UInt64) -> @Sendable () -> Void {
        { [weak self] in self?.cancelForBody(id) }
    }

    /// Sets a task's position in the queue; a new one has the middle priority.
    private func rank(_ task: SessionTask, _ key: TransferRow.QueueKey, ranked old: Int8 = 0) {
        task.queuePosition = key.position
        if key.priority != old { task.priority = Self.priority(key.priority) }
    }

    func description(of job: Job, path: String?) -> TransferEvent.Description {
        TransferEvent.Description(
            kind: job.kind, url: job.url, method: job.sentMethod, path: path, tag: job.tag)
    }

    package func path(of job: Job) -> String? { TransferRow.path(of: job, directory: factory.directory) }

    // MARK: - Reporting

    /// Reports a milestone to interested observers and to the row's log in the dashboard.
    ///
    /// Rows of one command share one time, so that a common event is stored once.
    func report(_ id: UInt64, at time: Timestamp? = nil, _ what: @autoclosure () -> TransferEvent.What) {
        if observers.interest.hearsMilestones { tell(id, at: time, what()) }
    }

    func tell(
        _ id: UInt64, at time: Timestamp? = nil, _ what: TransferEvent.What, url: String? = nil,
        isEarlier: Bool = false, timings: TransferEvent.Timings? = nil
    ) {
        var event = TransferEvent(time: time ?? .now(), id: id, url: url, what: what, isEarlier: isEarlier)
        event.timings = timings
        if url == nil, observers.interest.wantsURLs, !what.describesJob { event.url = self.url(of: id) }
        if observers.interest.showsRows, TransferRow.keeps(what) {
            state.withLock { $0.rows.log(event, at: cl_monotonic_milliseconds()) }
        }
        observers.receive(.event(event))
    }

    func url(of id: UInt64) -> String? { state.withLock { $0.rows.url(of: id) } }

    /// Reports how a row has ended; from here on it counts as ended.
    ///
    /// The run may be over at that moment: ``close()`` waits until its last event is reported.
    ///
    /// - Parameter ended: the row as it has ended, for the history; nil for an end that has no entry.
    func reportEnd(
        _ id: UInt64, _ what: TransferEvent.What, _ timings: TransferEvent.Timings? = nil, of ended: EndedRow?
    ) {
        endReports.enter()
        let (url, isIdle) = state.withLock { state in
            state.liveCount -= 1
            state.precedence.ended(id)
            if let own = state.hours.isEmpty ? nil : state.rows.hours(of: id) { state.hours.leave(id, own) }
            return (state.rows.url(of: id), state.isIdle && !state.isClosing)
        }
        // A client that hears of the end may clear the row.
        if let ended { recordEnd(of: ended.row, what) }
        tell(id, what, url: url, timings: timings)
        if forgetsRows { state.withLock { $0.settle(id) } }
        removeIfLeaving(id)
        if isIdle { observers.receive(.idle) }
        if state.withLock({ $0.precedence.hasDue }) { tellQueue() }
        endReports.leave()
    }

    /// Fails a row without a task; one that has ended in the meantime is left as it is.
    func fail(_ id: UInt64, _ failure: TransferFailure) {
        let ended: EndedRow? = state.withLock { state in
            guard state.rows.isLive(id), let slot = state.rows.slot(of: id) else { return nil }
            let ended = slot.end(.failed(failure), at: cl_monotonic_milliseconds())
            state.recordFailure(of: ended.row)
            state.dequeue(id)
            return ended
        }
        guard let ended else { return }
        tellQueue()
        save(id)
        reportEnd(id, .failed(failure), of: ended)
    }
}

import CCurl
import CLinux
import Glibc

/// What lives on the transfer loop's thread: the multi handle, the transfers, the queue and the deadlines.
///
/// Every turn waits for sockets, deadlines and messages, lets libcurl work, ends the attempts that libcurl is done
/// with, hands out slots and publishes what changed.
final class LoopCore {
    private static let wakeTag = UInt64.max
    /// Connections kept beyond those of transfers that run at once.
    private static let spareConnections = 16

    let loop: TransferLoop
    let configuration: SessionConfiguration
    let storage: StorageWorker
    private let committer: SmallFileCommitter
    /// Bodies that were completed in this turn and become files together.
    private var smallDownloads: [SmallDownload] = []
    let folders = FolderCache()
    let names = RunNames()
    let recent: RecentAnswers
    let authorities: Authorities
    let trustMemory = TrustMemory()
    /// Without memory for it every handshake is a whole one.
    let secureSessions = SecureSessions()
    /// What the proxies that have asked are shown.
    var proxyCredentials = ProxyCredentials()
    private let hasOptions: Bool
    private lazy var sharedOptions = OptionsCache(configuration.options)
    /// Where downloads without a settled destination gather.
    let stagingFolder: String
    let multi: MultiHandle
    private let wakeDescriptor: Int32
    private var transfers: [TransferID: Transfer] = [:]
    var scheduler: Scheduler
    private var ramp = StartRamp()
    /// The most transfers at once that there are descriptors for.
    private let ceiling: Int
    private var deadlines = Deadlines()
    private var outbox = TickOutbox<Transfer>()
    /// How fast bodies may move.
    var pace = Pace()
    /// Connections besides the transfers' own.
    var branchBoard = BranchBoard()
    /// Servers whose ranges are compared in any case.
    var falseServers = FalseServers()
    /// Hosts in trouble.
    var hosts = HostBoard()
    /// Downloads of several sources that may wait in line.
    var detours: Set<TransferID> = []
    /// Hosts that get fewer transfers at once than the limits allow.
    var allowances = HostAllowances()
    /// When those try again that failed together.
    var retrySpacing = RetrySpacing()
    /// Those of ``hosts`` that the client was told of last.
    var publishedBackoffs: [HostBackoff] = []
    let network: NetworkView
    /// What hears of changes of the network, once something stood still.
    var networkWatch: (any Sendable)?
    /// Whether there was a way to the internet when the network was looked at last.
    var hadRoute = true
    /// When a transfer first found that there was none; nil while there is one.
    var offlineSince: Int64?
    private var rest = LoopRest()
    private var endedAttempts: [(attempt: Attempt, result: CURLcode)] = []
    /// Set once no further transfer may be added.
    private var isInvalidated = false
    private(set) var now: Int64 = cl_monotonic_milliseconds()
    /// Transfers whose slot another one has while a disk takes their bodies.
    private var slotsPassedOn = 0
    /// Questions that were asked so far.
    private var questionCount = 0

    init(loop: TransferLoop, wakeDescriptor: Int32) throws(SessionError) {
        self.loop = loop
        self.wakeDescriptor = wakeDescriptor
        configuration = loop.configuration
        network = loop.network
        hasOptions = configuration.options != nil
        pace.set(configuration.rateLimits, at: now)
        recent = RecentAnswers(additionalHeaders: configuration.additionalHeaders)
        ceiling = DescriptorBudget.current
        scheduler = Scheduler(
            limit: configuration.maximumConcurrentTransfers,
            limitPerHost: configuration.maximumConcurrentTransfersPerHost, ceiling: ceiling)
        stagingFolder = configuration.stagingFolder ?? StagingFolder.systemPath
        authorities = try Authorities()
        let storage = try StorageWorker()
        self.storage = storage
        storage.submit { [stagingFolder] in OrphanedParts.remove(from: stagingFolder) }
        committer = SmallFileCommitter(
            worker: storage, largestGroup: min(SmallFileCommitter.largestGroup, ceiling)
        ) { replies in
            loop.run { core in core.handle(replies) }
        }
        multi = try MultiHandle(
            keptConnections: min(configuration.maximumConcurrentTransfers + Self.spareConnections, ceiling))
        try multi.watch(wakeDescriptor, tag: Self.wakeTag)
    }

    /// Turns until the session is invalidated and every transfer has ended.
    func run() {
        while true {
            let wasWoken = multi.waitAndAct(until: nextDeadline(), wakeTag: Self.wakeTag)
            now = cl_monotonic_milliseconds()
            if wasWoken { _ = cl_eventfd_drain(wakeDescriptor) }
            reportEndedAttempts()
            multi.startDue()
            reportEndedAttempts()
            for message in loop.takeInbox() { handle(message) }
            while let purpose = deadlines.next(dueAt: now) { handle(purpose) }
            grantSlots()
            reportEndedAttempts()
            commitSmallDownloads()
            if pace.needsTurn { keepPace() }
            if !hosts.isEmpty || !publishedBackoffs.isEmpty { publishBackoffs() }
            if allowances.hasChanged { tellLimitedHosts() }
            // What ended meanwhile has given its slot back, and nothing else would wake the loop for those who wait.
            grantSlots()
            admitEntries()
            publish()
            if rest.isDue(running: scheduler.running, now: now) { ThreadMemory.giveBack() }
            if isInvalidated, transfers.isEmpty, outbox.isEmpty { break }
        }
        storage.stop()
    }

    /// The options of a request, with those of the session where it says nothing; nil where nobody has set any.
    func options(of given: SharedOptions?) -> SharedOptions? {
        guard hasOptions || given != nil else { return nil }
        return sharedOptions.options(of: given)
    }

    /// The authorities of files; those of the session where a request names none.
    func authorities(of files: AuthorityFiles?) throws(SessionError) -> Authorities {
        guard let files else { return authorities }
        return try sharedOptions.authorities(of: files)
    }

    private func grantSlots() {
        ramp.adapt(running: scheduler.running, now: now, storageJobs: storage.waitingCount)
        while let id = scheduler.next(takesFiles: ramp.lets(running: scheduler.running)) {
            guard let transfer = transfers[id] else { continue }
            if !hosts.isEmpty { hostGranted(transfer) }
            transfer.slotGranted()
        }
    }

    private func nextDeadline() -> Int64? {
        if !endedAttempts.isEmpty { return now }
        var next = deadlines.earliest() ?? .max
        if let publication = outbox.deadline(now: now) { next = min(next, publication) }
        if pace.isActive, let portion = pace.nextMoment { next = min(next, portion) }
        if let due = rest.deadline { next = min(next, due) }
        if scheduler.waitingCount > 0, let step = ramp.nextStep(running: scheduler.running) { next = min(next, step) }
        return next == .max ? nil : next
    }

    // MARK: - Messages

    private func handle(_ message: TransferLoop.Message) {
        switch message {
        case .job(let job): job(self)
        case .command(.add(let description)): add(description)
        case .command(.reconcile(let id)): transfers[id]?.reconcile()
        case .command(.disposition(let id, let disposition, let question)):
            transfers[id]?.decide(disposition, question: question)
        case .command(.redirect(let id, let request)): transfers[id]?.redirect(to: request)
        case .command(.refuseRedirect(let id)): transfers[id]?.refuseRedirect()
        case .command(.consumed(let id, let bytes)): transfers[id]?.consumed(bytes)
        case .command(.setLimits(let limit, let perHost)): setLimits(limit, perHost: perHost)
        case .command(.setRateLimits(let limits)): setRateLimits(limits)
        case .command(.queue(let changes)): scheduler.change(changes) { lane(of: $0) }
        case .command(.invalidate(let cancelling)): invalidate(cancelling: cancelling)
        }
    }

    private func add(_ description: TransferDescription) {
        let transfer = Transfer(description, core: self)
        transfers[transfer.id] = transfer
        if let entry = description.arrangement.entry { scheduler.leaveEntry(entry) }
        transfer.reconcile()
    }

    /// Slots that there are more of now are given away at the end of this turn.
    private func setLimits(_ limit: Int, perHost: Int) {
        scheduler.setLimits(limit, perHost: perHost)
        multi.keepConnections(min(limit + Self.spareConnections, ceiling))
    }

    private func invalidate(cancelling: Bool) {
        isInvalidated = true
        guard cancelling else { return }
        for transfer in transfers.values {
            transfer.control.setIntent(.cancelled(keepsPart: true))
            transfer.reconcile()
        }
    }

    private func handle(_ purpose: Deadlines.Purpose) {
        if let id = purpose.transferID { transfers[id]?.due(purpose) } else { hostsDue() }
    }

    /// Makes files on the loop's thread where there is no disk to wait for: handing them to another one would cost
    /// more.
    ///
    /// That is so on a file system in memory. Only those that a store has to write down first take the other way.
    private func commitSmallDownloads() {
        guard !smallDownloads.isEmpty else { return }
        var inMemory = smallDownloads
        smallDownloads = []
        if !inMemory.allSatisfy(\.needsNoDisk) {
            let forDisk = inMemory.filter { !$0.needsNoDisk }
            for download in forDisk { passSlotOn(of: download.id) }
            committer.submit(forDisk)
            inMemory.removeAll { !$0.needsNoDisk }
        }
        GroupFinisher().finish(inMemory) { download, result in fileIsMade(result, of: download.id) }
    }

    /// Lets the next transfer use the network while this one waits for the disk alone: what gathers meanwhile is synced
    /// together.
    ///
    /// Their bodies are in memory, so only as many as a group has may do so.
    private func passSlotOn(of id: TransferID) {
        guard slotsPassedOn < SmallFileCommitter.largestGroup, let transfer = transfers[id], transfer.passSlotOn()
        else {
            return
        }
        slotsPassedOn += 1
        scheduler.release(host: transfer.host, lane: lane(of: transfer))
    }

    private func handle(_ replies: [SmallFileCommitter.Reply]) {
        for reply in replies { fileIsMade(reply.result, of: reply.id) }
    }

    private func fileIsMade(_ result: Result<FinishedFile, SessionError>, of id: TransferID) {
        transfers[id]?.handler.fileIsMade(result)
    }

    // MARK: - For transfers

    /// Slots of a host that no transfer has, and descriptors that are left.
    func roomBeside(_ host: String) -> Int { scheduler.room(for: host) }

    /// Looks a transfer up; nil when it has ended.
    func transfer(_ id: TransferID) -> Transfer? { transfers[id] }

    /// Every transfer that has not ended; for what happens seldom.
    var allTransfers: [Transfer] { Array(transfers.values) }

    /// What tells a question from every other that the loop has asked.
    func nextQuestionNumber() -> Int {
        questionCount += 1
        return questionCount
    }

    func joinQueue(_ transfer: Transfer) {
        let rank = transfer.control.rank
        bound(transfer, to: rank.rateLimit)
        scheduler.join(
            transfer.id, host: transfer.host, lane: lane(of: transfer), priority: rank.priority, place: rank.place)
        if rank.ignoresLimits { scheduler.hasten(transfer.id) }
    }

    /// Gives a transfer that waits the rank that its control has now.
    func moveInQueue(_ transfer: Transfer) {
        let rank = transfer.control.rank
        bound(transfer, to: rank.rateLimit)
        scheduler.move(transfer.id, priority: rank.priority, place: rank.place)
        if rank.ignoresLimits { scheduler.hasten(transfer.id) }
    }

    func leaveQueue(_ transfer: Transfer) { scheduler.leave(transfer.id) }

    /// Whether a transfer waits in line.
    func isWaiting(_ transfer: Transfer) -> Bool { scheduler.isWaiting(transfer.id) }

    /// Lets a host have so many transfers at once in each lane; nil for what the limits allow.
    func setAllowance(_ host: String, _ count: Int?) { scheduler.setAllowance(host, count) }

    /// The transfers that run at a host, in the lane that has more of them, and the limit there.
    func crowd(at host: String) -> (running: Int, limit: Int) { (scheduler.running(at: host), scheduler.limitPerHost) }

    func releaseSlot(_ transfer: Transfer) {
        if !hosts.isEmpty { hostLeft(transfer) }
        if transfer.takePassedSlot() {
            slotsPassedOn -= 1
        } else {
            scheduler.release(host: transfer.host, lane: lane(of: transfer))
        }
    }

    func setDeadline(_ purpose: Deadlines.Purpose, afterMilliseconds delay: Int64) {
        deadlines.set(purpose, at: now + delay)
    }

    func clearDeadline(_ purpose: Deadlines.Purpose) { deadlines.clear(purpose) }

    func emit(_ event: EngineEvent) { outbox.append(event) }

    func enqueueStatus(of transfer: Transfer) { outbox.enqueueStatus(of: transfer) }

    func enqueueFigures(of transfer: Transfer) {
        outbox.enqueueFigures(of: transfer)
        outbox.hurry()
    }

    func hurry() { outbox.hurry() }

    /// How much each transfer may gather now.
    var buffers: BufferSizes { BufferSizes(running: scheduler.running, allowed: scheduler.limitPerHost) }

    /// Makes a file of a complete body, with the others of this turn.
    func finish(_ download: SmallDownload) {
        if smallDownloads.isEmpty { smallDownloads.reserveCapacity(scheduler.running) }
        smallDownloads.append(download)
    }

    func start(_ attempt: Attempt) throws(SessionError) { try multi.add(attempt) }

    /// Removes an attempt from the wire before its end.
    func remove(_ attempt: Attempt) { multi.remove(attempt) }

    /// Whether an origin has sent bytes that nobody asked for.
    func distrusts(_ origin: String) -> Bool { multi.distrusts(origin) }

    /// Has every further request to an origin make a connection of its own.
    func distrust(_ origin: String) { multi.distrust(origin) }

    /// libcurl reported the end of an attempt outside its own list, as unpausing can.
    func recordEnd(of attempt: Attempt, result: CURLcode) { endedAttempts.append((attempt, result)) }

    func forget(_ transfer: Transfer) {
        count(transfer, isAtWork: false)
        transfers[transfer.id] = nil
        if pace.isActive { pace.forget(transfer.id, at: now) }
        if transfer.asking.allowance != nil { clearDeadline(.limit(transfer.id)) }
    }

    // MARK: - End of a turn

    func reportEndedAttempts() {
        while let (attempt, result) = multi.nextFinished() { endedAttempts.append((attempt, result)) }
        while !endedAttempts.isEmpty {
            let batch = endedAttempts
            endedAttempts = []
            for (attempt, result) in batch {
                if result != CURLE_OK, attempt.hasStream { checkAgain(besides: attempt) }
                transfers[attempt.transferID]?.attemptEnded(attempt, result: result)
            }
        }
    }

    private func publish() {
        outbox.running = scheduler.running
        guard var batch = outbox.take(now: now) else { return }
        for transfer in batch.measured { transfer.publishMetrics() }
        for transfer in batch.moved {
            if let data = transfer.takePendingData() { batch.events.append(.data(transfer.id, data)) }
            if let status = transfer.publishStatus() { batch.events.append(.status(transfer.id, status)) }
        }
        if !batch.events.isEmpty { loop.publish(batch.events) }
    }
}

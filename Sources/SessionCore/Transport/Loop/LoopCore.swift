import CCurl
import CLinux
import Glibc

/// The state confined to the transfer loop's thread: the multi handle, the transfers, the queue and the deadlines.
///
/// Every turn waits for sockets, deadlines and messages, lets libcurl work, handles the attempts that libcurl has
/// finished, grants slots and publishes what changed.
final class LoopCore {
    private static let wakeTag = UInt64.max
    /// Connections kept beyond the number of transfers that run at once.
    private static let spareConnections = 16

    let loop: TransferLoop
    let configuration: SessionConfiguration
    let storage: StorageWorker
    private let committer: SmallFileCommitter
    /// Bodies completed in this turn, which become files together.
    private var smallDownloads: [SmallDownload] = []
    let folders = FolderCache()
    let names = RunNames()
    let recent: RecentAnswers
    let authorities: Authorities
    let trustMemory = TrustMemory()
    /// TLS sessions for resumption; without them every handshake is a full one.
    let secureSessions = SecureSessions()
    /// The credentials for proxies that have asked.
    var proxyCredentials = ProxyCredentials()
    private let hasOptions: Bool
    private lazy var sharedOptions = OptionsCache(configuration.options)
    /// The folder for downloads without a final destination.
    let stagingFolder: String
    let multi: MultiHandle
    private let wakeDescriptor: Int32
    private var transfers: [TransferID: Transfer] = [:]
    var scheduler: Scheduler
    /// The buffer sizes for the number of transfers when slots were last granted.
    private(set) var buffers: BufferSizes
    private var ramp = StartRamp()
    /// The most transfers at once, by the descriptor limit.
    private let ceiling: Int
    private var deadlines = Deadlines()
    var outbox = TickOutbox<Transfer>()
    var pace = Pace()
    var requestPace: RequestPace
    /// The branches of all transfers.
    var branchBoard = BranchBoard()
    /// Servers whose ranges are always compared.
    var falseServers = FalseServers()
    /// Hosts in trouble.
    var hosts = HostBoard()
    /// Downloads with several sources that may be waiting for a slot.
    var detours: Set<TransferID> = []
    /// Hosts that get fewer transfers at once than the limits allow.
    var allowances = HostAllowances()
    /// Spaces out the retries of transfers that failed together.
    var retrySpacing = RetrySpacing()
    /// The value of `hosts.held` that the client was told last.
    var publishedBackoffs: [HostBackoff] = []
    let network: NetworkView
    /// The watch for network changes; nil until something stalls.
    var networkWatch: (any Sendable)?
    /// Whether a route to the internet existed at the last check.
    var hadRoute = true
    /// When a transfer first found no route; nil while one exists.
    var offlineSince: Int64?
    private var rest = LoopRest()
    private var endedAttempts: [(attempt: Attempt, result: CURLcode)] = []
    private var isInvalidated = false
    private(set) var now: Int64 = cl_monotonic_milliseconds()
    /// Transfers whose slot was passed on while a disk writes their bodies.
    private var slotsPassedOn = 0
    private var questionCount = 0

    init(loop: TransferLoop, wakeDescriptor: Int32) throws(SessionError) {
        self.loop = loop
        self.wakeDescriptor = wakeDescriptor
        configuration = loop.configuration
        network = loop.network
        hasOptions = configuration.options != nil
        requestPace = RequestPace(configuration.requestRates)
        pace.set(configuration.rateLimits, at: now)
        recent = RecentAnswers(additionalHeaders: configuration.additionalHeaders)
        ceiling = DescriptorBudget.current
        scheduler = Scheduler(
            limit: configuration.maximumConcurrentTransfers,
            limitPerHost: configuration.maximumConcurrentTransfersPerHost, ceiling: ceiling)
        buffers = BufferSizes(running: 0, allowed: scheduler.limitPerHost)
        stagingFolder = configuration.stagingFolder ?? StagingFolder.ownPath
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

    /// Runs until the session is invalidated and every transfer has ended.
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
            // Transfers that ended since have freed their slots, and nothing else would wake the loop for the waiting
            // ones.
            grantSlots()
            admitEntries()
            publish()
            if rest.isDue(running: scheduler.running, now: now) { ThreadMemory.giveBack() }
            if isInvalidated, transfers.isEmpty, outbox.isEmpty { break }
        }
        storage.stop()
    }

    /// Returns the options of a request, completed by the session's; nil if neither has any.
    func options(of given: SharedOptions?) -> SharedOptions? {
        guard hasOptions || given != nil else { return nil }
        return sharedOptions.options(of: given)
    }

    /// Returns the certificate authorities of files, or the session's without any.
    func authorities(of files: AuthorityFiles?) throws(SessionError) -> Authorities {
        guard let files else { return authorities }
        return try sharedOptions.authorities(of: files)
    }

    private func grantSlots() {
        ramp.adapt(running: scheduler.running, now: now, storageJobs: storage.waitingCount)
        if requestPace.isActive { endRests() }
        sizeBuffers()
        while let id = scheduler.next(
            takesFiles: ramp.lets(running: scheduler.running), hastenedOnly: !requestPace.mayBegin(at: now))
        {
            sizeBuffers()
            guard let transfer = transfers[id] else { continue }
            if requestPace.isActive { countGrant(of: transfer) }
            if !hosts.isEmpty { hostGranted(transfer) }
            transfer.slotGranted()
        }
    }

    private func sizeBuffers() {
        buffers = BufferSizes(running: scheduler.running, allowed: scheduler.limitPerHost)
    }

    private func nextDeadline() -> Int64? {
        if !endedAttempts.isEmpty { return now }
        var next = deadlines.earliest() ?? .max
        if let publication = outbox.deadline(now: now) { next = min(next, publication) }
        if pace.isActive, let portion = pace.nextMoment { next = min(next, portion) }
        if let due = rest.deadline { next = min(next, due) }
        if requestPace.isActive, let moment = nextRequest { next = min(next, moment) }
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

    /// Applies new limits; additional slots are granted at the end of this turn.
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

    /// Makes files on the loop's thread where no disk is involved, because passing them to another thread would cost
    /// more.
    ///
    /// That is the case on a file system in memory. Only downloads that a store has to record first go to the
    /// committer.
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

    /// Gives a transfer's slot to the next one while the transfer only waits for the disk; files that gather until then
    /// are synced together.
    ///
    /// Their bodies are in memory, so the number is limited to the size of one group.
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

    /// Returns the free slots of a host, limited by the descriptors left.
    func roomBeside(_ host: String) -> Int { scheduler.room(for: host) }

    /// Returns a transfer; nil when it has ended.
    func transfer(_ id: TransferID) -> Transfer? { transfers[id] }

    /// All transfers that have not ended; linear, so for rare events only.
    var allTransfers: [Transfer] { Array(transfers.values) }

    /// Returns a number that no other question of this loop has.
    func nextQuestionNumber() -> Int {
        questionCount += 1
        return questionCount
    }

    func joinQueue(_ transfer: Transfer) {
        let rank = transfer.control.rank
        bound(transfer, to: rank.rateLimit)
        // Behind all others, in the order of joining.
        let goesLast = !hosts.isEmpty && hosts.yieldsProbe(transfer.id, transfer.host)
        scheduler.join(
            transfer.id, host: transfer.host, lane: lane(of: transfer), priority: goesLast ? -1 : rank.priority,
            position: goesLast ? nil : rank.position)
        if rank.ignoresLimits { scheduler.hasten(transfer.id) }
    }

    /// Applies the present rank of a waiting transfer's control.
    func moveInQueue(_ transfer: Transfer) {
        let rank = transfer.control.rank
        bound(transfer, to: rank.rateLimit)
        scheduler.move(transfer.id, priority: rank.priority, position: rank.position)
        if rank.ignoresLimits { scheduler.hasten(transfer.id) }
    }

    func leaveQueue(_ transfer: Transfer) {
        scheduler.leave(transfer.id)
        leaveHost(transfer)
    }

    func isWaiting(_ transfer: Transfer) -> Bool { scheduler.isWaiting(transfer.id) }

    /// Limits a host to `count` transfers at once in each lane; nil for the configured limit.
    func setAllowance(_ host: String, _ count: Int?) { scheduler.setAllowance(host, count) }

    /// Returns the running transfers of a host, in the lane with more of them, and the limit there.
    func crowd(at host: String) -> (running: Int, limit: Int) { (scheduler.running(at: host), scheduler.limitPerHost) }

    func releaseSlot(_ transfer: Transfer) {
        if !hosts.isEmpty { hostLeft(transfer) }
        if transfer.takePassedSlot() {
            slotsPassedOn -= 1
        } else {
            scheduler.release(host: transfer.host, lane: lane(of: transfer))
        }
        if scheduler.waitingCount == 0 { outbox.starve() }
    }

    func setDeadline(_ purpose: Deadlines.Purpose, afterMilliseconds delay: Int64) {
        deadlines.set(purpose, at: now + delay)
    }

    func clearDeadline(_ purpose: Deadlines.Purpose) { deadlines.clear(purpose) }

    func emit(_ event: EngineEvent) { outbox.append(event) }

    func enqueueFigures(of transfer: Transfer) {
        outbox.measured.append(transfer)
        outbox.hurry()
    }

    /// Makes a file of a complete body, together with the others of this turn.
    func finish(_ download: SmallDownload) {
        if smallDownloads.isEmpty { smallDownloads.reserveCapacity(scheduler.running) }
        smallDownloads.append(download)
    }

    func start(_ attempt: Attempt) throws(SessionError) {
        try multi.add(attempt)
        if requestPace.isActive { countRequest(attempt) }
    }

    /// Removes an attempt from libcurl before its end.
    func remove(_ attempt: Attempt) { multi.remove(attempt) }

    /// Whether an origin has sent unrequested bytes.
    func distrusts(_ origin: String) -> Bool { multi.distrusts(origin) }

    /// Makes every further request to an origin use a new connection.
    func distrust(_ origin: String) { multi.distrust(origin) }

    /// Records an end that libcurl reported outside its own list, as unpausing can.
    func recordEnd(of attempt: Attempt, result: CURLcode) { endedAttempts.append((attempt, result)) }

    func forget(_ transfer: Transfer) {
        count(transfer, isAtWork: false)
        transfers[transfer.id] = nil
        if pace.isActive { pace.forget(transfer.id, at: now) }
        requestPace.forget(transfer.id)
        if transfer.asking.allowance != nil { clearDeadline(.limit(transfer.id)) }
    }

    // MARK: - The end of a turn

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
        // Its receiver would otherwise get a window per publication of counts: a tenth of what a fast line brings.
        if !outbox.isCrowd, outbox.moved.contains(where: \.isChunkDue) { outbox.hurry() }
        guard var batch = outbox.take(now: now) else { return }
        for transfer in batch.measured { transfer.publishMetrics() }
        for transfer in batch.moved {
            if let data = transfer.takePendingData() { batch.events.append(.data(transfer.id, data)) }
            // The end has published its own.
            guard transfer.machine.state != .ended else { continue }
            batch.events.append(.status(transfer.id, transfer.publishStatus()))
            transfer.watchWindowIfOld()
        }
        if !batch.events.isEmpty { loop.client?.engineDidPublish(batch.events) }
    }
}

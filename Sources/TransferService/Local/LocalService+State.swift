import SessionCore
import SessionSupport

/// The bridge's state, under one lock.
extension LocalService {
    struct State {
        /// The fate of a task that was just made.
        enum Fate {
            case runs
            /// The row was paused meanwhile.
            case holds
            /// The row has ended meanwhile.
            case isUnwanted
        }

        /// The outcome of adding a job.
        enum Insertion {
            /// A new row stands for it.
            case added(UInt64)
            /// A row of an earlier run waits for it, whose secrets were not saved.
            case isAwaited(by: UInt64)
            /// A row stands for it already.
            case isThere(UInt64)
            /// The program ends.
            case refused
        }

        var rows = RowTable()
        private(set) var additionTimes = AdditionTimes()
        /// The ids of all rows, in the order in which they were added.
        var order = RowIDs()
        /// The rows by the tasks that run them now.
        var slotOfTask: [TransferID: RowSlot] = [:]
        /// By which ways the rows' requests go.
        let routes: JobRoutes
        private var hosts: RowHosts
        /// What the library is still to be told of rows that wait without tasks.
        private var queueChanges: [QueueChange] = []
        var nextID: UInt64 = 1
        /// What went wrong when the failed transfers were written to a file.
        var failedListProblem: SafeText?
        /// Whether the disk that refuses the saved session was told of.
        var toldUnsaved = false
        /// How often rows were changed that are told of when they are saved.
        var savings = 0
        /// Whether rows have the numbers of a saved session's transfers.
        var isSaved = false
        /// Rows that were paused in an earlier run and have stayed so, and paused ones that nobody can let go on.
        var parked: Set<UInt64> = []
        /// The download that each hash of a destination stands for, so that the same one is not transferred twice.
        private var downloads = DestinationTable()
        private var lacking = LackingRows()
        /// The row of an earlier run that was added last.
        var lastRestored: UInt64 = 0
        /// The rows whose checksums are looked for, and which search is the latest.
        private var searches: [UInt64: Int] = [:]
        private var searchCount = 0
        /// How fast bodies may move, and how often that was changed.
        var rates = RatePlan()
        var rateOrder = 0
        /// The rows that have limits of their own.
        var ownRates: [UInt64: TaskRates] = [:]
        /// The downloads that wait for room on a disk.
        var space = SpaceWatch()
        /// The rows that keep the body of an answer.
        var bodies = BodyShelf(limit: LocalService.bodyLimit)
        /// Rows whose latest run has not ended, or whose end is still to be told.
        var liveCount = 0
        /// Lists that are still being added.
        var additions = 0
        /// Set when the program ends: tasks that are cancelled then are unfinished, not cancelled.
        var isClosing = false
        /// Bytes of runs that were replaced by a retry or whose rows were cleared.
        var earlierBytes: Int64 = 0

        /// Transfers of this run that were completed and have left the list.
        private(set) var clearedCompletions = 0

        /// The folder of downloads that name none.
        let directory: String

        /// Whether every row has ended, or is paused since an earlier run or with nobody to let it go on.
        var isIdle: Bool { liveCount == parked.count && additions == 0 }

        init(routes: JobRoutes, directory: String) {
            self.routes = routes
            hosts = RowHosts(routes)
            self.directory = directory
        }

        /// Adds a row without a task.
        mutating func insert(_ job: Job, at time: Int64) -> UInt64 {
            let id = isSaved ? TransferID.next().rawValue : nextID
            nextID = id + 1
            rows.insert(id, job)
            if let rates = job.rates { ownRates[id] = rates }
            additionTimes.add(id, at: time)
            order.append(id)
            liveCount += 1
            return id
        }

        /// Adds a row, unless a download of the same URL to the same place is there already, or one waits for the job.
        private mutating func insertUnlessRepeated(_ job: Job, at time: Int64) -> Insertion {
            let destination = destination(of: job)
            if let hash = destination?.tableKey {
                if let known = downloads[hash], rows.isForgotten(known) {
                    // Of what has ended here only the hash is left; it goes on as the job that is asked for.
                    rows.revive(known, job)
                    return .isThere(known)
                }
                if let known = downloads[hash].flatMap({ rows[$0] }) {
                    // Two places with one hash are not the same place, and too rare to remember both.
                    let isSame = self.destination(of: known.job) == destination
                    return isSame ? .isThere(known.id) : .added(insert(job, at: time))
                }
            }
            if !lacking.isEmpty, let waiting = lackingRow(for: job) { return .isAwaited(by: waiting) }
            let id = insert(job, at: time)
            if let hash = destination?.tableKey { downloads[hash] = id }
            return .added(id)
        }

        /// The row that waits for the secrets of a job: that of its destination, else the one that its tag means, which has
        /// the same file or is the only one with the tag.
        private func lackingRow(for job: Job) -> UInt64? {
            if let place = maskedDestination(of: job)?.tableKey, let id = lacking.row(at: place) { return id }
            guard let tag = job.tag else { return nil }
            let named = lacking.rows(tagged: tag).compactMap { rows[$0] }.filter { $0.job.kind == job.kind }
            if let path = TransferRow(id: 0, job: job).intendedPath(directory: directory),
                let same = named.first(where: { $0.intendedPath(directory: directory) == path })
            {
                return same.id
            }
            guard let only = named.first?.id, named.count == 1 else { return nil }
            return order.contains { $0 != only && rows[$0]?.job.tag == tag } ? nil : only
        }

        /// The destination as a saved session would remember it, without the secrets of its URL.
        private func maskedDestination(of job: Job) -> JobDestination? {
            var job = job
            job.url = Redaction.url(job.url, userInfo: .removed)
            return destination(of: job)
        }

        private func destination(of job: Job) -> JobDestination? {
            guard let folder = job.directory, !folder.hasPrefix("/") else {
                return JobDestination(of: job, defaultDirectory: directory)
            }
            var job = job
            job.directory = SavedJob.absolute(folder)
            return JobDestination(of: job, defaultDirectory: directory)
        }

        /// Lets a row stand for its download, or one that lacks its secrets wait for a job that has them.
        mutating func remember(_ row: TransferRow) {
            guard !row.lacksSecrets else {
                return lacking.add(row.id, place: maskedDestination(of: row.job)?.tableKey, tag: row.job.tag)
            }
            if let hash = destination(of: row.job)?.tableKey { downloads[hash] = row.id }
        }

        /// Whether a row that has not ended downloads that to the same place.
        func isInProgress(_ job: Job) -> Bool {
            guard let wanted = destination(of: job), let row = downloads[wanted.tableKey].flatMap({ rows[$0] }) else {
                return false
            }
            return !row.isFinal && destination(of: row.job) == wanted
        }

        /// Adds a row; it gets a task once it is in the queue.
        mutating func insertWaiting(_ job: Job, at time: Int64) -> Insertion {
            isClosing ? .refused : insertUnlessRepeated(job, at: time)
        }

        /// Adds a second row for a download, where its job and that of the first row differ in a header, an option or the
        /// checksum.
        ///
        /// A row of an earlier run may lack secrets, so it is not compared.
        mutating func insertBeside(_ id: UInt64, _ job: Job, at time: Int64) -> UInt64? {
            guard !isClosing, id > lastRestored, let known = rows[id]?.job,
                known.checksum != job.checksum || known.headers != job.headers || known.options != job.options
            else { return nil }
            return insert(job, at: time)
        }

        /// Makes another transfer of a row that has ended; refused while it has not.
        mutating func replace(
            _ id: UInt64, with job: Job, keeping kept: TaskStatus, at time: Int64
        ) -> Insertion {
            guard !isClosing, let slot = rows.slot(of: id), slot.row.isFinal else { return .refused }
            let (old, new) = (destination(of: slot.row.job), destination(of: job))
            if let known = other(for: job, than: id) { return .isThere(known) }
            if let key = old?.tableKey, downloads[key] == id { downloads[key] = nil }
            lacking.remove(id)
            if let task = slot.row.run.task { slotOfTask[task.id] = nil }
            earlierBytes += slot.row.counted
            bodies.remove(id)
            let isSame = slot.row.job.sentMethod == job.sentMethod && slot.row.job.url == job.url
            slot.row.become(job, keeping: kept, at: time)
            if !isSame { rows.renumber(slot) }
            if let key = new?.tableKey, downloads[key] == nil { downloads[key] = id }
            liveCount += 1
            return .added(id)
        }

        /// The row that stands for the download of a job, if that is another one than this.
        private func other(for job: Job, than id: UInt64) -> UInt64? {
            guard let new = destination(of: job), let known = downloads[new.tableKey], known != id,
                rows[known].map({ destination(of: $0.job) == new }) == true
            else { return nil }
            return known
        }

        /// Whether another row stands for the download of a job.
        func hasOther(for job: Job, than id: UInt64) -> Bool { other(for: job, than: id) != nil }

        /// Whether a row does not go on by itself although it could, perhaps since an earlier run.
        func hasStopped(_ id: UInt64, sinceEarlierRun: Bool) -> Bool {
            rows.hasStopped(id) && (!sinceEarlierRun || parked.contains(id) || rows.isEarlier(id))
        }

        /// Keeps little of a row that has ended.
        mutating func settle(_ id: UInt64) {
            let task = rows.slot(of: id)?.row.run.task
            guard let counted = rows.settle(id) else { return }
            earlierBytes += counted
            if let task { slotOfTask[task.id] = nil }
        }

        /// Drops a row that has ended.
        mutating func remove(_ id: UInt64) {
            guard let row = rows.remove(id) else { return }
            earlierBytes += row.counted
            if row.run.result == .completed, !row.run.isEarlier { clearedCompletions += 1 }
            bodies.remove(id)
            ownRates[id] = nil
            lacking.remove(id)
            if let task = row.run.task { slotOfTask[task.id] = nil }
            if let hash = destination(of: row.job)?.tableKey, downloads[hash] == id { downloads[hash] = nil }
        }

        /// Counts the body that a row keeps, and takes away the oldest ones when there are too many bytes of them.
        mutating func shelveBody(of id: UInt64) {
            for old in bodies.put(id, count: rows.slot(of: id)?.row.record.body.count ?? 0) {
                rows.slot(of: old)?.row.dropBody()
            }
        }

        /// A row waits for a task from here on.
        mutating func enqueue(_ id: UInt64) {
            guard !isClosing, let (job, key) = rows.waiting(id) else { return }
            let entry = QueueEntry(
                id: TransferID(rawValue: id), host: hosts.host(of: job), kind: job.kind,
                priority: LocalService.priority(key.priority), place: key.place)
            queueChanges.append(.enter(entry))
        }

        /// A row waits for a task no longer; what was to find a checksum for that comes too late.
        mutating func dequeue(_ id: UInt64) {
            searches[id] = nil
            queueChanges.append(.leave(TransferID(rawValue: id)))
        }

        /// A row has another priority or place, which its task hears of by itself.
        mutating func requeue(_ id: UInt64) {
            guard rows.wantsTask(id), let key = rows.queueKey(of: id) else { return }
            queueChanges.append(
                .move(TransferID(rawValue: id), priority: LocalService.priority(key.priority), place: key.place))
        }

        /// A row is to start beyond the limits; answers its task.
        mutating func hasten(_ id: UInt64) -> SessionTask? {
            if rows.wantsTask(id) {
                rows.slot(of: id)?.row.run.isHastened = true
                queueChanges.append(.hasten(TransferID(rawValue: id)))
            }
            return rows.slot(of: id)?.row.run.task
        }

        /// Takes what the library has not been told of.
        mutating func takeQueueChanges() -> [QueueChange] {
            defer { queueChanges = [] }
            return isClosing ? [] : queueChanges
        }

        /// The facts that a row's task is made of; nil where it wants none any more.
        mutating func admit(_ id: UInt64) -> RowAdmission? { isClosing ? nil : rows.slotWantingTask(id)?.admission }

        /// A row's checksum is looked for; answers the number of the search.
        mutating func beginSearch(_ id: UInt64) -> Int {
            searchCount += 1
            searches[id] = searchCount
            return searchCount
        }

        /// A search has ended; false where its row has been stopped meanwhile, or the program ends.
        mutating func endSearch(_ id: UInt64, _ turn: Int) -> Bool {
            guard searches[id] == turn else { return false }
            searches[id] = nil
            return !isClosing
        }

        /// Gives a task to a row; answers where the row stands in the queue now.
        mutating func attach(_ product: TaskFactory.Product, to id: UInt64) -> (Fate, TransferRow.QueueKey?) {
            guard let slot = rows.slot(of: id) else { return (.isUnwanted, nil) }
            let fate = slot.row.run.attach(product)
            switch fate {
            case .isUnwanted: break
            case .runs, .holds: slotOfTask[product.task.id] = slot
            }
            if slot.row.run.isHastened { product.task.ignoresLimits = true }
            return (fate, slot.row.queueKey)
        }
    }
}

/// The moments at which rows were added, by ids that grow with time: one entry for all rows of a millisecond, so that a
/// long list takes next to nothing.
struct AdditionTimes: Sendable {
    private var firsts: [(id: UInt64, time: Int64)] = []

    /// Adds a row, at a moment of the monotonic clock.
    package mutating func add(_ id: UInt64, at time: Int64) {
        if firsts.last?.time != time { firsts.append((id, time)) }
    }

    /// The moment at which a row was added; nil for one that is older than all that are known.
    func moment(of id: UInt64) -> Int64? {
        var (low, high) = (0, firsts.count)
        while low < high {
            let middle = (low + high) / 2
            if firsts[middle].id <= id { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : firsts[low - 1].time
    }
}

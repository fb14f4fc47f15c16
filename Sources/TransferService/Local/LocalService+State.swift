import SessionCore
import SessionSupport

/// The service's state, under one lock.
extension LocalService {
    struct State {
        /// The use of a new task, by what became of its row in the meantime.
        enum Fate {
            case runs
            /// The row was paused in the meantime.
            case holds
            /// The row ended in the meantime.
            case isUnwanted
        }

        enum Insertion {
            case added(UInt64)
            /// A row waits for the job: its secrets were not saved, or it has failed and has the same tag and file.
            case isAwaited(by: UInt64)
            /// A row for the same download exists.
            case isThere(UInt64)
            /// The program is ending.
            case refused
        }

        var rows = RowTable()
        private(set) var additionTimes = AdditionTimes()
        /// In the order they were added.
        var order = RowIDs()
        /// The rows by their current tasks.
        var slotOfTask: [TransferID: RowSlot] = [:]
        let routes: JobRoutes
        private var hosts: RowHosts
        /// Changes that the library's queue does not know yet.
        private var queueChanges: [QueueChange] = []
        var nextID: UInt64 = 1
        var failedListProblem: SafeText?
        /// Whether the failing store was reported.
        var toldUnsaved = false
        /// Counts the changes whose events wait for the store.
        var savings = 0
        /// Whether row ids are transfer numbers of a saved session.
        var isSaved = false
        /// The rows with a name for other tasks that the saved session lacks.
        var unsavedNames: Set<UInt64> = []
        /// Rows that stayed paused since an earlier run, and paused ones that no user can resume.
        var parked: Set<UInt64> = []
        /// Rows by the hashes of their destinations, so that a download is not transferred twice.
        var downloads = DownloadRows()
        private var lacking = LackingRows()
        var earlierUploads = EarlierUploads()
        var additionKeys = AdditionKeys()
        /// Failed downloads by their tags and files.
        var failedFiles: [String: UInt64] = [:]
        /// The last row that was restored.
        var lastRestored: UInt64 = 0
        /// The latest checksum search of each row.
        private var searches: [UInt64: Int] = [:]
        private var searchCount = 0
        /// Counts the questions to commands after refusals.
        var questionCount = 0
        /// The rate plan, and how often it changed.
        var rates = RatePlan()
        var rateOrder = 0
        /// The rows' own rate limits.
        var ownRates: [UInt64: TaskRates] = [:]
        /// The rows that may run in some hours only.
        var hours = HoursBoard()
        /// The rows that wait for others.
        var precedence = PrecedenceBoard()
        /// Tasks of an earlier run that do not resume now, because their hours have not begun.
        var restoredOutsideHours: [TransferID] = []
        /// The downloads that wait for free disk space.
        var space = SpaceWatch()
        /// The rows that keep a response body.
        var bodies = BodyShelf(limit: LocalService.bodyLimit)
        /// Rows whose latest run has not ended, or whose end is not reported yet.
        var liveCount = 0
        /// The number of lists that are still being added.
        var additions = 0
        /// Set when the program ends: tasks cancelled after that are unfinished, not cancelled.
        var isClosing = false
        /// The secrets that commands printed for the tasks of rows, by command.
        var secretsInUse: [UInt64: [String: String]] = [:]
        /// The rows whose commands were asked again after a refusal.
        var secretsRenewed: Set<UInt64> = []
        /// The bytes with which tasks last asked for a fresh link.
        var expiries: [UInt64: Int64] = [:]
        /// The requests that are repeated until a condition holds.
        var polls: [UInt64: Poll] = [:]
        /// The responses that programs are reading.
        var readings: [UInt64: Reading] = [:]
        /// The pages before the requests that a response has named.
        var trails: [UInt64: PageTrail] = [:]
        /// What becomes of the rows that are being stopped.
        var successions: [UInt64: Succession] = [:]
        /// The folders that moves of rows' files have made.
        var madeFolders: Set<String> = []
        /// Bytes of runs that were replaced by a retry or whose rows were cleared.
        var earlierBytes = MovedBytes()

        /// Completed transfers of this run whose rows were cleared.
        var clearedCompletions = 0
        /// Rows that left the list and may come back.
        var removed = RemovedRows()
        var hands = LastHands()

        /// The folder of downloads without their own.
        let directory: String

        /// Whether every row has ended, is paused since an earlier run or with no user to resume it, or waits for one
        /// that is.
        var isIdle: Bool { liveCount == parked.count + precedence.stillCount && additions == 0 }

        /// Whether nothing goes on before a user resumes a row: every row has ended or is paused by its user.
        var isAtRest: Bool {
            guard additions == 0 else { return false }
            let stopped = isIdle ? 0 : order.count { rows.result(of: $0) == nil && rows.hasStopped($0) && !opens($0) }
            return isIdle || liveCount == stopped + precedence.stillCount
        }

        /// Whether a stopped row resumes when its hours begin.
        private func opens(_ id: UInt64) -> Bool {
            rows.hours(of: id).flatMap { hours.opening(of: id, $0, isPaused: true) } != nil
        }

        init(routes: JobRoutes, directory: String) {
            self.routes = routes
            hosts = RowHosts(routes)
            self.directory = directory
        }

        mutating func insert(_ job: Job, at time: Int64) -> UInt64 {
            let id = isSaved ? TransferID.next().rawValue : nextID
            nextID = id + 1
            rows.insert(id, job)
            if let rates = job.rates { ownRates[id] = rates }
            nameRow(id, of: job)
            additionTimes.add(id, at: time)
            order.append(id)
            liveCount += 1
            return id
        }

        /// Adds a row, unless a row for the same URL and destination exists, or one waits for the job.
        private mutating func insertUnlessRepeated(_ job: Job, at time: Int64) -> Insertion {
            let destination = Self.destination(of: job, in: directory)
            let key = destination?.tableKey
            if let key, let known = downloads[key] {
                if rows.isForgotten(known) {
                    // Only the hash of an ended row is left; what has failed resumes with the new job.
                    if rows.result(of: known) != .completed { rows.revive(known, job) }
                    return .isThere(known)
                }
                if let other = rows.job(of: known) {
                    // Two destinations with one hash differ, and are too rare to remember both.
                    let isSame = Self.destination(of: other, in: directory) == destination
                    return isSame ? .isThere(twin(of: job, among: known)) : .added(insert(job, at: time))
                }
            }
            if let repetition = repetition(of: job) { return repetition }
            if !lacking.isEmpty, let waiting = lackingRow(for: job) { return .isAwaited(by: waiting) }
            if let failed = failedRow(for: job) { return .isAwaited(by: failed) }
            let id = insert(job, at: time)
            if let key { downloads.put(id, for: key) }
            return .added(id)
        }

        /// The row that waits for a job's secrets: by its destination, else by its tag if the file is the same or the
        /// tag unique.
        private func lackingRow(for job: Job) -> UInt64? {
            if let destination = maskedDestination(of: job)?.tableKey, let id = lacking.row(at: destination) {
                return id
            }
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

        /// The destination as a saved session remembers it, without the secrets of its URL.
        private func maskedDestination(of job: Job) -> JobDestination? {
            var job = job
            job.url = Redaction.url(job.url, userInfo: .removed)
            return destination(of: job)
        }

        func destination(of job: Job) -> JobDestination? { Self.destination(of: job, in: directory) }

        /// Not of an instance, because a call would copy the whole state.
        private static func destination(of job: Job, in directory: String) -> JobDestination? {
            guard let folder = job.directory, !folder.hasPrefix("/") else {
                return JobDestination(of: job, defaultDirectory: directory)
            }
            var job = job
            job.directory = SavedJob.absolute(folder)
            return JobDestination(of: job, defaultDirectory: directory)
        }

        /// Lets a row stand for its download; a row without its secrets waits for a job that has them.
        mutating func remember(_ row: TransferRow) {
            guard !row.lacksSecrets else {
                return lacking.add(row.id, destination: maskedDestination(of: row.job)?.tableKey, tag: row.job.tag)
            }
            if let hash = destination(of: row.job)?.tableKey { downloads.put(row.id, for: hash) }
        }

        /// Returns whether an unfinished row downloads the same to the same destination.
        func isInProgress(_ job: Job) -> Bool {
            guard let wanted = destination(of: job), let row = downloads[wanted.tableKey].flatMap({ rows[$0] }) else {
                return false
            }
            return !row.isFinal && destination(of: row.job) == wanted
        }

        /// Adds a row, which gets a task once it is in the queue.
        mutating func insertWaiting(_ job: Job, at time: Int64) -> Insertion {
            isClosing ? .refused : insertUnlessRepeated(job, at: time)
        }

        /// Makes a new transfer of a row that has ended, or was stopped for `planned`; refused for other rows.
        ///
        /// - Parameter isTold: whether its end is told, if it has ended.
        mutating func replace(
            _ id: UInt64, with job: Job, keeping kept: TaskStatus, planned: RowChange? = nil, isTold: Bool = true,
            at time: Int64
        ) -> Insertion {
            guard !isClosing, let slot = rows.slot(of: id) else { return .refused }
            let hasEnded = slot.row.isFinal
            guard planned.map({ successions[id] == .becomes($0) && slot.row.run.isChanging }) ?? hasEnded else {
                return .refused
            }
            var job = job
            // A form has the names, but not the list that gave them.
            if job.precedence?.list == nil { job.precedence?.list = slot.row.job.precedence?.list }
            let (old, new) = (destination(of: slot.row.job), destination(of: job))
            if let known = other(for: job, than: id) { return .isThere(known) }
            if let key = old?.tableKey, old != new { downloads.leave(id, key) }
            lacking.remove(id)
            unsavedNames.remove(id)
            if let task = slot.row.run.task { slotOfTask[task.id] = nil }
            earlierBytes += slot.row.counted
            bodies.remove(id)
            (successions[id], polls[id]) = (nil, nil)
            // A command's link that is refused too must not lead to the next question.
            if planned == nil { forgetQuestions(about: id) }
            // Limits that were set by hand stay unless the other job has new ones.
            if slot.row.job.rates != job.rates { ownRates[id] = job.rates }
            let isSame = slot.row.job.sentMethod == job.sentMethod && slot.row.job.url == job.url
            // The question about an existing file was answered for this place.
            let decision = old == new && job.ifExists == .ask ? slot.row.unfinishedDecision : nil
            if !isTold { slot.row.told.takeBack() }
            slot.row.become(job, keeping: kept, staysFile: isSame && old == new, at: time)
            slot.row.run.decision = decision
            nameRow(id, of: job)
            if !isSame { rows.renumber(slot) }
            if let key = new?.tableKey, downloads[key] == nil { downloads.put(id, for: key) }
            if hasEnded { liveCount += 1 }
            return .added(id)
        }

        /// Another row than `id` that stands for the download of a job; a row that is beside it with other options may
        /// run again there.
        private func other(for job: Job, than id: UInt64) -> UInt64? {
            guard let new = destination(of: job), let known = downloads[new.tableKey], known != id,
                let standing = rows.job(of: known), destination(of: standing) == new
            else { return nil }
            let isThere = rows.job(of: id).flatMap { destination(of: $0) } == new
            return isThere && job.isBeside(standing) ? nil : known
        }

        func hasOther(for job: Job, than id: UInt64) -> Bool { other(for: job, than: id) != nil }

        /// Returns whether a row waits for the user: paused, failed or cancelled; optionally since an earlier run.
        func hasStopped(_ id: UInt64, sinceEarlierRun: Bool) -> Bool {
            rows.hasStopped(id) && (!sinceEarlierRun || parked.contains(id) || rows.isEarlier(id))
        }

        /// Reduces a row that has ended to its compact form.
        mutating func settle(_ id: UInt64) {
            let task = rows.slot(of: id)?.row.run.task?.id
            guard let counted = rows.settle(id) else { return }
            earlierBytes += counted
            if let task { slotOfTask[task] = nil }
        }

        /// Removes a row that has ended, and returns it; its body stays on the shelf.
        mutating func remove(_ id: UInt64) -> TransferRow? {
            guard let row = rows.remove(id) else { return nil }
            earlierBytes += row.counted
            if row.run.result == .completed, !row.run.isEarlier { clearedCompletions += 1 }
            (ownRates[id], polls[id], trails[id], successions[id]) = (nil, nil, nil, nil)
            if let own = row.hours { hours.leave(id, own) }
            precedence.ended(id)
            forgetSecrets(of: id)
            expiries[id] = nil
            hands.forget(id)
            lacking.remove(id)
            if let task = row.run.task { slotOfTask[task.id] = nil }
            if let hash = destination(of: row.job)?.tableKey { downloads.leave(id, hash) }
            return row
        }

        /// Queues a row for a task.
        mutating func enqueue(_ id: UInt64) {
            guard let job = rows.job(of: id) else { return }
            enqueue(id, job)
        }

        /// Queues a row, whose job is known, for a task.
        mutating func enqueue(_ id: UInt64, _ job: Job) {
            guard !isClosing, rows.wantsTask(id), let key = rows.queueKey(of: id) else { return }
            if let own = job.precedence, !own.predecessors.isEmpty,
                !precedence.enter(id, own, isEarlier: id <= lastRestored)
            {
                return
            }
            // A restored row may have a wait that its job does not know.
            let own = hours.isEmpty && id > lastRestored ? job.hours : rows.hours(of: id)
            if let own, !hours.enter(id, own) { return }
            let entry = QueueEntry(
                id: TransferID(rawValue: id), host: hosts.host(of: job), kind: job.kind,
                priority: LocalService.priority(key.priority), position: key.position)
            queueChanges.append(.enter(entry))
        }

        /// Removes a row from the queue; the result of its checksum search is then ignored.
        mutating func dequeue(_ id: UInt64) {
            searches[id] = nil
            precedence.leave(id)
            queueChanges.append(.leave(TransferID(rawValue: id)))
        }

        /// Updates a row's priority or position in the queue; a task receives that separately.
        mutating func requeue(_ id: UInt64) {
            guard rows.wantsTask(id), let key = rows.queueKey(of: id) else { return }
            queueChanges.append(
                .move(TransferID(rawValue: id), priority: LocalService.priority(key.priority), position: key.position))
        }

        /// Lets a row start beyond the limits; returns its task.
        mutating func hasten(_ id: UInt64) -> SessionTask? {
            if rows.wantsTask(id) {
                rows.slot(of: id)?.row.run.isHastened = true
                queueChanges.append(.hasten(TransferID(rawValue: id)))
            }
            return rows.slot(of: id)?.row.run.task
        }

        /// Whether the library's queue may have to be told anything.
        var hasQueueNews: Bool { !queueChanges.isEmpty || precedence.hasDue || !hours.isEmpty }

        /// Takes the changes that the library's queue does not know yet.
        mutating func takeQueueChanges() -> [QueueChange] {
            defer { queueChanges = [] }
            return isClosing ? [] : queueChanges
        }

        /// The facts for making a row's task; nil where it no longer wants one.
        mutating func admit(_ id: UInt64) -> RowAdmission? { isClosing ? nil : rows.slotWantingTask(id)?.admission }

        /// Starts a checksum search for a row; returns its number.
        mutating func beginSearch(_ id: UInt64) -> Int {
            searchCount += 1
            searches[id] = searchCount
            return searchCount
        }

        /// Ends a search; returns false if its row was stopped in the meantime, or the program ends.
        mutating func endSearch(_ id: UInt64, _ turn: Int) -> Bool {
            guard searches[id] == turn else { return false }
            searches[id] = nil
            return !isClosing
        }

        /// Gives a task to a row; returns the row's current key in the queue.
        mutating func attach(
            _ product: TaskFactory.Product, to admitted: RowAdmission
        ) -> (Fate, TransferRow.QueueKey?) {
            guard let slot = rows.slot(of: admitted.id), slot.row.revision == admitted.revision else {
                return (.isUnwanted, nil)
            }
            let fate = slot.row.run.attach(product)
            switch fate {
            case .isUnwanted: break
            case .runs, .holds: slotOfTask[product.task.id] = slot
            }
            if slot.row.run.isHastened { product.task.ignoresLimits = true }
            return (fate, slot.queueKey)
        }
    }
}

import CAllocator
import CLinux
import Dashboard
import Foundation
import ServiceWire
import SessionSupport
import TransferService

/// Forwards a service's notices to the dashboard: each update of its subscription becomes messages.
///
/// Safe from any thread.
final class RowPublisher: Sendable {
    private struct State: Sendable {
        weak var service: (any TransferService)?
        var subscription: (any Subscription)?
        /// The transfer whose details are on the screen.
        var watched: UInt64?
        /// When the numbers of the watched details are due, in milliseconds of the monotonic clock.
        var detailsDue = Int64.min
        var isClosed = false
        var isRemote = false
        /// Whether a command of this window starts the service again after its end.
        var startsAgain = false
        /// Whether the service of another process does not answer.
        var isAway = false
        /// The sentence about the service that is away.
        var complaint: SafeText?
        /// What the next service lacks, for the moment in which it answers.
        var lack: SafeText?
        /// The rows of a service that has more than a window loads; nil for any other.
        var selection: SelectionFeed?
        /// Whether all rows are to be published, in turn with updates.
        var needsAll = false
        /// Whether the table has had all rows of another process: one that is read again is no part of them.
        var isWhole = false
        /// Details of rows of another process.
        var recent = RecentDetails()
        /// The number of updates with many rows so far.
        var longUpdateCount = 0
    }

    /// The rows of a service that are requested first, for the first frame.
    private static let firstPage = 128
    /// The number of rows from which on an update's memory is released at once.
    private static let longUpdate = 2_000
    /// Milliseconds until a file without a map is asked for one again: each question costs a window and its service
    /// more than the numbers of twenty rows.
    private static let mapDelay: Int64 = 1_000
    /// When the memory of long updates is released: once the rows are in the model's own lists, and once the queue's
    /// threads have ended, whose memory nothing else releases before.
    private static let settlingTimes: [DispatchTimeInterval] = [.seconds(3), .seconds(12)]

    /// Receives every event for the log file, the event log and hooks.
    let record: RunRecord
    private let mailbox: Mailbox<Message>
    private let interest: Interest
    private let remoteInterest: Interest
    private let announcesEnd: Bool
    private let state = Locked(State())
    /// Whether rows were posted, or never will be.
    private let hasFirstRows = Monitor(false)
    /// The queue that releases memory later.
    private let settling = DispatchQueue(label: "netdash.settling")

    /// Posts into a mailbox; with `announcesEnd` it reports when every transfer has ended.
    init(mailbox: Mailbox<Message>, framesPerSecond: Int, announcesEnd: Bool, log: LogFile?) {
        self.mailbox = mailbox
        // One update per frame, which is drawn on arrival: more would be wasted.
        interest = Interest(showsRows: true, hearsMilestones: false, framesPerSecond: framesPerSecond, keepsAll: true)
        // The record hears the events of another process through this subscription too.
        remoteInterest = Interest(showsRows: true, framesPerSecond: framesPerSecond)
        self.announcesEnd = announcesEnd
        record = RunRecord(log: log) { mailbox.post(.toast($0, isError: true)) }
    }

    /// Subscribes to a service; called once, before its first transfer.
    func attach(_ service: any TransferService) { subscribe(to: service, interest) }

    /// Subscribes to the service of another process, and publishes the rows it has.
    func attach(_ service: RemoteService) {
        let feed = service.welcome.selects == true ? SelectionFeed(service) { [weak self] in self?.post($0) } : nil
        let startsAgain =
            SessionSocket.forwarded == nil && service.welcome.selects != true && service.welcome.session != nil
        state.withLock { state in
            (state.isRemote, state.needsAll, state.selection) = (true, feed == nil, feed)
            state.startsAgain = startsAgain
        }
        record.becomeWindow()
        subscribe(to: service, remoteInterest)
        // Rows that the service selects are no reason to wait.
        if feed != nil { hasFirstRows.change { $0 = true } }
        do {
            try feed?.start()
        } catch {
            complain(SafeText(untrusted: "\(error)"))
        }
        // An update may have come before the subscription was stored.
        service.wakeSubscriber()
    }

    private func subscribe(to service: any TransferService, _ interest: Interest) {
        record.attach(service)
        let subscription = service.subscribe(interest) { [weak self] in self?.publish() }
        state.withLock { state in
            state.service = service
            state.subscription = subscription
        }
    }

    /// Publishes all rows page by page, the first one short, and then which rows there are.
    ///
    /// A lost service keeps its rows on the screen; all are requested again with the next connection, and a table that is
    /// a part of them stays one until then.
    private func publishAll(of service: RemoteService) {
        guard case .rows(let first) = service.answer(.page(after: nil, limit: Self.firstPage)) else { return }
        // A key for all tasks, typed before the rest is here, would leave that out.
        let isPart = first.count == Self.firstPage && !state.withLock(\.isWhole)
        if isPart { mailbox.post(.reading(true)) }
        if !first.isEmpty { mailbox.post(.rows(first)) }
        hasFirstRows.change { $0 = true }
        guard case .ids(let ids) = service.answer(.ids) else { return }
        let known = Set(first.map(\.id))
        guard service.eachPage(of: ids.filter { !known.contains($0) }, { mailbox.post(.rows($0)) }) else { return }
        mailbox.post(.remaining(ids))
        let wasPart = state.withLock { state in
            defer { state.isWhole = true }
            return !state.isWhole
        }
        if wasPart { mailbox.post(.reading(false)) }
    }

    /// Shows and logs a problem beside the transfers.
    func complain(_ sentence: SafeText) {
        record.append(sentence)
        mailbox.post(.toast(sentence, isError: true))
    }

    /// Writes the rest of the log, and returns why lines are missing in it; then publishes nothing more.
    func close() -> UnwrittenReport? {
        hasFirstRows.change { $0 = true }
        state.withLock { state in
            state.isClosed = true
            return state.selection
        }?.end()
        return record.close()
    }

    /// Shows whether the service of another process answers.
    func show(_ connection: RemoteService.Connection) {
        switch connection {
        case .connected:
            let (complaint, lack) = state.withLock { state in
                defer { (state.isAway, state.complaint, state.lack) = (false, nil, nil) }
                return (state.complaint, state.lack)
            }
            post(.owned(.service))
            if let complaint { post(.withdrawn(complaint)) }
            post(.toast(EffectToasts.reconnected, isError: false))
            // The newer sentence is the one that is read.
            if let lack { post(.toast(lack, isError: true)) }
        case .restarted:
            // Its rows may be others.
            state.withLock { $0.isWhole = false }
            post(.serviceRestarted)
            show(.connected)
        case .lost(let sentence):
            post(.owned(.lostService))
            beginAbsence(because: SafeText(untrusted: sentence))
        case .hangs(let sentence):
            let sentence = SafeText(untrusted: sentence)
            post(.owned(.hungService(sentence)))
            beginAbsence(because: sentence, isHung: true)
        case .silent: post(.toast(EffectToasts.serviceSilent, isError: true))
        case .speaks: post(.withdrawn(EffectToasts.serviceSilent))
        case .stopped:
            post(.owned(.stoppedService))
            beginAbsence(because: EffectToasts.serviceStopped)
        case .ended: post(.terminate)
        }
    }

    /// Tells that the service is away, and what starts it again: nothing does while its process hangs.
    private func beginAbsence(because reason: SafeText, isHung: Bool = false) {
        post(.withdrawn(EffectToasts.serviceSilent))
        let sentence = state.withLock { state in
            let sentence = state.startsAgain && !isHung ? EffectToasts.serviceLost(reason) : reason
            (state.isAway, state.complaint) = (true, sentence)
            return sentence
        }
        complain(sentence)
    }

    /// Tells what a service that was started again lacks, once it answers: else the news of that would cover it at once.
    func tell(lack sentence: SafeText) {
        let waits = state.withLock { state in
            if state.isAway { state.lack = sentence }
            return state.isAway
        }
        if !waits { post(.toast(sentence, isError: true)) }
    }

    /// Waits until the first rows are posted, or publishing has ended.
    func waitForFirstRows() { hasFirstRows.wait { $0 ? () : nil } }

    /// Posts a message like a transfer's.
    func post(_ message: Message) { mailbox.post(message) }

    /// Sets the visible rows.
    func show(_ ids: Set<UInt64>) { state.withLock { $0.subscription }?.show(ids) }

    /// Asks a service that has more rows than a window loads for these.
    func select(_ selection: RowRequest) { state.withLock(\.selection)?.select(selection) }

    /// Publishes this transfer's details from now on; returns the current ones.
    func watch(_ id: UInt64?) -> [Message] {
        let service = state.withLock { state in
            (state.watched, state.detailsDue) = (id, .min)
            return state.service
        }
        return details(of: id, service)
    }

    /// The same for the service of another process: calls `body` with known details or on another thread, or returns
    /// false at once.
    ///
    /// A key waits for it, and each thread between the key and its frame costs it a twentieth of a millisecond.
    func watch(_ id: UInt64, of service: RemoteService, _ body: @escaping @Sendable ([Message]) -> Void) -> Bool {
        let (known, count) = state.withLock { state in
            (state.watched, state.detailsDue) = (id, .min)
            return (state.recent[id], state.recent.changeCount)
        }
        if let known {
            body([.details(id, known)])
            return true
        }
        return service.askDetails(of: id) { [state] details in
            // A change that came before the reply may be newer.
            state.withLock { if $0.recent.changeCount == count { $0.recent.keep(details, of: id) } }
            body(details.map { [.details(id, $0)] } ?? [])
        }
    }

    /// Starts or stops publishing events as lines; returns the lines so far.
    func readLog(_ isRead: Bool) -> [Message] { record.readLog(isRead).map { [.log($0)] } ?? [] }

    private func details(of id: UInt64?, _ service: (any TransferService)?) -> [Message] {
        guard let id, let details = service?.details(of: id) else { return [] }
        return [.details(id, details)]
    }

    // MARK: - Publishing

    private func publish() {
        let subscription = state.withLock { $0.isClosed ? nil : $0.subscription }
        guard let subscription, case var update = subscription.take() else { return }
        // A row that is selected from here on is asked for.
        let (service, watched, isRemote, feed, needsAll) = state.withLock { state in
            if state.isRemote { state.recent.forget(update) }
            defer { state.needsAll = false }
            let isMissed = state.isRemote && update.isCut && state.selection == nil
            return (state.service, state.watched, state.isRemote, state.selection, state.needsAll || isMissed)
        }
        // An update that is made before a page of rows would overwrite newer ones if it came after them.
        if !needsAll { subscription.askForNext() }
        defer { if needsAll { subscription.askForNext() } }
        if let feed { update.rows.removeAll { !feed.takes($0.id) } }
        if isRemote { for notice in update.notices { record.receive(notice) } }
        if update.rows.count >= Self.longUpdate { keepMemoryLow() }
        for notice in update.notices { post(notice) }
        if !update.rows.isEmpty {
            mailbox.post(.rows(update.rows))
            hasFirstRows.change { $0 = true }
        }
        if !update.figures.isEmpty { mailbox.post(.figures(update.figures)) }
        if let watched { post(detailsOf: watched, update, service) }
        let lines = record.takeUnread()
        if !lines.isEmpty { mailbox.post(.logged(lines)) }
        if needsAll, let remote = service as? RemoteService { publishAll(of: remote) }
        if announcesEnd, update.concernsTransfers, case .counts(let counts) = service?.answer(.counts), counts.isIdle {
            mailbox.post(.allWorkEnded)
        }
    }

    private func post(_ notice: TransferNotice) {
        switch notice {
        case .removed(let ids): mailbox.post(.removed(ids))
        case .backoffs(let servers): mailbox.post(.backoffs(servers))
        case .limited(let counts): mailbox.post(.limited(counts))
        case .bounded(let rates): mailbox.post(.bounded(rates))
        case .configured(let limits, let plan):
            if state.withLock(\.isRemote) { mailbox.post(.configured(limits, plan)) }
        case .complaint(let sentence): mailbox.post(.toast(sentence, isError: true))
        case .resolved(let sentence, let complaint):
            if let complaint { mailbox.post(.withdrawn(complaint)) }
            mailbox.post(.toast(sentence, isError: false))
        case .event, .changed, .moved, .saving, .saved, .idle: break
        }
    }

    /// Posts details where they have changed: they are texts, and of their numbers only a file's map moves with its
    /// bytes.
    private func post(detailsOf id: UInt64, _ update: TransferUpdate, _ service: (any TransferService)?) {
        let now = MonotonicClock.milliseconds
        // What was missed may have changed it.
        let hasChanged = update.isCut || update.rows.contains { $0.id == id }
        let isDue = hasChanged || update.figures.contains { $0.id == id } && now >= state.withLock(\.detailsDue)
        guard isDue, let details = service?.details(of: id) else { return }
        let hasMap = !details.segments.isEmpty
        state.withLock { $0.detailsDue = hasMap ? now : now + Self.mapDelay }
        if hasChanged || hasMap { mailbox.post(.details(id, details)) }
    }

    /// Releases memory at once while many rows are added, paused or resumed.
    private func keepMemoryLow() {
        ca_return_memory_at_once()
        let number = state.withLock { state in
            state.longUpdateCount += 1
            return state.longUpdateCount
        }
        for time in Self.settlingTimes {
            settling.asyncAfter(deadline: .now() + time) { [weak self] in
                if self?.state.withLock({ $0.longUpdateCount }) == number { ca_keep_memory_at_hand() }
            }
        }
    }
}

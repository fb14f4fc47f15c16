package import FleetQueue
internal import SessionSupport
package import TransferService

/// The queue as the service of ordinary dashboards: rows, counts and wishes, and no transfers of its own.
///
/// Three connections: one looks at the queue once a second, one searches it for filters, and one answers questions and
/// carries out commands. Safe from any thread.
package final class FleetService: TransferService {
    private struct Listeners {
        var subscriptions: [Int: LocalSubscription] = [:]
        var count = 0
        var limits: TransferLimits?
        var held: [ServerBackoff] = []
    }

    /// The seconds that the database may take for a question, also by a filter, and for a look.
    private static let (questionPatience, lookPatience) = (10, 30)

    let desk: QueueDesk
    let picture = Locked(QueuePicture())
    let search: FilterSearch
    private let listeners = Locked(Listeners())
    private let watchDesk: QueueDesk
    private let watch = Locked<QueueWatch?>(nil)

    /// Connects to the queue; one that is away or missing now is an error, and later it is waited for.
    package init(_ address: QueueAddress) throws(FleetError) {
        desk = QueueDesk(address, role: "window", patience: Self.questionPatience)
        search = FilterSearch(QueueDesk(address, role: "window-search", patience: Self.questionPatience))
        watchDesk = QueueDesk(address, role: "window-counts", patience: Self.lookPatience)
        _ = try desk.ask { (queue: FleetQueue) throws(FleetError) in try queue.workers().perHost }
    }

    package func begin() -> [String] {
        let watch = QueueWatch(watchDesk, picture) { [weak self] in self?.receive($0) }
        self.watch.withLock { $0 = watch }
        do {
            try watch.start()
        } catch {
            return ["\(error)"]
        }
        return []
    }

    /// Ends the looks at the queue; jobs and workers go on.
    @discardableResult package func close(leaving rest: [Job]) -> RunEnd {
        watch.withLock { $0 }?.stop()
        return RunEnd()
    }

    /// Whether the queue has been counted, without which no page knows which states have jobs.
    package var isCounted: Bool { picture.withLock { $0.countedAt != nil } }

    package func add(pages nextPage: () -> [Job]) { refuse(QueueRefusalErrors.add) }

    // MARK: - Notices

    package func subscribe(_ interest: Interest, wake: @escaping @Sendable () -> Void) -> any Subscription {
        let source = LocalSubscription.Source(
            rows: { [weak self] in self?.snapshots(of: $0) ?? [] },
            figures: { [weak self] in self?.knownFigures(of: $0) ?? [] }, progress: { _ in [] })
        let subscription = LocalSubscription(interest, source: source, wake: wake)
        let complaint = picture.withLock(\.complaint)
        let (number, limits, held) = listeners.withLock { listeners in
            listeners.count += 1
            listeners.subscriptions[listeners.count] = subscription
            return (listeners.count, listeners.limits, listeners.held)
        }
        subscription.onCancel { [weak self] in
            self?.listeners.withLock { _ = $0.subscriptions.removeValue(forKey: number) }
        }
        if let limits { subscription.receive(.configured(limits, RatePlan())) }
        if !held.isEmpty { subscription.receive(.backoffs(held)) }
        if let complaint { subscription.receive(.complaint(complaint)) }
        return subscription
    }

    func tell(_ notice: TransferNotice) {
        for subscription in listeners.withLock({ Array($0.subscriptions.values) }) { subscription.receive(notice) }
    }

    /// Tells why a command was not carried out, and what the limits are where a window has shown others.
    func refuse(_ reason: SafeText) {
        tell(.complaint(reason))
        if let limits = listeners.withLock(\.limits) { tell(.configured(limits, RatePlan())) }
    }

    private func fallSilent(because error: FleetError?) {
        desk.fallSilent(because: error)
        search.fallSilent(because: error)
    }

    private func receive(_ news: QueueWatch.News) {
        if let limits = news.limits {
            listeners.withLock { $0.limits = limits }
            tell(.configured(limits, RatePlan()))
        }
        if let held = news.held {
            listeners.withLock { $0.held = held }
            tell(.backoffs(held))
        }
        switch news.presence {
        case .away(let error): fallSilent(because: error)
        case .there: fallSilent(because: nil)
        case nil: break
        }
        if let complaint = news.complaint { tell(.complaint(complaint)) }
        if let resolved = news.resolved { tell(.resolved(WindowErrors.back, of: resolved)) }
        for id in news.changed { tell(.changed(UInt64(clamping: id))) }
        for job in news.ended { tell(.changed(UInt64(clamping: job.id))) }
        for id in news.moved { tell(.moved(UInt64(clamping: id))) }
    }
}

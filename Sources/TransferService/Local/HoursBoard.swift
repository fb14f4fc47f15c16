import SessionCore
import SessionSupport

/// The tasks that may run in some hours only, decided by the time it is given.
///
/// It knows neither rows nor tasks; ``LocalService/keepHours()`` does what follows.
struct HoursBoard {
    private struct Group {
        var isOpen: Bool
        var ids: Set<UInt64>
    }

    let clock: LocalClock
    /// Few: tasks of one list share their hours.
    private var groups: [TransferHours: Group] = [:]
    /// Tasks that a user has started outside of their hours.
    private var freed: Set<UInt64> = []
    /// Tasks that were paused at the end of their hours.
    private var stopped: Set<UInt64> = []
    /// Waiting tasks that were not reported.
    private var news: [UInt64] = []
    /// Counts the checks that were planned, so that an earlier timer does nothing.
    private(set) var plan = 0
    /// The moment of the planned check, in milliseconds since 1970; nil without one.
    private var planned: Int64?

    init(_ clock: LocalClock = .system) { self.clock = clock }

    var isEmpty: Bool { groups.isEmpty && freed.isEmpty }

    // MARK: - Tasks

    /// Adds a task; returns whether it may begin now.
    mutating func enter(_ id: UInt64, _ hours: TransferHours) -> Bool {
        let isOpen = groups[hours]?.isOpen ?? hours.isOpen(at: clock.now(), clock)
        let isNew = groups[hours, default: Group(isOpen: isOpen, ids: [])].ids.insert(id).inserted
        guard !isOpen, !freed.contains(id) else { return true }
        if isNew { news.append(id) }
        return false
    }

    /// Removes a task that has ended, or one that comes back with the freedom that its user may have given it.
    mutating func leave(_ id: UInt64, _ hours: TransferHours, keepingFreedom: Bool = false) {
        if !keepingFreedom { freed.remove(id) }
        stopped.remove(id)
        groups[hours]?.ids.remove(id)
        if groups[hours]?.ids.isEmpty == true { groups[hours] = nil }
    }

    func isClosed(_ hours: TransferHours) -> Bool { !(groups[hours]?.isOpen ?? hours.isOpen(at: clock.now(), clock)) }

    /// Lets a task run whatever the time.
    mutating func free(_ id: UInt64) {
        freed.insert(id)
        stopped.remove(id)
    }

    mutating func stop(_ id: UInt64) { stopped.insert(id) }

    /// Whether a task waits for its hours: not begun, or paused at their end.
    func isWaiting(_ id: UInt64, _ hours: TransferHours, isPaused: Bool) -> Bool {
        guard let group = groups[hours], group.ids.contains(id) else { return false }
        guard !group.isOpen, !freed.contains(id) else { return false }
        return !isPaused || stopped.contains(id)
    }

    /// Whether a task was paused at the end of its hours.
    func isStopped(_ id: UInt64) -> Bool { stopped.contains(id) }

    /// Records that a user has paused a task, which then does not resume by itself.
    mutating func keepPaused(_ id: UInt64) { stopped.remove(id) }

    /// The moment from which a task that waits may run; nil for a task that does not wait for its hours.
    func opening(of id: UInt64, _ hours: TransferHours, isPaused: Bool) -> Int64? {
        guard isWaiting(id, hours, isPaused: isPaused) else { return nil }
        return hours.opening(after: clock.now(), clock)
    }

    mutating func takeNews() -> [UInt64] {
        defer { news = [] }
        return news
    }

    // MARK: - Time

    /// The tasks that may run from now on, and the ones that may not any more.
    mutating func changes() -> (opened: [UInt64], closed: [UInt64]) {
        planned = nil
        let now = clock.now()
        var (opened, closed): ([UInt64], [UInt64]) = ([], [])
        for (hours, group) in groups {
            let isOpen = hours.isOpen(at: now, clock)
            guard isOpen != group.isOpen else { continue }
            groups[hours]?.isOpen = isOpen
            if isOpen { opened += group.ids } else { closed += group.ids.filter { !freed.contains($0) } }
        }
        return (opened.sorted(), closed.sorted())
    }

    /// Takes the tasks among these that were paused at the end of their hours.
    mutating func takeStopped(_ ids: [UInt64]) -> [UInt64] { ids.filter { stopped.remove($0) != nil } }

    /// Plans the next check unless one is planned that comes in time; returns its number and milliseconds until then.
    ///
    /// - Parameter now: milliseconds since 1970.
    mutating func nextCheck(at now: Int64) -> (number: Int, delay: Int64)? {
        guard let delay = groups.keys.map({ $0.millisecondsUntilCheck(at: now, clock) }).min(),
            planned.map({ now + delay < $0 }) ?? true
        else { return nil }
        planned = now + delay
        plan += 1
        return (plan, delay)
    }
}

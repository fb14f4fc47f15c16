import Dispatch
import SessionCore

/// Who runs first, and what runs again.
extension SessionBridge {
    /// The five priorities of rows.
    static let priorities: ClosedRange<Int> = -2...2

    /// A row's priority in the library's terms.
    static func priority(_ priority: Int8) -> Float { 0.5 + Float(priority) / 4 }

    /// Moves rows to higher (above zero) or lower priorities.
    func prioritise(_ ids: [UInt64], by steps: Int) {
        for id in ids {
            let change = state.withLock { state -> (SessionTask?, Int8)? in
                guard let old = state.rows[id]?.priority else { return nil }
                let new = Int8(min(max(Int(old) + steps, Self.priorities.lowerBound), Self.priorities.upperBound))
                state.rows[id]?.priority = new
                return new == old ? nil : (state.rows[id]?.task, new)
            }
            guard let (task, priority) = change else { continue }
            task?.priority = Self.priority(priority)
            observer.transferDidMove(id)
        }
        admitUrgent(ids)
    }

    /// Rows that wait without tasks follow their new places: a few of them at once, many when their turn comes.
    private func admitUrgent(_ ids: [UInt64]) {
        let urgent = state.withLock { state -> [TransferRow] in
            guard ids.contains(where: { state.rows[$0]?.wantsTask == true }) else { return [] }
            state.sortRoom()
            return ids.prefix(Self.urgentLimit).compactMap { state.admit($0) }
        }
        for row in urgent { start(row) }
    }

    private static let urgentLimit = 64

    /// Moves waiting rows past their neighbours in the queue, each by so many places.
    ///
    /// Two rows that change places also change priorities, so that the queue is in the order that is shown.
    func moveInQueue(_ ids: [UInt64], by steps: Int) {
        let direction = steps < 0 ? -1 : 1
        let places = state.withLock { state in ids.compactMap { id in state.rows[id].map { (id, $0.queueKey) } } }
        let sorted = places.sorted { $0.1 < $1.1 }.map(\.0)
        for id in direction < 0 ? sorted : sorted.reversed() {
            for _ in 0..<abs(steps) { exchange(id, direction: direction, among: Set(ids)) }
        }
        admitUrgent(ids)
    }

    private func exchange(_ id: UInt64, direction: Int, among moving: Set<UInt64>) {
        let pair = state.withLock { state -> [TransferRow] in
            guard let row = state.rows[id] else { return [] }
            let waiting = state.rows.values.filter { $0.isWaiting && $0.id != id }
            let neighbour =
                direction < 0
                ? waiting.filter { $0.queueKey < row.queueKey }.max { $0.queueKey < $1.queueKey }
                : waiting.filter { row.queueKey < $0.queueKey }.min { $0.queueKey < $1.queueKey }
            // Rows that move together stop at the end of the queue one behind the other.
            guard row.isWaiting, let neighbour, !moving.contains(neighbour.id) else { return [] }
            state.rows[id]?.place = neighbour.place
            state.rows[id]?.priority = neighbour.priority
            state.rows[neighbour.id]?.place = row.place
            state.rows[neighbour.id]?.priority = row.priority
            return [state.rows[id], state.rows[neighbour.id]].compactMap { $0 }
        }
        for row in pair {
            row.task?.queuePlace = row.place
            row.task?.priority = Self.priority(row.priority)
            observer.transferDidMove(row.id)
        }
    }

    // MARK: - Again and again

    /// Sends a data request again, so many seconds after each end; nil stops that.
    func repeatRequest(_ id: UInt64, every seconds: Int?) {
        state.withLock { state in
            guard state.rows[id]?.job.kind == .data else { return }
            state.rows[id]?.repeatInterval = seconds
            state.rows[id]?.repeatOrder += 1
        }
        observer.transferDidMove(id)
        if seconds != nil, let row = row(id), row.isFinal {
            retry(row)
            admitWaiting()
        }
    }

    /// Plans the next run of a request that is repeated.
    func planRepeat(_ id: UInt64) {
        guard let row = row(id), let seconds = row.repeatInterval else { return }
        let order = row.repeatOrder
        repeatQueue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            guard let self, let row = self.row(id), row.repeatOrder == order, row.isFinal else { return }
            if self.state.withLock({ $0.isClosing }) { return }
            self.retry(row)
            self.admitWaiting()
        }
    }
}

extension TransferRow {
    /// What the queue is sorted by.
    struct QueueKey: Comparable {
        var priority: Int8
        var place: UInt64

        static func < (left: QueueKey, right: QueueKey) -> Bool {
            left.priority != right.priority ? left.priority > right.priority : left.place < right.place
        }
    }

    var queueKey: QueueKey { QueueKey(priority: priority, place: place) }

    /// Whether it waits for a slot.
    var isWaiting: Bool { !isFinal && !isHeld && status.phase == .queued }
}

import Foundation
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
            savePosition(of: id)
            observer.transferDidMove(id)
        }
        admitUrgent(ids)
    }

    /// Rows that wait without tasks follow their new places: a few of them at once, many when their turn comes.
    private func admitUrgent(_ ids: [UInt64]) {
        let urgent = state.withLock { state -> [TransferRow] in
            guard ids.contains(where: { state.rows.wantsTask($0) }) else { return [] }
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
            guard let neighbour = state.neighbour(of: id, direction: direction),
                // Rows that move together stop at the end of the queue one behind the other.
                !moving.contains(neighbour), let row = state.rows[id], let other = state.rows[neighbour]
            else { return [] }
            state.rows[id]?.place = other.place
            state.rows[id]?.priority = other.priority
            state.rows[neighbour]?.place = row.place
            state.rows[neighbour]?.priority = row.priority
            return [state.rows[id], state.rows[neighbour]].compactMap { $0 }
        }
        for row in pair {
            row.task?.queuePlace = row.place
            savePosition(of: row.id)
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

extension SessionBridge.State {
    /// The waiting row next to another one in the queue, before (below zero) or behind it.
    fileprivate func neighbour(of id: UInt64, direction: Int) -> UInt64? {
        guard let key = rows.waitingKey(of: id) else { return nil }
        var best: (id: UInt64, key: TransferRow.QueueKey)?
        for other in order where other != id {
            guard let candidate = rows.waitingKey(of: other) else { continue }
            let isBeyond = direction < 0 ? candidate < key : key < candidate
            let isNearer = best.map { direction < 0 ? $0.key < candidate : candidate < $0.key } ?? true
            if isBeyond, isNearer { best = (other, candidate) }
        }
        return best?.id
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

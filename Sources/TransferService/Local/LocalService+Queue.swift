import Foundation
import SessionCore
import SessionSupport

/// The queue's order, and repeated requests.
extension LocalService {
    static let priorities: ClosedRange<Int> = -2...2

    /// A row's priority on the library's scale of 0 to 1.
    static func priority(_ priority: Int8) -> Float { 0.5 + Float(priority) / 4 }

    /// Raises (above zero) or lowers the priority of rows.
    func prioritise(_ ids: [UInt64], by steps: Int) {
        for id in ids {
            let change = state.withLock { state -> (SessionTask?, Int8)? in
                guard let old = state.rows[id]?.priority else { return nil }
                let new = Int8(min(max(Int(old) + steps, Self.priorities.lowerBound), Self.priorities.upperBound))
                guard new != old else { return nil }
                state.rows[id]?.priority = new
                state.requeue(id)
                return (state.rows[id]?.run.task, new)
            }
            guard let (task, priority) = change else { continue }
            task?.priority = Self.priority(priority)
            savePosition(of: id)
            observers.receive(.moved(id))
        }
        tellQueue()
    }

    /// Moves waiting rows past their neighbours in the queue, each by `steps`.
    ///
    /// Two rows that swap positions also swap priorities, so that the queue runs in the order that is shown.
    func moveInQueue(_ ids: [UInt64], by steps: Int) {
        tellMoved(state.withLock { $0.moveInQueue(Set(ids), by: steps) })
    }

    /// Moves a waiting or paused row to a place among those; the rows between move by one.
    func placeInQueue(_ id: UInt64, at place: Int) {
        tellMoved(state.withLock { $0.placeInQueue(id, at: place) })
    }

    private func tellMoved(_ moved: [TransferRow]) {
        for row in moved {
            row.run.task?.queuePosition = row.position
            savePosition(of: row.id)
            row.run.task?.priority = Self.priority(row.priority)
            observers.receive(.moved(row.id))
        }
        tellQueue()
    }

    // MARK: - At once, and how many

    /// Starts waiting, paused, failed or cancelled rows, beyond the limits if necessary.
    ///
    /// A row that waits for a retry stops waiting.
    func startNow(_ ids: [UInt64]) {
        for id in ids {
            guard let row = row(id), row.run.result != .completed else { continue }
            if !row.isFinal, row.status.phase == .retrying { pause([id]) }
            resume([id])
        }
        for id in ids { state.withLock { $0.hasten(id) }?.ignoresLimits = true }
        tellQueue()
    }

    /// Transfers completed rows again.
    ///
    /// An existing file stays, whatever the download's rule was: the new one gets a number.
    func fetchAgain(_ ids: [UInt64]) {
        for id in ids {
            let row = state.withLock { state -> TransferRow? in
                guard let slot = state.rows.slot(of: id), slot.row.run.result == .completed else { return nil }
                slot.row.keepsFile()
                return slot.row
            }
            if let row { retry(row) }
        }
        tellQueue()
    }

    /// Changes how many transfers run at once, in total and per host; running ones continue.
    func setLimits(_ limit: Int, perHost: Int) {
        manager.setLimits(concurrentTransfers: limit, perHost: perHost)
    }

    // MARK: - Repetition

    /// Repeats a data request `seconds` after each end; nil stops that.
    func repeatRequest(_ id: UInt64, every seconds: Int?) {
        state.withLock { state in
            guard let slot = state.rows.slot(of: id), slot.row.job.kind == .data else { return }
            slot.row.changeRepetition(to: seconds)
        }
        observers.receive(.changed(id))
        if seconds != nil, let row = row(id), row.isFinal {
            retry(row)
            tellQueue()
        }
    }

    func setRepetition(of id: UInt64, paused: Bool) {
        let isNews = state.withLock { state in
            guard let slot = state.rows.slotOfRepeated(id), slot.row.isRepetitionPaused != paused else { return false }
            slot.row.changeRepetition(to: slot.row.repeatInterval, paused: paused)
            return true
        }
        if isNews { observers.receive(.changed(id)) }
    }

    func endRepetition(of id: UInt64) {
        let isNews = state.withLock { state in
            guard let slot = state.rows.slotOfRepeated(id) else { return false }
            slot.row.changeRepetition(to: nil)
            return true
        }
        if isNews { observers.receive(.changed(id)) }
    }

    func planRepeat(_ id: UInt64) {
        guard let row = row(id), let seconds = row.repeatInterval, !row.isRepetitionPaused else { return }
        let order = row.repeatOrder
        repeatQueue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            guard let self, let row = self.row(id), row.repeatOrder == order, row.isFinal else { return }
            if self.state.withLock({ $0.isClosing }) { return }
            self.retry(row)
            self.tellQueue()
        }
    }
}

extension LocalService.State {
    /// Moves rows in the queue and returns every row with a new position.
    ///
    /// Sorts the queue once, however many rows move.
    fileprivate mutating func moveInQueue(_ ids: Set<UInt64>, by steps: Int) -> [TransferRow] {
        var queue = QueueOrder(order.compactMap { id in rows.waitingKey(of: id).map { (id, $0) } })
        for _ in 0..<abs(steps) { queue.move(ids, towardsFront: steps < 0) }
        return apply(queue)
    }

    /// Moves a row among the waiting and paused ones, and returns every row with a new position.
    fileprivate mutating func placeInQueue(_ id: UInt64, at place: Int) -> [TransferRow] {
        let waiting = order.compactMap { id -> (UInt64, TransferRow.QueueKey)? in
            switch rows.figures(of: id, retryLimit: 0)?.state {
            case .queued, .paused, .pausing: rows.queueKey(of: id).map { (id, $0) }
            case .running, .retrying, .verifying, .saving, .failed, .done, .cancelled, nil: nil
            }
        }
        var queue = QueueOrder(waiting)
        queue.place(id, at: place)
        return apply(queue)
    }

    private mutating func apply(_ queue: QueueOrder) -> [TransferRow] {
        queue.changes.compactMap { id, key in
            rows[id]?.position = key.position
            rows[id]?.priority = key.priority
            requeue(id)
            return rows[id]
        }
    }
}

extension TransferRow {
    /// Sets the seconds between runs; earlier timers then do nothing.
    mutating func changeRepetition(to seconds: Int?, paused: Bool = false) {
        repeatInterval = seconds
        isRepetitionPaused = paused && seconds != nil
        repeatOrder &+= 1
    }

    struct QueueKey: Comparable {
        var priority: Int8
        var position: UInt64

        static func < (left: QueueKey, right: QueueKey) -> Bool {
            left.priority != right.priority ? left.priority > right.priority : left.position < right.position
        }
    }

    var queueKey: QueueKey { QueueKey(priority: priority, position: position) }

    var isWaiting: Bool { !isFinal && !run.isPausedInQueue && status.phase == .queued }
}

/// The waiting rows in the order in which they will run.
///
/// The keys stay and rows swap them: a row that moves up takes the key of the row before it.
struct QueueOrder {
    private var ids: [UInt64]
    private let before: [UInt64]
    private let keys: [TransferRow.QueueKey]

    init(_ waiting: [(id: UInt64, key: TransferRow.QueueKey)]) {
        let sorted = waiting.sorted { $0.key < $1.key }
        before = sorted.map(\.id)
        ids = before
        keys = sorted.map(\.key)
    }

    /// Moves rows by one position towards the front or the end.
    ///
    /// Rows that move together line up at the end of the queue.
    mutating func move(_ moving: Set<UInt64>, towardsFront: Bool) {
        guard ids.count > 1 else { return }
        let step = towardsFront ? -1 : 1
        for offset in 1..<ids.count {
            let index = towardsFront ? offset : ids.count - 1 - offset
            if moving.contains(ids[index]), !moving.contains(ids[index + step]) { ids.swapAt(index, index + step) }
        }
    }

    /// Moves a row to a place, the first of which is 0; beyond the end it is the last one.
    mutating func place(_ id: UInt64, at place: Int) {
        guard let index = ids.firstIndex(of: id) else { return }
        ids.remove(at: index)
        ids.insert(id, at: min(max(place, 0), ids.count))
    }

    /// The rows with a new key.
    var changes: [(id: UInt64, key: TransferRow.QueueKey)] {
        ids.indices.filter { ids[$0] != before[$0] }.map { (ids[$0], keys[$0]) }
    }
}

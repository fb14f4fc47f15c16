import TransferValues

/// The state of a task in aria2's words.
enum TaskPhase: String, Sendable {
    case active, waiting, paused, error, complete, removed

    init(_ state: RowState) {
        self =
            switch state {
            case .running, .retrying, .verifying, .saving: .active
            case .queued: .waiting
            case .pausing, .paused: .paused
            case .failed: .error
            case .done: .complete
            case .cancelled: .removed
            }
    }

    /// Whether it is in the queue, where paused tasks keep their places.
    var isWaiting: Bool { self == .waiting || self == .paused }
    var isStopped: Bool { self == .error || self == .complete || self == .removed }
}

extension RowFigures {
    var phase: TaskPhase { TaskPhase(state) }
}

extension RowStanding {
    var phase: TaskPhase { TaskPhase(state) }
}

/// The lists of tasks that aria2 has, each in its order.
struct TaskLists {
    private(set) var active: [UInt64] = []
    private(set) var waiting: [UInt64] = []
    private(set) var stopped: [UInt64] = []

    /// Sorts rows into the lists: waiting ones as they will run, stopped ones as they ended.
    init(_ rows: [RowStanding]) {
        var waiting: [RowStanding] = []
        var stopped: [RowStanding] = []
        for row in rows {
            let phase = row.phase
            if phase.isWaiting {
                waiting.append(row)
            } else if phase.isStopped {
                stopped.append(row)
            } else {
                active.append(row.id)
            }
        }
        if !waiting.isSorted(by: Self.runsBefore) { waiting.sort(by: Self.runsBefore) }
        if !stopped.isSorted(by: Self.endedBefore) { stopped.sort(by: Self.endedBefore) }
        self.waiting = waiting.map(\.id)
        self.stopped = stopped.map(\.id)
    }

    private static func runsBefore(_ left: RowStanding, _ right: RowStanding) -> Bool {
        left.priority != right.priority ? left.priority > right.priority : left.position < right.position
    }

    private static func endedBefore(_ left: RowStanding, _ right: RowStanding) -> Bool {
        (left.endedAt ?? .min, left.id) < (right.endedAt ?? .min, right.id)
    }

    /// A page of a list; a negative offset counts from its end, and the page then runs backwards.
    static func page(of list: [UInt64], from offset: Int64, count: Int64) -> [UInt64] {
        let length = Int64(list.count)
        guard offset < 0 else {
            let start = min(offset, length)
            return Array(list[Int(start)..<Int(start + min(count, length - start))])
        }
        guard offset >= -length else { return [] }
        let last = length + offset
        return list[Int(max(last + 1 - min(count, length), 0))...Int(last)].reversed()
    }
}

extension Array {
    /// Whether no element belongs before its predecessor; most lists are in order already.
    fileprivate func isSorted(by precedes: (Element, Element) -> Bool) -> Bool {
        indices.dropFirst().allSatisfy { !precedes(self[$0], self[$0 - 1]) }
    }
}

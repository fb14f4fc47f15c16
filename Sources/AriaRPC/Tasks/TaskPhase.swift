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

/// A list of tasks that aria2 has.
enum TaskList {
    case active, waiting, stopped

    /// Returns its tasks: waiting ones as they will run, stopped ones as they ended.
    func ids(of rows: [RowStanding]) -> [UInt64] {
        var ids: [UInt64] = []
        var last: RowStanding?
        for row in rows where contains(row.phase) {
            // Most lists are in order already.
            if let last, precedes(row, last) {
                return rows.filter { contains($0.phase) }.sorted(by: precedes).map(\.id)
            }
            ids.append(row.id)
            last = row
        }
        return ids
    }

    private func contains(_ phase: TaskPhase) -> Bool {
        switch self {
        case .active: phase == .active
        case .waiting: phase.isWaiting
        case .stopped: phase.isStopped
        }
    }

    private func precedes(_ left: RowStanding, _ right: RowStanding) -> Bool {
        switch self {
        case .active: false
        case .waiting: Self.runsBefore(left, right)
        case .stopped: Self.endedBefore(left, right)
        }
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
        guard offset >= -length, count > 0 else { return [] }
        let last = length + offset
        return list[Int(max(last + 1 - min(count, length), 0))...Int(last)].reversed()
    }
}

/// The statuses delivered at the end of a drain: the latest of each task, in the order in which the tasks first
/// appeared.
struct PendingStatuses {
    private(set) var tasks: [SessionTask] = []
    /// The statuses in the same order; nil if the task's end has overtaken its status.
    private var statuses: [TaskStatus?] = []
    /// The indices of statuses delivered early.
    private var told: Set<Int> = []
    /// The statuses to deliver before an event of their task, one for each such event, in order.
    private var apart: [TransferID: [TaskStatus?]] = [:]
    /// The index of each task, so that the searched table holds only numbers.
    private var indices: [TransferID: Int] = [:]

    var isEmpty: Bool { indices.isEmpty }

    /// The status at an index; nil if it is no longer delivered.
    subscript(index: Int) -> TaskStatus? { statuses[index] }

    /// Keeps the statuses of a batch, each of which replaces the earlier one of its task; the tasks are in the order of
    /// the events.
    mutating func keep(_ events: [EngineEvent], of found: [SessionTask?]) {
        for index in events.indices {
            switch events[index] {
            case .status(_, let status):
                guard let task = found[index] else { continue }
                if let known = indices[task.id] {
                    statuses[known] = status
                } else {
                    indices[task.id] = tasks.count
                    tasks.append(task)
                    statuses.append(status)
                }
            // These reset the counts reported before them.
            case .resumedAtOffset, .restarted:
                if let task = found[index] { setApart(task) }
            default: break
            }
        }
    }

    private mutating func setApart(_ task: SessionTask) {
        let index = indices.removeValue(forKey: task.id)
        apart[task.id, default: []].append(index.flatMap { statuses[$0] })
        if let index { statuses[index] = nil }
    }

    /// Returns the status set apart for a task's current event; nil if there was none or it was already delivered.
    mutating func takeSetApart(_ task: SessionTask) -> TaskStatus? {
        guard apart[task.id]?.isEmpty == false else { return nil }
        return apart[task.id]?.removeFirst()
    }

    /// Returns a task's status for early delivery; nil if there is none or it was already delivered early.
    mutating func takeEarly(_ task: SessionTask) -> TaskStatus? {
        if !apart.isEmpty, case let status?? = apart[task.id]?.first {
            apart[task.id]?[0] = nil
            return status
        }
        guard let index = indices[task.id], told.insert(index).inserted else { return nil }
        return statuses[index]
    }

    /// The statuses to deliver at the end: neither delivered early nor overtaken by their task's end.
    var untold: some Sequence<(task: SessionTask, status: TaskStatus)> {
        tasks.indices.lazy.compactMap { index in
            told.contains(index) ? nil : statuses[index].map { (task: tasks[index], status: $0) }
        }
    }

    /// Forgets the status of a task that has ended; its end carries the final one.
    mutating func drop(_ task: SessionTask) {
        guard !indices.isEmpty, let index = indices.removeValue(forKey: task.id) else { return }
        statuses[index] = nil
    }
}

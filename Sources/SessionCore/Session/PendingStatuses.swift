/// The statuses that are delivered at the end of a drain: the latest one of each task, in the order in which the tasks came
/// first.
struct PendingStatuses {
    /// The tasks that have a status here, in order.
    private(set) var tasks: [SessionTask] = []
    /// The statuses in the same order; nil where the task's end has overtaken its status.
    private var statuses: [TaskStatus?] = []
    /// The places whose statuses were told before their turn.
    private var told: Set<Int> = []
    /// The statuses that belong before an event of their task, one for each such event, in order.
    private var apart: [TransferID: [TaskStatus?]] = [:]
    /// Where each task is, so that the table which is looked through holds numbers alone.
    private var places: [TransferID: Int] = [:]

    var isEmpty: Bool { places.isEmpty }

    /// The status of the task at a place; nil when it is not told any more.
    subscript(place: Int) -> TaskStatus? { statuses[place] }

    /// Keeps a status in place of the task's earlier one.
    mutating func put(_ status: TaskStatus, of task: SessionTask) {
        if let place = places[task.id] {
            statuses[place] = status
        } else {
            places[task.id] = tasks.count
            tasks.append(task)
            statuses.append(status)
        }
    }

    /// Sets the status that a task has so far apart: what happened next makes its counts those of an earlier time.
    mutating func setApart(_ task: SessionTask) {
        let place = places.removeValue(forKey: task.id)
        apart[task.id, default: []].append(place.flatMap { statuses[$0] })
        if let place { statuses[place] = nil }
    }

    /// The status that was set apart for what happens to a task now; nil when there was none, or it was told already.
    mutating func takeSetApart(_ task: SessionTask) -> TaskStatus? {
        guard apart[task.id]?.isEmpty == false else { return nil }
        return apart[task.id]?.removeFirst()
    }

    /// The status of a task that has to be told before its turn; nil when there is none, or it was told so already.
    mutating func takeEarly(_ task: SessionTask) -> TaskStatus? {
        if !apart.isEmpty, case let status?? = apart[task.id]?.first {
            apart[task.id]?[0] = nil
            return status
        }
        guard let place = places[task.id], told.insert(place).inserted else { return nil }
        return statuses[place]
    }

    /// Whether the status at a place was told before its turn.
    func wasTold(_ place: Int) -> Bool { told.contains(place) }

    /// Forgets the status of a task that has ended, whose end brings its own.
    mutating func drop(_ task: SessionTask) {
        guard !places.isEmpty, let place = places.removeValue(forKey: task.id) else { return }
        statuses[place] = nil
    }
}

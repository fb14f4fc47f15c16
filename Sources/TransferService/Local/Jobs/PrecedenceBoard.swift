/// The tasks that wait for others, decided by names, ends and the state of rows.
///
/// It knows neither rows nor tasks; ``LocalService/keepPrecedence()`` does what follows.
struct PrecedenceBoard {
    private struct ListName: Hashable {
        let list: Int64
        let name: String
    }

    /// A task that waits.
    private struct Held {
        let precedence: Precedence
        /// Whether it is of an earlier run, whose completed predecessors may be gone.
        let isEarlier: Bool
        /// The predecessor that was reported.
        var told: String?
        /// Whether the saved session lacks the reported predecessor.
        var isLost = false
        /// The unfinished predecessors that a saved session lacks.
        var unsaved: [String]
    }

    /// The verdict about a task.
    struct Judgement: Equatable {
        let id: UInt64
        let verdict: Precedence.Verdict
        /// Whether it waited for another task before.
        let wasTold: Bool
        /// Whether other predecessors than before are unfinished and not saved.
        var changesUnsaved = false
    }

    /// The newest row of each name.
    private var rows: [String: UInt64] = [:]
    private var rowsOfLists: [ListName: UInt64] = [:]
    private var held: [UInt64: Held] = [:]
    /// The tasks that wait for a row.
    private var waiting: [UInt64: Set<UInt64>] = [:]
    /// The tasks that wait for names without a row, by name.
    private var unresolved: [String: Set<UInt64>] = [:]
    /// Tasks whose user has started them before their predecessors were completed.
    private var freed: Set<UInt64> = []
    /// Tasks that may begin, and are about to enter the queue.
    private var released: Set<UInt64> = []
    /// The tasks to judge, in ascending order.
    private var due: Set<UInt64> = []
    /// Whether a caller is carrying out judgements; it takes the ones that follow too.
    private(set) var isBeingJudged = false

    var isEmpty: Bool { held.isEmpty }

    /// How many tasks wait and would go on waiting if nothing else moved; 0 while any is to be judged.
    var stillCount: Int { due.isEmpty && !isBeingJudged ? held.count : 0 }

    /// The tasks that wait, and the predecessor of each.
    var waitingTasks: [UInt64: String?] { held.mapValues(\.told) }

    /// Whether tasks are to be judged.
    var hasDue: Bool { !due.isEmpty && !isBeingJudged }

    // MARK: - Tasks

    /// Lets a name mean a row.
    mutating func name(_ id: UInt64, _ precedence: Precedence?) {
        guard let name = precedence?.name else { return }
        rows[name] = id
        if let list = precedence?.list { rowsOfLists[ListName(list: list, name: name)] = id }
        if let tasks = unresolved.removeValue(forKey: name) { due.formUnion(tasks) }
    }

    /// Adds a task that wants to enter the queue; returns whether it may.
    mutating func enter(_ id: UInt64, _ precedence: Precedence, isEarlier: Bool) -> Bool {
        if released.remove(id) != nil || freed.contains(id) { return true }
        held[id] = held[id] ?? Held(precedence: precedence, isEarlier: isEarlier, unsaved: precedence.unsaved ?? [])
        due.insert(id)
        return false
    }

    /// Removes a task that does not want to begin any more.
    mutating func leave(_ id: UInt64) {
        guard held.removeValue(forKey: id) != nil else { return }
        due.remove(id)
    }

    /// Records that a row has ended: the tasks that wait for it are to be judged.
    mutating func ended(_ id: UInt64) {
        if held.isEmpty, freed.isEmpty, released.isEmpty, waiting.isEmpty { return }
        leave(id)
        freed.remove(id)
        released.remove(id)
        if let tasks = waiting.removeValue(forKey: id) { due.formUnion(tasks) }
    }

    /// Lets a task begin whatever its predecessors do.
    mutating func free(_ id: UInt64) {
        leave(id)
        freed.insert(id)
    }

    /// The predecessor that a task waits for; nil for a task that does not wait.
    func awaited(by id: UInt64) -> String? { held[id]?.told }

    /// Whether the saved session lacks the predecessor that a task waits for.
    func lacksAwaited(by id: UInt64) -> Bool { held[id]?.isLost ?? false }

    /// The unfinished predecessors of a task that a saved session lacks; nil for none.
    func unsaved(before id: UInt64) -> [String]? { held[id].flatMap { $0.unsaved.isEmpty ? nil : $0.unsaved } }

    // MARK: - Judgements

    /// Judges the tasks that are due, and releases the ones that may begin.
    ///
    /// - Parameter predecessor: what is known of a row, and whether a saved session has it.
    mutating func judge(_ predecessor: (UInt64) -> (state: Precedence.Predecessor, isSaved: Bool)) -> [Judgement] {
        isBeingJudged = true
        let ids = due.sorted()
        due = []
        return ids.compactMap { id -> Judgement? in
            guard let task = held[id] else { return nil }
            var unsaved: [String] = []
            let known = task.precedence.predecessors.map { name -> (name: String, state: Precedence.Predecessor) in
                let (state, isSaved) = knowledge(of: name, before: task, id, predecessor)
                if !isSaved, state != .completed, state != .gone { unsaved.append(name) }
                return (name, state)
            }
            let verdict = Precedence.verdict(known)
            let told = task.told
            let changesUnsaved = unsaved != task.unsaved
            held[id]?.unsaved = unsaved
            switch verdict {
            case .begins:
                leave(id)
                released.insert(id)
            case .fails: leave(id)
            case .waits(let name):
                held[id]?.isLost = known.contains { $0.name == name && $0.state == .lost }
                guard told != name || changesUnsaved else { return nil }
                held[id]?.told = name
            }
            return Judgement(id: id, verdict: verdict, wasTold: told != nil, changesUnsaved: changesUnsaved)
        }
    }

    /// What is known of a predecessor, whose next change makes the task due again.
    private mutating func knowledge(
        of name: String, before task: Held, _ id: UInt64,
        _ predecessor: (UInt64) -> (state: Precedence.Predecessor, isSaved: Bool)
    ) -> (state: Precedence.Predecessor, isSaved: Bool) {
        if let row = row(of: name, task.precedence.list) {
            let known = predecessor(row)
            if known.state == .unfinished { waiting[row, default: []].insert(id) }
            return known
        }
        let isLost = task.isEarlier && task.unsaved.contains(name)
        if task.isEarlier, !isLost { return (.gone, true) }
        guard isLost || task.precedence.list != nil else { return (.unknown, true) }
        unresolved[name, default: []].insert(id)
        return (isLost ? .lost : .unfinished, !isLost)
    }

    /// Ends the judging.
    mutating func endJudging() { isBeingJudged = false }

    /// The row that a name of a list means, else the newest one of the name.
    private func row(of name: String, _ list: Int64?) -> UInt64? {
        list.flatMap { rowsOfLists[ListName(list: $0, name: name)] } ?? rows[name]
    }
}

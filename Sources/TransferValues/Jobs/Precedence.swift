import SessionSupport

/// The name of a task, and the names of the tasks that must be completed before it begins.
package struct Precedence: Sendable, Equatable, Codable {
    /// The name by which other tasks wait for this one; nil for none.
    package var name: String?
    /// Each once.
    package var predecessors: [String] = []
    /// The run whose lists gave the names, so that a later list may use them again; nil for names from elsewhere.
    package var list: Int64?
    /// The predecessors that a saved session lacks, because they belong to the run that added them; nil for none.
    package var unsaved: [String]?

    package init(name: String? = nil, after predecessors: [String] = [], list: Int64? = nil) {
        (self.name, self.list) = (name, list)
        for name in predecessors where !self.predecessors.contains(name) { self.predecessors.append(name) }
    }

    var isEmpty: Bool { name == nil && predecessors.isEmpty }

    /// The names of this run's lists.
    package static let ofThisRun = Int64.random(in: 1...1 << 52)

    /// The most bytes of a name.
    private static let longestName = 100
    /// The most predecessors of one task.
    private static let mostPredecessors = 1_000

    fileprivate static func name(_ text: String) throws(OptionProblem) -> String {
        guard !text.isEmpty, text.utf8.count <= longestName, !text.contains(",") else {
            throw OptionProblem(QueueUsage.taskName(text, longestName))
        }
        return text
    }

    fileprivate static func names(_ text: String) throws(OptionProblem) -> [String] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= mostPredecessors else {
            throw OptionProblem(QueueUsage.tooManyPredecessors(mostPredecessors))
        }
        return try parts.map { (part) throws(OptionProblem) in try name(ByteText.trimmed(part)) }
    }
}

extension Precedence {
    /// The known state of a predecessor.
    package enum Predecessor: Sendable, CaseIterable {
        /// No task has its name.
        case unknown
        /// It waits, runs or is paused, or its list is still being added.
        case unfinished
        case completed
        case failed, cancelled
        /// It was completed or removed, and its row is gone.
        case gone
        /// It was not completed in an earlier run, and is not in the saved session.
        case lost
    }

    /// Whether a task may begin.
    package enum Verdict: Sendable, Equatable {
        case begins
        /// Waits for the first unfinished predecessor.
        case waits(for: String)
        /// Cannot begin; the reason is a sentence.
        case fails(String)
    }

    /// Decides by all predecessors: one that has failed counts before one that still runs.
    package static func verdict(_ predecessors: [(name: String, state: Predecessor)]) -> Verdict {
        for (name, state) in predecessors {
            switch state {
            case .failed: return .fails(PredecessorLines.predecessorFailed(name))
            case .cancelled: return .fails(PredecessorLines.predecessorCancelled(name))
            case .unknown: return .fails(PredecessorLines.noPredecessor(name))
            case .unfinished, .completed, .gone, .lost: break
            }
        }
        let awaited = predecessors.first { $0.state == .lost } ?? predecessors.first { $0.state == .unfinished }
        return awaited.map { .waits(for: $0.name) } ?? .begins
    }
}

/// The names and predecessors of tasks that are added together, checked before any of them begins.
package struct PrecedenceCheck: Sendable {
    /// The error in the names, and the label of the task in question.
    package struct Problem: Error, Equatable {
        package let label: String
        package let sentence: String
    }

    private var labels: [String: String] = [:]
    /// Predecessors by a task's name; tasks without a name have numbers of their own below.
    private var predecessors: [String: [String]] = [:]
    /// The tasks that wait, in their order.
    private var waiting: [(name: String?, predecessors: [String], label: String)] = []

    package init() {}

    /// Adds a task; throws for a name that another task has.
    package mutating func add(_ precedence: Precedence?, label: @autoclosure () -> String) throws(Problem) {
        guard let precedence else { return }
        let label = label()
        if let name = precedence.name {
            if let first = labels[name] {
                throw Problem(label: label, sentence: QueueUsage.nameTwice(name, first))
            }
            labels[name] = label
            predecessors[name] = precedence.predecessors
        }
        if !precedence.predecessors.isEmpty { waiting.append((precedence.name, precedence.predecessors, label)) }
    }

    /// Adds a task of a list that is still arriving; throws also for a predecessor that is not above it.
    package mutating func addArriving(_ precedence: Precedence?, label: @autoclosure () -> String) throws(Problem) {
        guard let precedence else { return }
        let label = label()
        if let missing = precedence.predecessors.first(where: { labels[$0] == nil }) {
            throw Problem(label: label, sentence: QueueUsage.noNameAbove(missing))
        }
        try add(Precedence(name: precedence.name), label: label)
    }

    /// Throws for a predecessor that no task has as its name, and for tasks that wait for each other.
    package func finish() throws(Problem) {
        for (_, predecessors, label) in waiting {
            if let missing = predecessors.first(where: { labels[$0] == nil }) {
                throw Problem(label: label, sentence: QueueUsage.noName(missing))
            }
        }
        if let circle = circle() {
            let label = circle.first.flatMap { labels[$0] } ?? ""
            throw Problem(label: label, sentence: QueueUsage.circle(circle.joined(separator: " → ")))
        }
    }

    /// Names that wait for each other, the first one again at the end; nil without any.
    ///
    /// Without recursion: a list may be a chain of a hundred thousand tasks.
    private func circle() -> [String]? {
        var isDone: Set<String> = []
        for start in waiting.compactMap(\.name) where !isDone.contains(start) {
            var path: [(name: String, next: Int)] = [(start, 0)]
            var depths = [start: 0]
            while let (name, next) = path.last {
                let names = predecessors[name] ?? []
                guard next < names.count else {
                    isDone.insert(name)
                    depths[name] = nil
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let other = names[next]
                if let depth = depths[other] { return path[depth...].map(\.name) + [other] }
                guard !isDone.contains(other) else { continue }
                depths[other] = path.count
                path.append((other, 0))
            }
        }
        return nil
    }
}

extension Job {
    /// The name of the task for ``predecessors`` of others; nil for none.
    package var taskName: String? {
        get { precedence?.name }
        set { setPrecedence(newValue, predecessors) }
    }
    /// The names of the tasks that must be completed before this one begins.
    package var predecessors: [String] {
        get { precedence?.predecessors ?? [] }
        set { setPrecedence(taskName, newValue) }
    }

    private mutating func setPrecedence(_ name: String?, _ predecessors: [String]) {
        var new = Precedence(name: name, after: predecessors, list: precedence?.list)
        new.unsaved = precedence?.unsaved
        precedence = new.isEmpty ? nil : new
    }
}

extension OptionKind where Value == String? {
    /// The name of a task.
    static var taskName: Self {
        OptionKind(OptionStyle("NAME")) { text throws(OptionProblem) in try Precedence.name(text) }
    }
}

extension OptionKind where Value == [String] {
    /// The names of tasks.
    static var taskNames: Self {
        OptionKind(OptionStyle("NAME,...")) { text throws(OptionProblem) in try Precedence.names(text) }
    }
}

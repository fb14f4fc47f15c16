/// The steps that `z` undoes, newest first.
///
/// A step that cannot be undone is passed over with its sentence. An earlier step is undone as far as its tasks still
/// allow it.
package struct UndoList: Sendable, Equatable {
    /// A change to tasks or limits, with the data to undo it.
    package enum Step: Sendable, Equatable {
        case paused([UInt64])
        case resumed([UInt64])
        case prioritised([UInt64], by: Int)
        /// Waiting tasks were moved in the queue, from these positions.
        case movedInQueue([UInt64: UInt64], by: Int)
        /// The concurrency limits before a change.
        case limited(TransferLimits)
        /// The rate limits before a change.
        case rated(RatePlan)
        /// A task got its own limits instead of these; nil for the run's.
        case limitedTask(UInt64, before: TaskRates?)
        /// A download's file was moved from this path.
        case movedFile(UInt64, from: String)
        /// The files of several downloads were moved from these paths.
        case movedFiles([FilePlace])
        /// Tasks were cancelled that can continue from the bytes they have.
        case cancelled(StoppedTasks)
        /// Rows were removed from the table; running ones were cancelled for that.
        case removed([UInt64], StoppedTasks)

        package var ids: [UInt64] {
            switch self {
            case .paused(let ids), .resumed(let ids), .prioritised(let ids, _): ids
            case .movedInQueue(let positions, _): positions.keys.sorted()
            case .limited, .rated: []
            case .limitedTask(let id, _), .movedFile(let id, _): [id]
            case .movedFiles(let files): files.map(\.id)
            case .cancelled(let tasks): tasks.ids
            case .removed(let ids, let tasks): ids + tasks.ids
            }
        }

        fileprivate func moves(_ file: FilePlace) -> Bool {
            switch self {
            case .movedFile(let id, let path): file == FilePlace(id: id, path: path)
            case .movedFiles(let files): files.contains(file)
            case .paused, .resumed, .prioritised, .movedInQueue, .limited, .rated, .limitedTask, .cancelled, .removed:
                false
            }
        }
    }

    /// A step that cannot be undone.
    private struct Lasting: Sendable, Equatable {
        var sentence: SafeText
        /// The number of steps before it.
        var count: Int
        /// How many steps in a row it stands for.
        var times: Int
    }

    /// The maximum number of steps, and of ids in all of them together: cleared rows take memory until they are
    /// dropped.
    private static let limits = (steps: 100, ids: 200_000)

    /// Oldest first.
    private var steps: [Step] = []
    /// The reason why nothing before the oldest step can be undone; nil if nothing was done before it.
    private var end: SafeText?
    /// How many steps in a row were that reason.
    private var endTimes = 0
    /// The sentences of steps that cannot be undone, with the number of steps before each.
    private var lasting: [Lasting] = []

    package init() {}

    package var isEmpty: Bool { steps.isEmpty }
    /// The step that is undone next; nil while one is latest that cannot be undone.
    package var next: Step? { latestLasting == nil ? steps.last : nil }
    /// The reason why nothing can be undone now; nil if a step can, or nothing was done.
    package var refusal: SafeText? { latestLasting ?? (steps.isEmpty ? end : nil) }

    private var latestLasting: SafeText? {
        lasting.last.flatMap { $0.count == steps.count ? $0.sentence : nil }
    }

    /// Adds a step; returns the steps dropped for it.
    package mutating func add(_ step: Step) -> [Step] {
        steps.append(step)
        var count = steps.reduce(0) { $0 + $1.ids.count }
        var lost: [Step] = []
        while steps.count > 1, steps.count > Self.limits.steps || count > Self.limits.ids {
            let oldest = steps.removeFirst()
            count -= oldest.ids.count
            lost.append(oldest)
            end = UndoReasons.tooOld
            for index in lasting.indices { lasting[index].count -= 1 }
        }
        lasting.removeAll { $0.count <= 0 }
        return lost
    }

    /// Forgets the latest moves of files from these paths, which turned out impossible: there is nothing to move back.
    ///
    /// That may be known only after a key has taken the step back, when an earlier move of the file is the latest one.
    mutating func forgetMoves(of places: [FilePlace]) {
        for place in places {
            guard let index = steps.lastIndex(where: { $0.moves(place) }) else { continue }
            if case .movedFiles(let files) = steps[index], files.count > 1 {
                steps[index] = .movedFiles(files.filter { $0 != place })
                continue
            }
            steps.remove(at: index)
            for later in lasting.indices where lasting[later].count > index { lasting[later].count -= 1 }
        }
    }

    /// Records a step that cannot be undone; the reason is a sentence.
    package mutating func pass(_ sentence: SafeText) {
        guard !steps.isEmpty else {
            endTimes = end == sentence ? endTimes + 1 : 1
            return end = sentence
        }
        // Each sentence is enough once between two steps.
        let earlier = lasting.firstIndex { $0.count == steps.count && $0.sentence == sentence }
        let times = earlier.map { lasting.remove(at: $0).times } ?? 0
        lasting.append(Lasting(sentence: sentence, count: steps.count, times: times + 1))
    }

    /// Forgets the latest step with this sentence, because it was refused: nothing was done.
    mutating func takeBack(_ sentence: SafeText) {
        if let index = lasting.lastIndex(where: { $0.sentence == sentence }) {
            lasting[index].times -= 1
            if lasting[index].times == 0 { lasting.remove(at: index) }
        } else if steps.isEmpty, end == sentence {
            endTimes -= 1
            if endTimes == 0 { end = nil }
        }
    }

    /// Ends the list: no step before this moment can be undone; the reason is a sentence.
    package mutating func close(_ reason: SafeText) {
        (steps, lasting, end) = ([], [], reason)
    }

    /// Passes over a step that cannot be undone, and returns its sentence; nil where a step can be undone, or nothing is
    /// left.
    package mutating func passOver() -> SafeText? {
        guard let sentence = latestLasting else { return steps.isEmpty ? end : nil }
        // One sentence is enough between two steps.
        lasting.removeAll { $0.count == steps.count }
        return sentence
    }

    /// Takes the latest step; nil without one, and while one is latest that cannot be undone.
    package mutating func takeNext() -> Step? { latestLasting == nil ? steps.popLast() : nil }

    /// The removed rows that a step brings back.
    var bringsBack: Set<UInt64> {
        steps.reduce(into: []) { if case .removed = $1 { $0.formUnion($1.ids) } }
    }
}

/// The path of a download's file.
package struct FilePlace: Sendable, Equatable {
    package let id: UInt64
    package let path: String

    package init(id: UInt64, path: String) { (self.id, self.path) = (id, path) }

    /// The last part of the path, for the screen.
    var name: SafeText { SafeText(untrusted: path.split(separator: "/").last.map(String.init) ?? path) }
}

/// Stopped tasks, by their earlier state.
package struct StoppedTasks: Sendable, Equatable {
    package private(set) var running: [UInt64] = []
    package private(set) var paused: [UInt64] = []

    package init(_ rows: [RowFigures] = []) {
        for row in rows {
            if row.state.isPaused { paused.append(row.id) } else { running.append(row.id) }
        }
    }

    package var ids: [UInt64] { running + paused }
}

extension RowFigures {
    /// Whether a task loses nothing by being stopped now: it can continue later from the bytes it has, or it is a request
    /// that has not begun, so that no server gets it twice.
    package var canBeStoppedAndGoOn: Bool {
        guard repetition == .none else { return false }
        if kind == .download { return moved == 0 || canResume }
        return moved == 0 && startedAt == nil && (state == .queued || state.isPaused)
    }
}

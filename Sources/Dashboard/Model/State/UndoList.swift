/// The steps that `z` takes back, the newest first.
///
/// A step that cannot be taken back ends the list: what was done before it is out of reach, because the tasks are not as
/// that step left them.
package struct UndoList: Sendable, Equatable {
    /// Something that was done to tasks or to limits, with what is needed to take it back.
    package enum Step: Sendable, Equatable {
        case paused([UInt64])
        case resumed([UInt64])
        case prioritised([UInt64], by: Int)
        /// Waiting tasks were moved in the queue, where they had these places before.
        case movedInQueue([UInt64: UInt64], by: Int)
        /// The limits on how many run, as they were before.
        case limited(TransferLimits)
        /// The limits of speed, as they were before.
        case rated(RatePlan)
        /// A task got limits of its own in the place of these; nil for the run's.
        case limitedTask(UInt64, before: TaskRates?)
        /// A download's file was given another place than this.
        case movedFile(UInt64, from: String)
        /// Tasks were cancelled that can go on where they were.
        case cancelled(StoppedTasks)
        /// Rows left the table; those under way were cancelled for that.
        case removed([UInt64], StoppedTasks)

        /// The tasks that the step was about.
        package var ids: [UInt64] {
            switch self {
            case .paused(let ids), .resumed(let ids), .prioritised(let ids, _): ids
            case .movedInQueue(let places, _): places.keys.sorted()
            case .limited, .rated: []
            case .limitedTask(let id, _), .movedFile(let id, _): [id]
            case .cancelled(let tasks): tasks.ids
            case .removed(let ids, let tasks): ids + tasks.ids
            }
        }
    }

    /// Steps that are kept, and ids in all of them together: rows that were cleared take room until they go for good.
    private static let limits = (steps: 100, ids: 200_000)

    /// Oldest first.
    private var steps: [Step] = []
    /// The reason why nothing before the oldest step can be taken back; nil where nothing was done before it.
    private var end: SafeText?

    package init() {}

    package var isEmpty: Bool { steps.isEmpty }
    /// The step that is taken back next.
    package var next: Step? { steps.last }
    /// The reason why nothing can be taken back now; nil where something can, or nothing was done.
    package var refusal: SafeText? { steps.isEmpty ? end : nil }

    /// Adds a step; answers those for which there is no room any more.
    package mutating func add(_ step: Step) -> [Step] {
        steps.append(step)
        var count = steps.reduce(0) { $0 + $1.ids.count }
        var lost: [Step] = []
        while steps.count > 1, steps.count > Self.limits.steps || count > Self.limits.ids {
            let oldest = steps.removeFirst()
            count -= oldest.ids.count
            lost.append(oldest)
            end = UndoReasons.tooOld
        }
        return lost
    }

    /// Ends the list with a step that cannot be taken back, for a reason that is a sentence.
    package mutating func close(_ reason: SafeText) {
        steps = []
        end = reason
    }

    /// Removes the newest step, which is taken back.
    package mutating func takeNext() -> Step? { steps.popLast() }
}

/// Tasks that were stopped, by what they did before.
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
    /// Whether a task that is stopped now loses nothing by it: it goes on later from where it was.
    package var canBeStoppedAndGoOn: Bool { kind == .download && repetition == .none && (moved == 0 || canResume) }
}

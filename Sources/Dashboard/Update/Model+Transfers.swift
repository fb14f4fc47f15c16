extension Model {
    /// Resumes the targets; failed and cancelled ones are tried again.
    mutating func resumeTargets() -> [Effect] {
        let all = targets
        let ending = all.filter(isEnding).map(\.id)
        for id in ending { endPlans[id] = .goesOn(from: .running) }
        let starting = all.filter { $0.canStart && !isEnding($0) }
        let ids = starting.map(\.id)
        let skipped = all.count - ids.count - ending.count
        // What is tried or sent again has a run more than before, which no pause takes back.
        let isUndoable = ending.isEmpty && starting.allSatisfy { $0.state.isPaused || $0.repetition == .paused }
        if ids.isEmpty {
            report(TaskToasts.resumesOnceCancelled(ending.count), skipped: skipped)
        } else {
            report(
                Self.resuming(starting, and: ending.count), unseen(among: ids), skipped: skipped,
                offersUndo: isUndoable)
        }
        holdSelection(among: ids)
        awaitAnswers(to: ids + ending)
        let kept =
            isUndoable
            ? remember(.resumed(ids))
            : endUndo(UndoReasons.retried(keys.key(of: .pause)))
        return kept + (ids.isEmpty ? [] : [.send(.resume(ids))])
    }

    /// Says of tasks whether they go on or start again.
    private static func resuming(_ rows: [RowFigures], and ending: Int) -> SafeText {
        let again = rows.count(where: \.startsAgain)
        if again == rows.count, ending == 0 { return TaskToasts.restarted(again) }
        let resumed = TaskToasts.resumed(rows.count + ending)
        return again > 0 ? [resumed, TaskToasts.fromStart(again)].joined(by: ", ") : resumed
    }

    /// Says why a key did nothing after all; what was done before can still be undone.
    mutating func nothingHit(_ reason: SafeText) -> [Effect] {
        notify(reason)
        return []
    }

    /// Asks before the targets are cancelled.
    ///
    /// Repeated requests of which none is under way are not sent again, without a question: nothing is lost by that.
    mutating func askToCancel() -> [Effect] {
        let rows = targets.filter(\.canCancel)
        guard rows.allSatisfy(\.isBetweenRuns) else {
            overlay = .question(.cancelling(rows.map(\.id)))
            return []
        }
        notify(TaskToasts.repeatsStopped(rows.count))
        return endUndo(UndoReasons.repeatStopped(keys.key(of: .repeatRequest)))
            + [.send(.cancel(rows.map(\.id), deletingParts: false))]
    }

    /// Cancels what the question was asked about.
    package mutating func cancel(deletingParts: Bool) -> [Effect] {
        guard let question else { return [] }
        overlay = nil
        let there = question.ids.compactMap { rows.figures(of: $0) }.filter(\.canCancel)
        let ids = there.map(\.id)
        let isUndoable = !ids.isEmpty && !deletingParts && there.allSatisfy(\.canBeStoppedAndGoOn)
        report(TaskToasts.cancelled(ids.count), skipped: question.ids.count - ids.count, offersUndo: isUndoable)
        for id in ids where rows.figures(of: id)?.state.isFinal == false && endPlans[id] != .leaves {
            endPlans[id] = .ends
        }
        guard !ids.isEmpty else { return [] }
        let kept =
            isUndoable
            ? remember(.cancelled(StoppedTasks(there)))
            : endUndo(UndoReasons.cancelled(keys.key(of: .resume)))
        return kept + [.send(.cancel(ids, deletingParts: deletingParts))]
    }

    /// Raises (above zero) or lowers the targets' priority, with a way back.
    mutating func prioritiseTargets(by steps: Int) -> [Effect] {
        let all = targets
        let ids = all.filter { $0.canPrioritise && (-2...2).contains(Int($0.priority) + steps) }.map(\.id)
        report(
            steps > 0 ? TaskToasts.priorityRaised(ids.count) : TaskToasts.priorityLowered(ids.count),
            skipped: all.count - ids.count, offersUndo: !ids.isEmpty)
        return ids.isEmpty ? [] : remember(.prioritised(ids, by: steps)) + [.send(.prioritise(ids, by: steps))]
    }

    /// Moves the waiting ones of the targets to earlier or later places of the queue.
    mutating func moveTargetsInQueue(by steps: Int) -> [Effect] {
        let all = targets
        let waiting = all.filter { $0.state == .queued }
        let ids = waiting.map(\.id)
        if all.count > 1 { report(TaskToasts.movedInQueue(ids.count), skipped: all.count - ids.count) }
        guard !ids.isEmpty else { return [.send(.moveInQueue(ids, by: steps))] }
        let places = Dictionary(waiting.map { ($0.id, $0.place) }) { first, _ in first }
        return remember(.movedInQueue(places, by: steps)) + [.send(.moveInQueue(ids, by: steps))]
    }
}

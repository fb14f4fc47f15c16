extension Model {
    /// Resumes the targets; failed and cancelled ones are retried.
    mutating func resumeTargets() -> [Effect] {
        let all = targets
        let ending = Set(all.filter(isEnding).map(\.id))
        for id in ending { endPlans[id] = nil }
        let starting = all.filter { ($0.canStart || isLeft($0)) && !ending.contains($0.id) }
        let ids = starting.map(\.id)
        let skipped = all.count - ids.count - ending.count
        // A retried or resent task has one more run than before, which no pause undoes.
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
        let kept = remember(
            isUndoable ? .resumed(ids) : nil, otherwise: UndoReasons.retried(keys.key(of: .pause)))
        // The service resumes a task that is being cancelled once it has ended.
        let resumed = all.filter { $0.canStart || isLeft($0) || ending.contains($0.id) }.map(\.id)
        return kept + (resumed.isEmpty ? [] : [.send(.resume(resumed))])
    }

    /// Why no target can be resumed: the current one may be held until its hours or other tasks let it run.
    var reasonNotToResume: SafeText {
        let held = list.marks.isEmpty || details.fullScreenID != nil ? current : nil
        return held?.figures.heldWord.map { TaskReasons.held($0, keys.key(of: .startNow)) }
            ?? TaskReasons.nothingToResume
    }

    /// Resumes the paused rows of the view; without a service also the ones that went on, which the next one resumes.
    mutating func resumeShown() -> [Effect] {
        let ids = rows.shownIDs { $0.state.isPaused || isLeft($0) }
        guard !ids.isEmpty else { return nothingHit(TaskReasons.nothingPausedInView) }
        let paused = ids.count { rows.figures(of: $0)?.state.isPaused == true }
        report(
            TaskToasts.resumed(ids.count), hidden: rows.counts[nil, .pausing, .paused] - paused,
            offersUndo: !isServiceAway)
        return remember(.resumed(ids)) + [.send(.resume(ids))]
    }

    /// The words for tasks that continue or start again.
    private static func resuming(_ rows: [RowFigures], and ending: Int) -> SafeText {
        let again = rows.count(where: \.startsAgain)
        if again == rows.count, ending == 0 { return TaskToasts.restarted(again) }
        let resumed = TaskToasts.resumed(rows.count + ending)
        return again > 0 ? [resumed, TaskToasts.fromStart(again)].joined(by: ", ") : resumed
    }

    /// Reports why a key did nothing after all; earlier steps can still be undone.
    mutating func nothingHit(_ reason: SafeText) -> [Effect] {
        notify(reason)
        return []
    }

    /// Asks before the targets are cancelled.
    ///
    /// If none of the repeated requests is running, their repetition ends without a question: nothing is lost by that.
    mutating func askToCancel() -> [Effect] {
        let rows = targets.filter(\.canCancel)
        guard rows.allSatisfy(\.isBetweenRuns) else {
            overlay = .question(.cancelling(rows.map(\.id)))
            return []
        }
        notify(TaskToasts.repeatsStopped(rows.count))
        passUndo(UndoReasons.repeatStopped(keys.key(of: .repeatRequest)))
        return [.send(.cancel(rows.map(\.id), deletingParts: false))]
    }

    /// Cancels the tasks in question.
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
        let kept = remember(
            isUndoable ? .cancelled(StoppedTasks(there)) : nil,
            otherwise: UndoReasons.cancelled(keys.key(of: .resume)))
        return kept + [.send(.cancel(ids, deletingParts: deletingParts))]
    }

    /// Raises (positive) or lowers the targets' priority, undoably.
    mutating func prioritiseTargets(by steps: Int) -> [Effect] {
        let all = targets
        let ids = all.filter { $0.canPrioritise && (-2...2).contains(Int($0.priority) + steps) }.map(\.id)
        report(
            steps > 0 ? TaskToasts.priorityRaised(ids.count) : TaskToasts.priorityLowered(ids.count),
            skipped: all.count - ids.count, offersUndo: !ids.isEmpty)
        return ids.isEmpty ? [] : remember(.prioritised(ids, by: steps)) + [.send(.prioritise(ids, by: steps))]
    }

    /// Moves the waiting targets to earlier or later positions of the queue.
    mutating func moveTargetsInQueue(by steps: Int) -> [Effect] {
        let all = targets
        let waiting = all.filter { $0.state == .queued }
        let ids = waiting.map(\.id)
        if all.count > 1 { report(TaskToasts.movedInQueue(ids.count), skipped: all.count - ids.count) }
        guard !ids.isEmpty else { return [.send(.moveInQueue(ids, by: steps))] }
        let positions = Dictionary(waiting.map { ($0.id, $0.position) }) { first, _ in first }
        return remember(.movedInQueue(positions, by: steps)) + [.send(.moveInQueue(ids, by: steps))]
    }
}

import SessionSupport

/// The undoing of steps, newest first.
extension Model {
    /// Records a step that can be undone.
    mutating func remember(_ step: UndoList.Step) -> [Effect] {
        let lost = undo.add(step)
        guard !lost.isEmpty else { return [] }
        // A task that a lost step has paused may have been cleared by a later one.
        let kept = undo.bringsBack
        return drop(lost.flatMap(\.ids).filter { rows.isAside($0) && !kept.contains($0) })
    }

    /// Records a step that can be undone, or the sentence of one that cannot.
    mutating func remember(_ step: UndoList.Step?, otherwise sentence: SafeText) -> [Effect] {
        if let step { return remember(step) }
        passUndo(sentence)
        return []
    }

    /// Records a step that cannot be undone; `sentence` says so, and names the keys that help.
    mutating func passUndo(_ sentence: SafeText) { undo.pass(sentence) }

    /// Ends the list of steps, of which none can be undone any more.
    mutating func endUndo(_ sentence: SafeText) -> [Effect] {
        undo.close(sentence)
        return dropCleared()
    }

    /// Undoes the latest step, as far as that is possible; the service leaves alone what another window has changed.
    mutating func undoLast() -> [Effect] {
        guard let step = undo.takeNext() else {
            if let sentence = undo.passOver() { notify(sentence) }
            return []
        }
        return takeBack(step).map { effect in
            switch effect {
            case .send(.restore): effect
            case .send(let command): .send(.undo(command))
            default: effect
            }
        }
    }

    private mutating func takeBack(_ step: UndoList.Step) -> [Effect] {
        switch step {
        case .paused(let ids):
            let hit = pausable(ids) { $0.repetition == .paused }
            return undone(TaskToasts.resumed, hit, of: ids.count, [.send(.resume(hit))])
        case .resumed(let ids):
            let hit = pausable(ids) { _ in false }
            return undone(TaskToasts.paused, hit, of: ids.count, [.send(.pause(hit))])
        case .prioritised(let ids, let steps):
            let hit = ids.filter { rows.figures(of: $0)?.canPrioritise == true }
            return undone(TaskToasts.priorityRestored, hit, of: ids.count, [.send(.prioritise(hit, by: -steps))])
        case .movedInQueue(let positions, let steps):
            // A task at the end of the queue did not move.
            let hit = positions.keys.sorted().filter { id in
                rows.figures(of: id).map { $0.state == .queued && $0.position != positions[id] } ?? false
            }
            return undone(
                TaskToasts.positionsRestored, hit, of: positions.count, [.send(.moveInQueue(hit, by: -steps))])
        case .limited(let limits):
            options.limits = limits
            notify(LimitToasts.restored(limitCounts))
            return [.send(.setLimits(limits))]
        case .rated(let plan):
            options.rates = plan
            notify(LimitToasts.restored(RatesText.words(plan.download, plan.upload)))
            return [.send(.setRates(plan))]
        case .limitedTask(let id, let before): return limitAgain(id, to: before)
        case .movedFile(let id, let path): return moveBack(id, to: path)
        case .movedFiles(let files):
            let hit = files.filter { rows.figures(of: $0.id)?.canMoveFile == true }
            guard !hit.isEmpty else { return nothingHit(TaskReasons.notMovableBack) }
            report(TaskToasts.movingBack(hit.count), skipped: files.count - hit.count)
            return [.moveFilesBack(hit)]
        case .cancelled(let tasks):
            let (hit, effects) = goOn(tasks)
            let isPaused = Set(hit).isSubset(of: tasks.paused)
            return undone(isPaused ? TaskToasts.pausedAgain : TaskToasts.resumed, hit, of: tasks.ids.count, effects)
        case .removed(let ids, let tasks): return bringBack(ids, tasks)
        }
    }

    private mutating func bringBack(_ ids: [UInt64], _ tasks: StoppedTasks) -> [Effect] {
        let back = rows.bringBack(ids + tasks.ids, rates: rates, now: now)
        rates.sum(rows: rows, now: now)
        let (hit, effects) = goOn(tasks, restored: Set(back))
        let there = Set(back).union(hit)
        guard !there.isEmpty else { return nothingHit(UndoReasons.stepIsGone) }
        report(TaskToasts.restored(there.count), skipped: ids.count + tasks.ids.count - there.count)
        return [.send(.restore((ids + tasks.ids).filter(there.contains)))] + effects
    }

    /// Tasks that are paused, can be paused, or are of another kind.
    private func pausable(_ ids: [UInt64], or isOther: (RowFigures) -> Bool) -> [UInt64] {
        ids.filter { id in
            rows.figures(of: id).map { $0.state.isPaused || $0.canPause || isOther($0) } ?? false
        }
    }

    private mutating func undone(
        _ words: (Int) -> SafeText, _ hit: [UInt64], of count: Int, _ effects: [Effect]
    ) -> [Effect] {
        guard !hit.isEmpty else { return nothingHit(UndoReasons.stepIsGone) }
        report(words(hit.count), skipped: count - hit.count)
        return effects
    }

    /// Resumes cancelled tasks, the ones that are still being cancelled too; one that was paused stays so.
    ///
    /// A restored row may have left before its end was shown.
    private mutating func goOn(
        _ tasks: StoppedTasks, restored: Set<UInt64> = []
    ) -> (hit: [UInt64], [Effect]) {
        func stopped(_ ids: [UInt64]) -> [UInt64] {
            ids.filter { id in
                guard let row = rows.figures(of: id), row.state != .done else { return false }
                return row.state.isFinal || endPlans[id] != nil || restored.contains(id)
            }
        }
        let paused = stopped(tasks.paused)
        let hit = stopped(tasks.running) + paused
        for id in hit { endPlans[id] = nil }
        guard !hit.isEmpty else { return ([], []) }
        return (hit, [.send(.resume(hit))] + (paused.isEmpty ? [] : [.send(.pause(paused))]))
    }
}

/// The clearing of rows, which leave the table and the session at once, and are forgotten when their clearing can no
/// longer be undone.
extension Model {
    /// Clears the completed rows of the view.
    mutating func clearDone() -> [Effect] {
        // A repeated request would return in a moment.
        let ids = rows.shownIDs { $0.state == .done && !$0.isBetweenRuns }
        return clear(ids, skipped: 0, hidden: rows.counts[nil, .done] - rows.counts.betweenRuns)
    }

    /// Clears the rows in question that are still over.
    mutating func clearEnded() -> [Effect] {
        guard let question else { return [] }
        overlay = nil
        let ended = question.ids.filter { rows.figures(of: $0)?.state.isFinal == true }
        return clear(
            ended, skipped: question.ids.count - ended.count, hidden: rows.counts.ended - rows.counts.betweenRuns)
    }

    /// Clears rows, of `total` such rows in the list.
    private mutating func clear(_ ended: [UInt64], skipped: Int, hidden total: Int) -> [Effect] {
        guard !ended.isEmpty else { return nothingHit(TaskReasons.noneDoneInView) }
        let ended = ended.sorted()
        let effects = remember(.removed(ended, StoppedTasks()))
        report(TaskToasts.cleared(ended.count), skipped: skipped, hidden: total - ended.count, offersUndo: true)
        setAside(ended)
        return effects + [.send(.remove(ended, deletingParts: false))]
    }

    /// Stores a cleared row without showing it; returns false if it was not cleared, or is live again and so comes
    /// back.
    mutating func staysCleared(_ row: RowSnapshot) -> Bool {
        guard rows.isAside(row.id) else { return false }
        guard row.state.isFinal else {
            rows.forgetAside([row.id])
            return false
        }
        rows.updateAside(row)
        return true
    }

    /// Drops cleared rows permanently.
    package mutating func dropCleared() -> [Effect] { drop(rows.asideIDs) }

    /// Drops the cleared rows of some jobs permanently: an invisible row must not block a new one.
    mutating func dropCleared(inTheWayOf jobs: [Job]) -> [Effect] {
        guard rows.hasAside else { return [] }
        return drop(rows.asideIDs(withURLs: jobs.map { SafeText(url: $0.url) }))
    }

    private mutating func drop(_ ids: [UInt64]) -> [Effect] {
        rows.forgetAside(ids)
        return ids.isEmpty ? [] : [.send(.clear(ids.sorted()))]
    }
}

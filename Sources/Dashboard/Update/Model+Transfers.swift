extension Model {
    /// Pauses the targets.
    mutating func pauseTargets() -> [Effect] {
        let all = targets
        let ids = all.filter(\.canPause).map(\.id)
        guard !ids.isEmpty else { return nothingHit("Nothing selected can be paused") }
        undo = Undo(action: .paused, ids: ids)
        reportPause(of: ids, skipped: all.count - ids.count)
        holdSelection(among: ids)
        return [.pause(ids)]
    }

    /// Resumes the targets; failed and cancelled ones are tried again.
    mutating func resumeTargets() -> [Effect] {
        let all = targets
        let ending = all.filter(isEnding).map(\.id)
        for id in ending { endPlans[id] = .goesOn }
        let ids = all.filter { $0.canStart && !isEnding($0) }.map(\.id)
        let skipped = all.count - ids.count - ending.count
        if ids.isEmpty {
            report("Resuming " + SafeText.tasks(ending.count) + " as soon as cancelled", skipped: skipped)
        } else {
            report("Resuming " + SafeText.tasks(ids.count + ending.count) + unseen(among: ids), skipped: skipped)
        }
        holdSelection(among: ids)
        awaitAnswers(to: ids + ending)
        return ids.isEmpty ? [] : [.resume(ids)]
    }

    /// Pauses everything in the current view, with a way back.
    mutating func pauseView() -> [Effect] {
        let ids = rows.shownIDs(where: \.canPause)
        guard !ids.isEmpty else { return nothingHit("Nothing in this view can be paused") }
        undo = Undo(action: .paused, ids: ids)
        let live = ids.count { rows.figures(of: $0)?.isBetweenRuns == false }
        reportPause(
            of: ids, skipped: rows.shownCount - ids.count,
            hidden: rows.counts[nil, .running, .retrying, .queued] - live)
        return [.pause(ids)]
    }

    /// Resumes every paused transfer in the current view, with a way back.
    mutating func resumeView() -> [Effect] {
        let ids = rows.shownIDs(where: \.state.isPaused)
        guard !ids.isEmpty else { return nothingHit("Nothing in this view is paused") }
        undo = Undo(action: .resumed, ids: ids)
        report(
            "Resuming", hit: ids.count, skipped: rows.shownCount - ids.count,
            hidden: rows.counts[nil, .pausing, .paused] - ids.count, offersUndo: true)
        return [.resume(ids)]
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
            overlay = .cancel(CancelDialog(ids: rows.map(\.id)))
            return []
        }
        let requests: SafeText = rows.count == 1 ? "The request is" : SafeText(rows.count) + " requests are"
        notify(requests + " not repeated any more")
        return [.cancel(rows.map(\.id), deletingParts: false)]
    }

    /// Cancels what the dialog was opened for.
    package mutating func cancel(deletingParts: Bool) -> [Effect] {
        guard case .cancel(let dialog) = overlay else { return [] }
        overlay = nil
        let ids = dialog.ids.filter { rows.figures(of: $0)?.canCancel == true }
        report("Cancelling", hit: ids.count, skipped: dialog.ids.count - ids.count)
        for id in ids where rows.figures(of: id)?.state.isFinal == false && endPlans[id] != .leaves {
            endPlans[id] = .ends
        }
        return ids.isEmpty ? [] : [.cancel(ids, deletingParts: deletingParts)]
    }

    /// Raises (above zero) or lowers the targets' priority, with a way back.
    mutating func prioritiseTargets(by steps: Int) -> [Effect] {
        let all = targets
        let ids = all.filter { $0.canPrioritise && (-2...2).contains(Int($0.priority) + steps) }.map(\.id)
        if !ids.isEmpty { undo = Undo(action: .prioritised(steps), ids: ids) }
        let verb: SafeText = steps > 0 ? "Raising the priority of" : "Lowering the priority of"
        report(verb, hit: ids.count, skipped: all.count - ids.count, offersUndo: !ids.isEmpty)
        return ids.isEmpty ? [] : [.prioritise(ids, by: steps)]
    }

    /// Moves the waiting ones of the targets to earlier or later places of the queue.
    mutating func moveTargetsInQueue(by steps: Int) -> [Effect] {
        let all = targets
        let ids = all.filter { $0.state == .queued }.map(\.id)
        if all.count > 1 { report("Moving", hit: ids.count, skipped: all.count - ids.count) }
        return [.moveInQueue(ids, by: steps)]
    }
}

extension RowFigures {
    /// Whether a pause would change anything.
    package var canPause: Bool {
        switch state {
        case .running, .retrying, .queued: true
        case .verifying, .paused, .failed, .done, .cancelled: false
        }
    }

    /// Whether a resume, or a retry, would change anything.
    package var canStart: Bool {
        switch state {
        case .paused, .failed, .cancelled: true
        case .done: kind == .data
        case .running, .retrying, .queued, .verifying: false
        }
    }

    /// Whether there is something to cancel.
    package var canCancel: Bool { !state.isFinal }
}

extension Model {
    /// Marks above which a key is offered without looking at every marked row; its toast counts what it hit.
    private static let inspectionLimit = 200

    /// Whether something holds of a target, as far as can be said without looking at thousands.
    func hasTarget(where condition: (RowFigures) -> Bool) -> Bool {
        if details.fullScreenID != nil || list.marks.isEmpty { return targets.first.map(condition) ?? false }
        if list.marks.count > Model.inspectionLimit { return true }
        return list.marks.contains { id in rows.figures(of: id).map(condition) ?? false }
    }

    /// Whether the current view may show a row in one of some states.
    ///
    /// Counts answer it at once; only a filter that leaves few rows is looked at row by row.
    func mayShow(_ states: RowState...) -> Bool {
        guard states.contains(where: { rows.counts[rows.query.tab.kind, $0] > 0 }) else { return false }
        guard rows.query.isFiltering, rows.shownCount <= Model.inspectionLimit else { return rows.shownCount > 0 }
        return rows.showsAny { states.contains($0.state) }
    }

    /// Pauses the targets.
    mutating func pauseTargets() -> [Effect] {
        let all = targets
        let ids = all.filter(\.canPause).map(\.id)
        undo = Undo(action: .paused, ids: ids, expiresAt: now + Toast.undoDuration)
        report("Pausing", hit: ids.count, skipped: all.count - ids.count, offersUndo: true)
        return [.pause(ids)]
    }

    /// Resumes the targets; failed and cancelled ones are tried again.
    mutating func resumeTargets() -> [Effect] {
        let all = targets
        let ids = all.filter(\.canStart).map(\.id)
        report("Resuming", hit: ids.count, skipped: all.count - ids.count)
        return [.resume(ids)]
    }

    /// Pauses everything in the current view, with a way back.
    mutating func pauseView() -> [Effect] {
        let ids = rows.shownIDs(where: \.canPause)
        undo = Undo(action: .paused, ids: ids, expiresAt: now + Toast.undoDuration)
        report("Pausing", hit: ids.count, skipped: rows.shownCount - ids.count, offersUndo: true)
        return [.pause(ids)]
    }

    /// Resumes every paused transfer in the current view, with a way back.
    mutating func resumeView() -> [Effect] {
        let ids = rows.shownIDs { $0.state == .paused }
        undo = Undo(action: .resumed, ids: ids, expiresAt: now + Toast.undoDuration)
        report("Resuming", hit: ids.count, skipped: rows.shownCount - ids.count, offersUndo: true)
        return [.resume(ids)]
    }

    /// Takes back what was done last, as far as it can be.
    mutating func takeBack() -> [Effect] {
        guard let undo else { return [] }
        self.undo = nil
        switch undo.action {
        case .paused:
            let ids = undo.ids.filter {
                rows.figures(of: $0)?.state == .paused || rows.figures(of: $0)?.canPause == true
            }
            report("Resuming again", hit: ids.count, skipped: undo.ids.count - ids.count)
            return [.resume(ids)]
        case .resumed:
            let ids = undo.ids.filter {
                rows.figures(of: $0)?.state == .paused || rows.figures(of: $0)?.canPause == true
            }
            report("Pausing again", hit: ids.count, skipped: undo.ids.count - ids.count)
            return [.pause(ids)]
        case .prioritised(let steps):
            report("Priority as before for", hit: undo.ids.count, skipped: 0)
            return [.prioritise(undo.ids, by: -steps)]
        case .cleared:
            takeBackClear()
            return []
        }
    }

    /// Asks before the targets are cancelled.
    mutating func askToCancel() {
        overlay = .cancel(CancelDialog(ids: targets.filter(\.canCancel).map(\.id)))
    }

    /// Cancels what the dialog was opened for.
    package mutating func cancel(deletingParts: Bool) -> [Effect] {
        guard case .cancel(let dialog) = overlay else { return [] }
        overlay = nil
        let ids = dialog.ids.filter { rows.figures(of: $0)?.canCancel == true }
        report("Cancelling", hit: ids.count, skipped: dialog.ids.count - ids.count)
        return ids.isEmpty ? [] : [.cancel(ids, deletingParts: deletingParts)]
    }
}

extension RowFigures {
    /// Whether its priority still matters.
    var canPrioritise: Bool { !state.isFinal }
}

extension Model {
    /// Raises (above zero) or lowers the targets' priority, with a way back.
    mutating func prioritiseTargets(by steps: Int) -> [Effect] {
        let all = targets
        let ids = all.filter { $0.canPrioritise && (-2...2).contains(Int($0.priority) + steps) }.map(\.id)
        undo = Undo(action: .prioritised(steps), ids: ids, expiresAt: now + Toast.undoDuration)
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

    /// What a priority is called.
    package static func word(ofPriority priority: Int8) -> SafeText {
        switch priority {
        case ..<(-1): "lowest"
        case -1: "low"
        case 0: "normal"
        case 1: "high"
        default: "highest"
        }
    }
}

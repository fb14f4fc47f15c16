/// The kinds of conditions of commands; conditions that several share have a name.
extension Command.Requirement {
    /// A condition on the dashboard.
    static func model(_ reason: SafeText, _ holds: @escaping @Sendable (Model) -> Bool) -> Self {
        Self { holds($0) ? nil : reason }
    }

    /// A condition on the task under the cursor or on the full screen.
    static func current(_ reason: SafeText, _ fits: @escaping @Sendable (RowSnapshot) -> Bool) -> Self {
        Self(isAboutOneTask: true) { $0.current.map(fits) == true ? nil : reason }
    }

    /// A condition on a task the key would act on: a marked one, the current one, or one of the current group.
    static func target(_ reason: SafeText, _ fits: @escaping @Sendable (RowFigures) -> Bool) -> Self {
        Self { $0.hasTarget(where: fits) ? nil : reason }
    }

    /// A condition that a row in the view has one of these states or `holds`; the reason says how many the tab or the
    /// filter hides.
    static func inView(
        _ states: [RowState], _ reason: SafeText, or holds: @escaping @Sendable (Model) -> Bool = { _ in false }
    ) -> Self {
        Self { model in
            if model.mayShow(states) || holds(model) && model.rows.shownCount > 0 { return nil }
            let hidden = model.rows.counts.sum(of: states)
            return hidden > 0 ? TaskReasons.hidden(reason, hidden) : reason
        }
    }
}

extension Command.Requirement {
    static let currentTask = Self(isAboutOneTask: true) { $0.current == nil ? $0.reasonForNoTask : nil }
    static let anyTarget = Self { $0.hasTarget(where: { _ in true }) ? nil : $0.reasonForNoTask }
    static let taskInView = Self { $0.rows.shownCount > 0 ? nil : $0.reasonForNoTask }
    static let anyTask = model(TaskReasons.noTaskYet) { $0.rows.count > 0 }
    static let liveTask = target(TaskReasons.noneWaitsOrRuns) { $0.canPrioritise }
    static let queuedTask = Self { model in
        if model.hasTarget(where: { $0.state == .queued }) { return nil }
        return model.reasonOfAbsence ?? TaskReasons.noneQueued
    }
    static let resumableTask = Self { model in
        if model.hasTarget(where: { $0.canStart || model.isEnding($0) || model.isLeft($0) }) { return nil }
        return model.reasonNotToResume
    }
    static let failedTaskInView = inView([.failed], TaskReasons.noneFailedInView)
    static let search = model(TaskReasons.noSearch) { $0.details.search != nil }
    /// A body that is JSON, and on the screen.
    static let jsonBody = model(TaskReasons.onlyJSONFolds) {
        $0.details.json != nil && $0.details.tab == .body
    }
    /// A column's line under the cursor of the options.
    static let column = model(TaskReasons.onlyColumns) { $0.highlightedColumn != nil }

    /// A partial file in the list of leftovers, and no open question about it.
    static let unaskedLeftover = Self { model in
        guard let state = model.leftoversState, state.current != nil else { return TaskReasons.noLeftover }
        return state.asked.isEmpty ? nil : TaskReasons.questionOpen
    }

    /// A task in the history whose request can be added again.
    static let keptEnd = Self { model in
        guard let entry = model.openHistory?.current else { return TaskReasons.noEndedTask }
        return entry.url.isEmpty ? TaskReasons.urlNotKept : nil
    }

    /// A task in the history, and no open question about it.
    static let unaskedEnd = Self { model in
        guard let state = model.openHistory, state.current != nil else { return TaskReasons.noEndedTask }
        return state.question == nil ? nil : TaskReasons.questionOpen
    }

    static let undo = Self { model in
        // The next service cannot take back what was done before it.
        if let reason = model.reasonOfAbsence { return reason }
        return model.undo.isEmpty ? model.undo.refusal ?? UndoReasons.nothing : nil
    }

    /// A complete file or a body that can be shown.
    static let viewableFile = Self(isAboutOneTask: true) { model in
        if model.hasFileOrBody { return nil }
        let isWrong = model.current?.cause == .checksum && model.current?.state == .failed
        return isWrong
            ? TaskReasons.checksumMismatch
            : TaskReasons.nothingToView
    }
}

extension Model {
    /// The reason for a key without a task to act on.
    fileprivate var reasonForNoTask: SafeText {
        if rows.count == 0 { return TaskReasons.noTaskYet }
        return rows.shownCount == 0 ? TaskReasons.noTaskInView : TaskReasons.selectTaskFirst
    }

    /// With more marks than this a key is offered without checking every marked row; its toast counts the affected
    /// ones.
    private static let inspectionLimit = 200

    /// Whether a condition holds for a target, as far as that is known without checking thousands of rows.
    func hasTarget(where condition: (RowFigures) -> Bool) -> Bool {
        if details.fullScreenID == nil, list.marks.isEmpty, let group = currentGroup {
            return group.count > Model.inspectionLimit || rows.contains(in: group, where: condition)
        }
        if details.fullScreenID != nil || list.marks.isEmpty { return targets.first.map(condition) ?? false }
        if list.marks.count > Model.inspectionLimit { return true }
        return list.marks.contains { id in rows.figures(of: id).map(condition) ?? false }
    }

    /// Whether the current view may show a row in one of some states.
    ///
    /// Counts answer at once; rows are checked one by one only if a filter leaves few of them.
    fileprivate func mayShow(_ states: [RowState]) -> Bool {
        guard states.contains(where: { rows.counts[rows.query.tab.kind, $0] > 0 }) else { return false }
        guard rows.query.isFiltering, rows.shownCount <= Model.inspectionLimit else { return rows.shownCount > 0 }
        return rows.showsAny { states.contains($0.state) }
    }

    /// Whether the current view may show a row that its hours have paused; of many rows none is checked.
    var mayShowHeldRow: Bool {
        guard rows.counts[rows.query.tab.kind, .paused] > 0 else { return false }
        return rows.shownCount > Model.inspectionLimit || rows.showsAny(where: \.resumesByItself)
    }

    /// Whether the current row is a data request with a body to write.
    var hasBody: Bool { current?.kind == .data && details.rowDetails.map { !$0.body.lines.isEmpty } == true }

    /// Whether the current row has a complete file or a body to show, as far as is known before its details arrive.
    fileprivate var hasFileOrBody: Bool {
        guard let row = current else { return false }
        if row.path != nil, row.kind == .upload || row.state == .done { return true }
        guard row.kind != .download else { return false }
        guard details.watchedID == row.id, let rowDetails = details.rowDetails else {
            return row.state == .done || row.state.isFinal && row.received > 0
        }
        return !rowDetails.body.lines.isEmpty
    }
}

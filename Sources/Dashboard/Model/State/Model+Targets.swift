/// The rows that keys act on, and whether a command would do anything.
extension Model {
    /// The rows a key acts on: in full-screen details that one, else the marked ones, else the selected one or those of the
    /// selected group.
    package var targets: [RowFigures] {
        if let id = details.fullScreenID { return [id].compactMap { rows.figures(of: $0) } }
        if list.marks.isEmpty, let group = currentGroup { return rows.figures(in: group) }
        if list.marks.isEmpty { return [list.cursor].compactMap { $0.flatMap { rows.figures(of: $0) } } }
        return list.marks.sorted().compactMap { rows.figures(of: $0) }
    }

    /// The group whose own line is selected.
    package var currentGroup: RowGroup? { list.group.flatMap { rows.group($0) } }

    /// Marks above which a key is offered without looking at every marked row; its toast counts what it hit.
    private static let inspectionLimit = 200

    /// Whether something holds of a target, as far as can be said without looking at thousands.
    private func hasTarget(where condition: (RowFigures) -> Bool) -> Bool {
        if details.fullScreenID == nil, list.marks.isEmpty, let group = currentGroup {
            return group.count > Model.inspectionLimit || rows.contains(in: group, where: condition)
        }
        if details.fullScreenID != nil || list.marks.isEmpty { return targets.first.map(condition) ?? false }
        if list.marks.count > Model.inspectionLimit { return true }
        return list.marks.contains { id in rows.figures(of: id).map(condition) ?? false }
    }

    /// Whether the current view may show a row in one of some states.
    ///
    /// Counts answer it at once; only a filter that leaves few rows is looked at row by row.
    private func mayShow(_ states: [RowState]) -> Bool {
        guard states.contains(where: { rows.counts[rows.query.tab.kind, $0] > 0 }) else { return false }
        guard rows.query.isFiltering, rows.shownCount <= Model.inspectionLimit else { return rows.shownCount > 0 }
        return rows.showsAny { states.contains($0.state) }
    }

    /// Whether the current row is a data request with a body to write.
    private var hasBody: Bool { current?.kind == .data && details.facts.map { !$0.body.lines.isEmpty } == true }

    /// Whether the current row has a whole file or a body to look at, as far as is known before its details have come.
    private var hasFileOrBody: Bool {
        guard let row = current else { return false }
        if row.path != nil, row.kind == .upload || row.state == .done { return true }
        guard row.kind != .download else { return false }
        guard details.watchedID == row.id, let facts = details.facts else {
            return row.state == .done || row.state.isFinal && row.received > 0
        }
        return !facts.body.lines.isEmpty
    }

    /// Whether some of these transfers may have partial files: only downloads do.
    package func hasParts(_ ids: [UInt64]) -> Bool { ids.contains { rows.figures(of: $0)?.kind == .download } }

    /// The highlighted column's number; nil when another option is highlighted.
    var highlightedColumn: Int? {
        guard case .options(let menu) = overlay, case .column(let column) = menu.item(options) else { return nil }
        return options.columnOrder.firstIndex(of: column)
    }

    /// The reason why a command would do nothing now; nil when it would do something.
    package func disabledReason(of command: Command) -> SafeText? {
        guard let requirement = command.requirement, !meets(requirement) else { return nil }
        if requirement.isAboutOneTask, details.fullScreenID == nil, currentGroup != nil {
            return "This is for one task, and a group is selected"
        }
        if requirement == .viewable, current?.cause == .checksum, current?.state == .failed {
            return "The checksum was wrong: what came was set aside and is not the file"
        }
        if requirement == .undo, let refusal = undo.refusal { return refusal }
        let hidden = rows.counts.sum(of: Self.viewStates(of: requirement))
        return requirement.reason + (hidden > 0 ? "; hidden ones: " + SafeText(hidden) : "")
    }

    /// The states that a command looks for in the view; none for a command that looks elsewhere.
    private static func viewStates(of requirement: Command.Requirement) -> [RowState] {
        switch requirement {
        case .pausableTaskInView: [.running, .retrying, .queued]
        case .pausedTaskInView: [.pausing, .paused]
        case .failedTaskInView: [.failed]
        case .doneTaskInView: [.done]
        case .endedTaskInView: [.done, .failed, .cancelled]
        case .currentTask, .target, .taskInView, .anyTask, .pausableTask, .resumableTask, .cancellableTask, .liveTask,
            .queuedTask, .startableTask, .doneTask, .unfinishedDownload, .movableFile, .viewable, .wholeFile, .filePath,
            .partialFiles,
            .dataRequest, .body, .json, .jsonBody, .marks, .undo, .search, .column, .groups:
            []
        }
    }

    /// Whether a row was cancelled and has not ended yet: what is asked of it now is done when it has.
    func isEnding(_ row: RowFigures) -> Bool {
        guard !endPlans.isEmpty, !row.state.isFinal else { return false }
        return endPlans[row.id] == .ends || endPlans[row.id]?.isGoingOn == true
    }

    private func meets(_ requirement: Command.Requirement) -> Bool {
        switch requirement {
        case .currentTask: current != nil
        case .target: hasTarget { _ in true }
        case .taskInView: rows.shownCount > 0
        case .groups: rows.query.grouping != .none
        case .anyTask: rows.count > 0
        case .pausableTask: hasTarget(where: \.canPause)
        case .resumableTask: hasTarget { $0.canStart || isEnding($0) }
        case .cancellableTask: hasTarget(where: \.canCancel)
        case .liveTask: hasTarget(where: \.canPrioritise)
        case .queuedTask: hasTarget { $0.state == .queued }
        case .startableTask: hasTarget(where: \.canStartNow)
        case .doneTask: hasTarget { $0.state == .done }
        case .unfinishedDownload: current?.figures.isUnfinishedDownload == true
        case .movableFile: current?.figures.hasMovableFile == true
        case .viewable: hasFileOrBody
        case .wholeFile: current.map { $0.path != nil && ($0.state == .done || $0.kind == .upload) } ?? false
        case .filePath: current?.path != nil
        case .pausableTaskInView:
            mayShow(Self.viewStates(of: requirement)) || rows.counts.betweenRuns > 0 && rows.shownCount > 0
        case .pausedTaskInView, .failedTaskInView, .doneTaskInView, .endedTaskInView:
            mayShow(Self.viewStates(of: requirement))
        case .partialFiles: if case .cancel(let dialog) = overlay { hasParts(dialog.ids) } else { false }
        case .dataRequest: current?.kind == .data
        case .body: hasBody
        case .json: details.json != nil
        case .jsonBody: details.json != nil && details.tab == .body
        case .marks: !list.marks.isEmpty
        case .undo: !undo.isEmpty
        case .search: details.search != nil
        case .column: highlightedColumn != nil
        }
    }
}

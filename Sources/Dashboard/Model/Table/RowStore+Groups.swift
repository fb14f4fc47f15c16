/// The lines of the table: rows, and a line over each group of them.
extension RowStore {
    /// The number of selectable lines.
    package var lineCount: Int { groups.isOn ? groups.lineCount : order.count }

    /// The number of groups that have rows.
    package var groupCount: Int { groups.groups.count }

    /// The position in the order of a line's row; nil for a group's line and outside of the table.
    private func position(ofLine line: Int) -> Int? {
        guard groups.isOn else { return order.indices.contains(line) ? line : nil }
        guard let index = groups.index(atLine: line), line > groups.lines[index] else { return nil }
        return groups.groups[index].first + line - groups.lines[index] - 1
    }

    /// The slot of a line's row, by which the table reads its texts and figures; nil for a group's line and outside of
    /// the table.
    package func slot(at line: Int) -> Int32? { position(ofLine: line).map { order[$0] } }

    package func name(inSlot slot: Int32) -> SafeText { texts.name(Int(slot)) }

    package func host(inSlot slot: Int32) -> SafeText { texts.host(Int(slot)) }

    /// The URL of a slot's row, with its secrets hidden.
    package func url(inSlot slot: Int32) -> SafeText { texts.url(Int(slot)) }

    /// The file of a slot's row; nil without one.
    package func path(inSlot slot: Int32) -> SafeText? { texts.path(Int(slot)) }

    /// The protocol of a row's response; empty before a response.
    package func protocolName(inSlot slot: Int32) -> SafeText { texts.protocolName(Int(slot)) }

    /// The id of a line's row, which is cheaper than the row.
    func id(at line: Int) -> UInt64? { position(ofLine: line).map { figures.ids[Int(order[$0])] } }

    /// The group of a group's own line; nil for a row's line.
    package func group(at line: Int) -> RowGroup? {
        guard groups.isOn, let index = groups.index(atLine: line), groups.lines[index] == line else { return nil }
        return completed(groups.groups[index])
    }

    /// Returns the sums of a group; nil if it has no rows.
    package func group(_ number: Int32) -> RowGroup? { groups.group(number).map { completed($0) } }

    /// A group with the sums of rows that only the service has.
    private func completed(_ group: RowGroup) -> RowGroup {
        guard let sums = totals?.group(groups.title(of: group.number), of: query) else { return group }
        var group = group
        group.totals = sums
        return group
    }

    /// The group that a shown row belongs to; nil without groups.
    package func group(of id: UInt64) -> RowGroup? {
        guard groups.isOn, let slot = slot(of: id), isShown(id) else { return nil }
        return groups.group(groups.number(ofSlot: Int(slot)))
    }

    /// The number of a row's group, shown or not; nil without groups.
    package func groupNumber(of id: UInt64) -> Int32? {
        guard groups.isOn, let slot = slot(of: id) else { return nil }
        return groups.number(ofSlot: Int(slot))
    }

    func line(ofGroup number: Int32) -> Int? { groups.line(ofGroup: number) }

    /// A group's title, sanitised.
    package func title(of group: RowGroup) -> SafeText {
        let title = SafeText(untrusted: groups.title(of: group.number))
        switch groups.grouping {
        case .none, .kind: return title
        case .host: return title.isEmpty ? GroupingLabels.noHost : title
        case .folder: return title.isEmpty ? GroupingLabels.noFile : title
        case .worker: return title.isEmpty ? GroupingLabels.noWorker : title
        }
    }

    /// Whether a group's rows are hidden.
    package func isFolded(_ group: RowGroup) -> Bool { groups.isFolded(group.number) }

    /// The ids of a group's rows, from top to bottom.
    package func ids(in group: RowGroup) -> [UInt64] { group.positions.map { figures.ids[Int(order[$0])] } }

    func figures(in group: RowGroup) -> [RowFigures] { group.positions.map { figures[Int(order[$0])] } }

    func contains(in group: RowGroup, where condition: (RowFigures) -> Bool) -> Bool {
        group.positions.contains { condition(figures[Int(order[$0])]) }
    }

    /// The row of a group that has failed last, or, if none has, one that waits for another attempt.
    ///
    /// It checks every row of a group that has such rows, so it is only for drawn lines.
    package func latestTrouble(in group: RowGroup) -> RowFigures? {
        guard group.totals.failed > 0 || group.totals.retrying > 0 else { return nil }
        let wanted: RowState = group.totals.failed > 0 ? .failed : .retrying
        var latest: RowFigures?
        for position in group.positions where figures[Int(order[position])].state == wanted {
            let row = figures[Int(order[position])]
            if row.endedAt ?? 0 >= latest?.endedAt ?? 0 { latest = row }
        }
        return latest
    }

    /// The next matching row in a direction, wrapping around; also in folded groups.
    func nextID(from line: Int, by direction: Int, where condition: (RowFigures) -> Bool) -> UInt64? {
        guard !order.isEmpty else { return nil }
        let start: Int
        if let position = position(ofLine: line) {
            start = position
        } else {
            start = (group(at: line)?.first ?? 0) - (direction > 0 ? 1 : 0)
        }
        for step in 1...order.count {
            let position = ((start + direction * step) % order.count + order.count) % order.count
            let row = figures[Int(order[position])]
            if condition(row) { return row.id }
        }
        return nil
    }

    // MARK: - Folding

    mutating func toggleFold(of number: Int32) { groups.toggle(number) }

    mutating func foldAll(_ folds: Bool) { groups.foldAll(folds) }

    var areAllFolded: Bool { groups.areAllFolded }

    // MARK: - Updating

    /// Whether a row no longer belongs to its slot's group.
    func changesGroup(_ slot: Int32, to row: RowSnapshot) -> Bool {
        groups.isOn
            && groups.title(of: groups.number(ofSlot: Int(slot))) != Self.groupTitle(of: row, by: groups.grouping)
    }

    mutating func assignGroup(_ slot: Int32, _ row: RowSnapshot) {
        guard groups.isOn else { return }
        groups.assign(Int(slot), to: Self.groupTitle(of: row, by: groups.grouping))
    }

    /// Divides all rows of the order again.
    mutating func regroup() {
        guard groups.isOn else { return }
        for slot in figures.indices where figures.ids[slot] != 0 && groups.number(ofSlot: slot) < 0 {
            groups.assign(slot, to: groupTitle(ofSlot: slot))
        }
        order = groups.arrange(order, figures: figures)
    }

    private static func groupTitle(of row: RowSnapshot, by grouping: Grouping) -> String {
        switch grouping {
        case .none: ""
        case .host: row.host.string
        case .folder: row.path?.splitAfterLastSlash.folder.string ?? ""
        case .kind: title(of: row.kind)
        case .worker: row.worker.string
        }
    }

    private func groupTitle(ofSlot slot: Int) -> String {
        switch groups.grouping {
        case .none: ""
        case .host: texts.hostText(slot)
        case .folder: texts.folderText(slot)
        case .kind: Self.title(of: figures[slot].kind)
        case .worker: texts.worker(slot).string
        }
    }

    private static func title(of kind: Job.Kind) -> String {
        switch kind {
        case .data: GroupingLabels.requests
        case .download: GroupingLabels.downloads
        case .upload: GroupingLabels.uploads
        }
    }
}

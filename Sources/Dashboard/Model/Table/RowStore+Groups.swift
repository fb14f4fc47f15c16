/// The lines of the table: rows, and over each group of them a line of its own.
extension RowStore {
    /// The lines that can be selected.
    package var lineCount: Int { groups.isOn ? groups.lineCount : order.count }

    /// The groups that have rows.
    package var groupCount: Int { groups.groups.count }

    /// The place in the order of a line's row; nil for a group's line and outside of the table.
    private func place(ofLine line: Int) -> Int? {
        guard groups.isOn else { return order.indices.contains(line) ? line : nil }
        guard let index = groups.index(atLine: line), line > groups.lines[index] else { return nil }
        return groups.groups[index].first + line - groups.lines[index] - 1
    }

    /// The slot of a line's row, by which the table reads what it shows of it; nil for a group's line and outside of the
    /// table.
    package func slot(at line: Int) -> Int32? { place(ofLine: line).map { order[$0] } }

    /// The name of a slot's row.
    package func name(inSlot slot: Int32) -> SafeText { texts.name(Int(slot)) }

    /// The host of a slot's row.
    package func host(inSlot slot: Int32) -> SafeText { texts.host(Int(slot)) }

    /// The protocol of a slot's row; empty before a response.
    package func protocolName(inSlot slot: Int32) -> SafeText { texts.protocolName(Int(slot)) }

    /// The id of a line's row, which is cheaper than the row.
    func id(at line: Int) -> UInt64? { place(ofLine: line).map { figures.ids[Int(order[$0])] } }

    /// The group whose own line this is; nil for a row's line.
    package func group(at line: Int) -> RowGroup? {
        guard groups.isOn, let index = groups.index(atLine: line), groups.lines[index] == line else { return nil }
        return groups.groups[index]
    }

    /// The group of a number; nil when it has no rows.
    package func group(_ number: Int32) -> RowGroup? { groups.group(number) }

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

    /// The line of a group.
    func line(ofGroup number: Int32) -> Int? { groups.line(ofGroup: number) }

    /// A group's title, made safe.
    package func title(of group: RowGroup) -> SafeText {
        let title = SafeText(untrusted: groups.title(of: group.number))
        switch groups.grouping {
        case .none, .kind: return title
        case .host: return title.isEmpty ? GroupingLabels.noHost : title
        case .folder: return title.isEmpty ? GroupingLabels.noFile : title
        }
    }

    /// Whether a group's rows are left out.
    package func isFolded(_ group: RowGroup) -> Bool { groups.isFolded(group.number) }

    /// The ids of a group's rows, from top to bottom.
    package func ids(in group: RowGroup) -> [UInt64] { group.places.map { figures.ids[Int(order[$0])] } }

    /// The numbers of a group's rows.
    func figures(in group: RowGroup) -> [RowFigures] { group.places.map { figures[Int(order[$0])] } }

    /// Whether something holds of a row of a group.
    func contains(in group: RowGroup, where condition: (RowFigures) -> Bool) -> Bool {
        group.places.contains { condition(figures[Int(order[$0])]) }
    }

    /// The row of a group that has failed last, or one that waits for another attempt where none has failed.
    ///
    /// It looks at every row of a group that has such ones, so it is for lines that are drawn.
    package func latestTrouble(in group: RowGroup) -> RowFigures? {
        guard group.totals.failed > 0 || group.totals.retrying > 0 else { return nil }
        let wanted: RowState = group.totals.failed > 0 ? .failed : .retrying
        var latest: RowFigures?
        for place in group.places where figures[Int(order[place])].state == wanted {
            let row = figures[Int(order[place])]
            if row.endedAt ?? 0 >= latest?.endedAt ?? 0 { latest = row }
        }
        return latest
    }

    /// The next shown row in a direction, round and round, of which something holds; also in folded groups.
    func nextID(from line: Int, by direction: Int, where condition: (RowFigures) -> Bool) -> UInt64? {
        guard !order.isEmpty else { return nil }
        let start: Int
        if let place = place(ofLine: line) {
            start = place
        } else {
            start = (group(at: line)?.first ?? 0) - (direction > 0 ? 1 : 0)
        }
        for step in 1...order.count {
            let place = ((start + direction * step) % order.count + order.count) % order.count
            let row = figures[Int(order[place])]
            if condition(row) { return row.id }
        }
        return nil
    }

    // MARK: - Folding

    /// Folds a group, or unfolds it.
    mutating func toggleFold(of number: Int32) { groups.toggle(number) }

    /// Folds all groups, or unfolds them when they are.
    mutating func foldAll(_ folds: Bool) { groups.foldAll(folds) }

    /// Whether all groups are folded.
    var areAllFolded: Bool { groups.areAllFolded }

    // MARK: - Keeping

    /// Whether a row belongs to another group than the one that its slot is in.
    func changesGroup(_ slot: Int32, to row: RowSnapshot) -> Bool {
        groups.isOn
            && groups.title(of: groups.number(ofSlot: Int(slot))) != Self.groupTitle(of: row, by: groups.grouping)
    }

    /// Puts a slot into the group that its row names.
    mutating func assignGroup(_ slot: Int32, _ row: RowSnapshot) {
        guard groups.isOn else { return }
        groups.assign(Int(slot), to: Self.groupTitle(of: row, by: groups.grouping))
    }

    /// Divides all rows in the order anew.
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
        }
    }

    private func groupTitle(ofSlot slot: Int) -> String {
        switch groups.grouping {
        case .none: ""
        case .host: texts.hostText(slot)
        case .folder: texts.folderText(slot)
        case .kind: Self.title(of: figures[slot].kind)
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

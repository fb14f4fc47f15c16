extension Model {
    mutating func changeOption(by steps: Int) -> [Effect] {
        guard case .options(let menu) = overlay else { return [] }
        switch menu.item(options) {
        case .units: options.units = options.units == .binary ? .decimal : .binary
        case .glyphs:
            let glyphs = options.glyphs ?? .blocks.advanced(by: steps)
            options.glyphs = glyphs
            return [.setGlyphs(glyphs)]
        case .theme:
            options.theme = options.theme.advanced(by: steps)
            return [.setTheme(options.theme)]
        case .framesPerSecond:
            let rates = ViewOptions.frameRates
            let index = rates.firstIndex { $0 >= options.framesPerSecond } ?? rates.count - 1
            options.framesPerSecond = rates[min(max(index + steps, 0), rates.count - 1)]
            return [.setFramesPerSecond(options.framesPerSecond)]
        case .mouse: return toggleMouse()
        case .quitting: options.quitting = options.quitting.advanced(by: steps)
        case .timeColumn: list.timeColumn = list.timeColumn.advanced(by: steps)
        case .limit: return changeLimit(by: steps)
        case .limitPerHost: return changeLimit(perHost: true, by: steps)
        case .column(let column):
            if options.hiddenColumns.remove(column) == nil { options.hiddenColumns.insert(column) }
        }
        return []
    }

    /// Raises or lowers the number of transfers that run at once, in total or per host.
    ///
    /// It takes effect at once. With a lower limit running transfers continue, because the user did not ask to stop one
    /// halfway; `p` does that.
    mutating func changeLimit(perHost: Bool = false, by steps: Int) -> [Effect] {
        let old = options.limits
        if perHost {
            options.limits.perHost = TransferLimits.next(old.perHost, by: steps)
        } else {
            options.limits.all = TransferLimits.next(old.all, by: steps)
        }
        let new = options.limits
        guard new != old else {
            notify(steps > 0 ? LimitToasts.maximum(limitCounts) : LimitToasts.minimum(limitCounts))
            return []
        }
        let running = rows.counts[nil, .running]
        notify(steps < 0 && running > new.all ? LimitToasts.runningContinue(limitCounts) : limitCounts)
        return remember(.limited(old)) + [.send(.setLimits(new))]
    }

    /// The limits on concurrent tasks, in words.
    var limitCounts: SafeText { LimitToasts.counts(options.limits.all, perHost: options.limits.perHost) }

    /// Moves the highlighted column among the others, as far as there are any.
    mutating func moveColumn(by steps: Int) {
        guard case .options(var menu) = overlay, let index = highlightedColumn,
            options.columnOrder.indices.contains(index + steps)
        else { return }
        options.columnOrder.swapAt(index, index + steps)
        menu.line += steps
        overlay = .options(menu)
    }

    /// Widens or narrows the highlighted column.
    ///
    /// The first step starts from the column's width in this window.
    mutating func widenColumn(by steps: Int) {
        guard let column = highlightedColumn.map({ options.columnOrder[$0] }) else { return }
        let before = options
        options.hiddenColumns.remove(column)
        let width = options.columnWidths[column] ?? self.width(of: column) ?? column.widths.lowerBound - steps
        options.columnWidths[column] = min(max(width + steps, column.widths.lowerBound), column.widths.upperBound)
        guard steps > 0, let wanted = options.columnWidths[column], self.width(of: column) ?? 0 < wanted else { return }
        options = before
        notify(ViewToasts.noRoomForColumn)
    }

    mutating func resetColumnWidth() {
        guard let column = highlightedColumn.map({ options.columnOrder[$0] }) else { return }
        options.columnWidths[column] = nil
    }

    /// The cells of a column in this window; nil if it is not shown.
    private func width(of column: TableColumn) -> Int? {
        tableColumns.columns.first { $0.kind.option == column }?.width
    }

    mutating func toggleMouse() -> [Effect] {
        options.usesMouse.toggle()
        notify(options.usesMouse ? ViewToasts.mouseOn : ViewToasts.mouseOff)
        return [.setMouse(options.usesMouse)]
    }

    /// Saves the changed options, and no others, in the configuration file.
    ///
    /// An option given only to this run, on the command line, is left out unless it is changed here.
    mutating func saveOptions() -> [Effect] {
        let changed = settings.filter { !knownSettings.contains($0) }
        guard !changed.isEmpty else {
            notify(ViewToasts.noChanges)
            return []
        }
        return [.saveSettings(changed)]
    }

    /// Saves the view settings with the session, if the list is saved.
    package func saveLayouts() -> [Effect] { isSaved ? [.saveLayouts(savedLayouts)] : [] }

    /// Updates the known settings after saving.
    mutating func acceptSaved(_ lines: [SettingLine], path: String) {
        let names = Set(lines.map(\.name))
        if let line = lines.first, lines.count == 1, let digit = SavedView.digit(of: line) {
            let before = knownSettings.first { $0.name == line.name }.flatMap { SavedView(words: $0.value)?.name }
            knownSettings = knownSettings.filter { $0.name != line.name } + lines
            return notify(Self.sentence(onView: digit, SavedView(words: line.value)?.name, before: before, path: path))
        }
        knownSettings = knownSettings.filter { !names.contains($0.name) } + lines
        notify(
            ViewToasts.saved(
                lines.map { SafeText(untrusted: $0.name) }.joined(by: ", "), to: SafeText(untrusted: path)))
    }

    /// The message about a saved or deleted view of a digit.
    private static func sentence(onView digit: Int, _ name: String?, before: String?, path: String) -> SafeText {
        let earlier = before.map { SafeText(untrusted: $0) }
        guard let name else {
            return earlier.map { ViewToasts.viewDeleted(digit, $0) } ?? ViewToasts.viewDeleted(digit)
        }
        let (new, file) = (SafeText(untrusted: name), SafeText(untrusted: path))
        guard let earlier, earlier != new else { return ViewToasts.viewSaved(digit, new, to: file) }
        return ViewToasts.viewReplaced(digit, new, was: earlier, to: file)
    }
}

extension Model {
    mutating func showView(_ digit: Int) {
        guard let view = options.views[digit] else {
            return notify(ViewToasts.viewEmpty(digit), hint: ToastHints.saveView(keys.key(of: .saveView)))
        }
        list.group = nil
        list.groupingBeforeHosts = nil
        let before = list.queryBeforeView ?? rows.query
        apply(view.query)
        list.queryBeforeView = before
        let title = ViewToasts.viewShown(digit, SafeText(untrusted: view.name))
        // The file may have been written by hand, or by a version with other words.
        guard let problem = rows.filter.problem else { return notify(title) }
        notify(ViewErrors.filterIgnored(title, problem), isError: true)
    }

    /// Saves the view under the typed name, or deletes a digit's view if the digit is alone.
    mutating func saveView(_ answer: String, _ prompt: Prompt) -> [Effect] {
        let parts = answer.split(separator: " ", maxSplits: 1)
        let name = parts.count > 1 ? String(parts[1]).trimmed : ""
        let digit = parts.first.flatMap { Int($0) }.flatMap { SavedView.digits.contains($0) ? $0 : nil }
        guard let digit, !name.isEmpty || options.views[digit] != nil else {
            return refuse(ViewErrors.usage, prompt)
        }
        guard !name.contains(where: { "|#".contains($0) }) else {
            return refuse(ViewErrors.nameCharacters, prompt)
        }
        if let problem = rows.filter.problem { return refuse(FilterErrors.invalid(problem), prompt) }
        guard name.isEmpty || !rows.query.filter.contains(" #") else {
            return refuse(ViewErrors.filterWithHash, prompt)
        }
        overlay = nil
        let view = name.isEmpty ? nil : SavedView(name: name, query: rows.query)
        options.views[digit] = view
        return [.saveSettings([.view(digit, view)])]
    }

    private mutating func refuse(_ problem: SafeText, _ prompt: Prompt) -> [Effect] {
        var prompt = prompt
        prompt.problem = problem
        overlay = .prompt(prompt)
        return []
    }
}

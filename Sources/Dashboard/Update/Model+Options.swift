extension Model {
    /// Changes the highlighted option to its next or its previous value.
    mutating func changeOption(by steps: Int) -> [Effect] {
        guard case .options(let menu) = overlay else { return [] }
        switch menu.item(options) {
        case .units: options.units = options.units == .binary ? .decimal : .binary
        case .glyphs:
            let glyphs = Model.neighbour(of: options.glyphs ?? .blocks, by: steps)
            options.glyphs = glyphs
            return [.setGlyphs(glyphs)]
        case .framesPerSecond:
            let rates = ViewOptions.frameRates
            let index = rates.firstIndex { $0 >= options.framesPerSecond } ?? rates.count - 1
            options.framesPerSecond = rates[min(max(index + steps, 0), rates.count - 1)]
            return [.setFramesPerSecond(options.framesPerSecond)]
        case .mouse: return toggleMouse()
        case .timeColumn: list.timeColumn = Model.neighbour(of: list.timeColumn, by: steps)
        case .column(let column):
            if options.hiddenColumns.remove(column) == nil { options.hiddenColumns.insert(column) }
        }
        return []
    }

    /// The highlighted column's number; nil when another option is highlighted.
    var highlightedColumn: Int? {
        guard case .options(let menu) = overlay, case .column(let column) = menu.item(options) else { return nil }
        return options.columnOrder.firstIndex(of: column)
    }

    /// Moves the highlighted column among the others, as far as there are any.
    mutating func moveColumn(by steps: Int) {
        guard case .options(var menu) = overlay, let index = highlightedColumn,
            options.columnOrder.indices.contains(index + steps)
        else { return }
        options.columnOrder.swapAt(index, index + steps)
        menu.line += steps
        overlay = .options(menu)
    }

    /// Switches the mouse on or off.
    mutating func toggleMouse() -> [Effect] {
        options.usesMouse.toggle()
        notify(options.usesMouse ? "Mouse on: hold Shift to select text" : "Mouse off")
        return [.setMouse(options.usesMouse)]
    }

    /// Freezes the display, or lets it go on with all that has happened meanwhile.
    mutating func toggleFreeze() {
        guard let frozen else {
            frozen = FrozenDisplay(since: now)
            notify("Frozen: transfers go on, " + keys.key(of: "freeze") + " shows them again")
            return
        }
        self.frozen = nil
        _ = toasts.dismiss()
        if !frozen.removed.isEmpty { forget(Array(frozen.removed)) }
        receive(frozen.rows.values.sorted { $0.id < $1.id })
        // Nothing was measured meanwhile, so speeds start over from where the rows are now.
        rates.restart(rows: rows, now: now)
    }

    /// Selects the row that was clicked; a second click soon after opens it.
    mutating func pick(_ id: UInt64) {
        guard overlay == nil, details.fullScreenID == nil, let position = rows.position(of: id) else { return }
        let isDouble = lastPick.map { $0.id == id && now - $0.time <= Model.doubleClickTime } ?? false
        lastPick = isDouble ? nil : (id, now)
        moveCursor(to: position)
        if isDouble { openDetails() }
    }

    /// How soon the second click of two must follow, in milliseconds.
    private static let doubleClickTime: Int64 = 400
}

/// Saving the options.
extension Model {
    /// The options as the configuration file would say them; characters that nobody chose are left to the terminal.
    package var settings: [SettingLine] {
        let glyphs = options.glyphs.map { [SettingLine(name: "glyphs", value: $0.rawValue)] } ?? []
        return [
            SettingLine(name: "units", value: options.units.rawValue),
            SettingLine(name: "fps", value: String(options.framesPerSecond)),
            .flag("mouse", options.usesMouse),
            SettingLine(name: "time-column", value: list.timeColumn.rawValue),
            .columns(options.shownColumns),
        ] + glyphs
    }

    /// Asks for what was changed to be written into the configuration file, and for nothing else.
    ///
    /// An option that only this run was given, on the command line, is left out as long as it is not changed here.
    mutating func saveOptions() -> [Effect] {
        let changed = settings.filter { !knownSettings.contains($0) }
        guard !changed.isEmpty else {
            notify("No option was changed, so there is nothing to save")
            return []
        }
        return [.saveSettings(changed)]
    }

    /// Takes the news that settings were saved.
    mutating func acceptSaved(_ lines: [SettingLine], path: String) {
        let names = Set(lines.map(\.name))
        knownSettings = knownSettings.filter { !names.contains($0.name) } + lines
        notify(
            "Saved " + lines.map { SafeText(untrusted: $0.name) }.joined(by: ", ") + " in " + SafeText(untrusted: path))
    }
}

extension Model {
    /// Changes the highlighted option to its next or its previous value.
    mutating func changeOption(by steps: Int) -> [Effect] {
        guard case .options(let menu) = overlay else { return [] }
        switch menu.item(options) {
        case .units: options.units = options.units == .binary ? .decimal : .binary
        case .glyphs:
            let glyphs = options.glyphs ?? .blocks.advanced(by: steps)
            options.glyphs = glyphs
            return [.setGlyphs(glyphs)]
        case .framesPerSecond:
            let rates = ViewOptions.frameRates
            let index = rates.firstIndex { $0 >= options.framesPerSecond } ?? rates.count - 1
            options.framesPerSecond = rates[min(max(index + steps, 0), rates.count - 1)]
            return [.setFramesPerSecond(options.framesPerSecond)]
        case .mouse: return toggleMouse()
        case .timeColumn: list.timeColumn = list.timeColumn.advanced(by: steps)
        case .column(let column):
            if options.hiddenColumns.remove(column) == nil { options.hiddenColumns.insert(column) }
        }
        return []
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

    /// Remembers that settings were saved.
    mutating func acceptSaved(_ lines: [SettingLine], path: String) {
        let names = Set(lines.map(\.name))
        knownSettings = knownSettings.filter { !names.contains($0.name) } + lines
        notify(
            "Saved " + lines.map { SafeText(untrusted: $0.name) }.joined(by: ", ") + " in " + SafeText(untrusted: path))
    }
}

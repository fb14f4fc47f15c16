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

extension Model {
    /// The commands that the palette offers now.
    package func offered(by palette: PaletteState) -> [Command] {
        CommandSearch.commands(matching: palette.field.text, on: palette.screen, keys: keys)
    }

    /// Opens the palette over the list or the details.
    mutating func openPalette() { overlay = .palette(PaletteState(screen: screen)) }

    /// Runs the highlighted command, or says why that cannot be done now.
    mutating func runHighlighted() -> [Effect] {
        guard case .palette(let palette) = overlay else { return [] }
        let commands = offered(by: palette)
        guard commands.indices.contains(palette.line) else {
            notify("No command is called that")
            return []
        }
        let command = commands[palette.line]
        if let reason = disabledReason(of: command) {
            notify(reason)
            return []
        }
        overlay = nil
        return run(command.id)
    }
}

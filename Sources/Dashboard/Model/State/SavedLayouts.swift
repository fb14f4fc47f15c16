/// A look of the dashboard that differs from the configuration and is kept with the session, in the words of the
/// configuration file.
package struct SavedLayout: Sendable, Equatable {
    /// The names of the looks that are kept without being asked.
    package static let names = ["sort", "group", "pane", "graph", "time-column", "columns"]

    package var name: String
    package var value: String
    /// The configuration's value when this one was chosen: once that is another one, the configuration is newer.
    package var configured: String

    package init(name: String, value: String, configured: String) {
        (self.name, self.value, self.configured) = (name, value, configured)
    }
}

extension Model {
    /// The looks that the user has chosen on the screen and not saved in the configuration.
    package var savedLayouts: [SavedLayout] {
        SavedLayout.names.compactMap { name in
            guard let value = keptValue(of: name),
                let configured = knownSettings.first(where: { $0.name == name })?.value,
                value != configured
            else { return nil }
            return SavedLayout(name: name, value: value, configured: configured)
        }
    }

    private func keptValue(of name: String) -> String? {
        // The hosts are looked at for a moment, and left by the same key.
        if name == "group", let before = list.groupingBeforeHosts { return before.rawValue }
        return settings.first { $0.name == name }?.value
    }
}

/// A view setting that differs from the configuration and is kept with the session, in the words of the configuration
/// file.
package struct SavedLayout: Sendable, Equatable {
    /// Names of the settings that are kept without a request by the user.
    package static let names = ["sort", "group", "pane", "graph", "time-column", "columns"]

    package var name: String
    package var value: String
    /// The configured value when this one was chosen: if that has changed since, the configuration is newer.
    package var configured: String

    package init(name: String, value: String, configured: String) {
        (self.name, self.value, self.configured) = (name, value, configured)
    }
}

extension Model {
    /// The settings that the user has chosen on the screen and not saved in the configuration.
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
        // The hosts view is temporary and left with the same key, so the earlier grouping counts.
        if name == "group", let before = list.groupingBeforeHosts { return before.rawValue }
        return settings.first { $0.name == name }?.value
    }
}

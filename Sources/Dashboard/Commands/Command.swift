/// One row of the key table: everything there is to know about a key.
///
/// Dispatch, footer, help and key reference all read the same rows, so none of them can be wrong about another.
package struct Command: Sendable {
    /// The keys, the one to show first.
    package private(set) var keys: [KeyPress]
    /// Where the keys apply.
    let screens: [Screen]
    /// The footer's word.
    package let title: SafeText
    /// The help's sentence.
    package let help: SafeText
    /// How early the footer drops it, 0 being never; nil for a command that is not in the footer.
    let footerRank: Int?
    /// Why it would do nothing now; nil when it would do something.
    let disabledReason: @Sendable (Model) -> SafeText?
    /// What it does.
    package let action: @Sendable (inout Model) -> [Effect]

    /// A command that asks something of the world.
    package init(
        _ keys: [KeyPress], on screens: [Screen], _ title: SafeText, help: SafeText, footer: Int? = nil,
        unless disabledReason: @escaping @Sendable (Model) -> SafeText? = { _ in nil },
        effects action: @escaping @Sendable (inout Model) -> [Effect]
    ) {
        self.keys = keys
        self.screens = screens
        self.title = title
        self.help = help
        footerRank = footer
        self.disabledReason = disabledReason
        self.action = action
    }

    /// A command that changes the model alone.
    package init(
        _ keys: [KeyPress], on screens: [Screen], _ title: SafeText, help: SafeText, footer: Int? = nil,
        unless disabledReason: @escaping @Sendable (Model) -> SafeText? = { _ in nil },
        do action: @escaping @Sendable (inout Model) -> Void
    ) {
        self.init(keys, on: screens, title, help: help, footer: footer, unless: disabledReason) { model in
            action(&model)
            return []
        }
    }

    /// What the configuration calls it, such as `pause-all`; nil for commands of dialogs and fields alone.
    package var name: String? {
        guard screens.contains(.list) || screens.contains(.details) else { return nil }
        return title.string.lowercased().split(separator: " ").joined(separator: "-")
    }

    /// The same command on other keys.
    func bound(to keys: [KeyPress]) -> Command {
        var command = self
        command.keys = keys
        return command
    }

    /// The keys that count on a screen: where text is typed, characters are text.
    package func keys(on screen: Screen) -> [KeyPress] {
        guard screens.contains(screen) else { return [] }
        guard screen.takesText else { return keys }
        return keys.filter { key in
            if case .character = key { false } else { true }
        }
    }
}

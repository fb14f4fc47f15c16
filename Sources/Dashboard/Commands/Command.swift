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

/// Where keys go.
///
/// Each has its own rows of the key table.
package enum Screen: String, Sendable, CaseIterable {
    case list, details, help, cancelDialog, quitDialog, clearDialog, addForm, filterPrompt, prompt, sortMenu, stateMenu,
        options, eventLog

    /// Whether characters are typed here instead of being commands.
    var takesText: Bool {
        switch self {
        case .help, .addForm, .filterPrompt, .prompt: true
        case .list, .details, .cancelDialog, .quitDialog, .clearDialog, .sortMenu, .stateMenu, .options, .eventLog:
            false
        }
    }

    /// What the key reference calls it.
    package var title: SafeText {
        switch self {
        case .list: "List"
        case .details: "Details"
        case .help: "Help"
        case .cancelDialog: "Cancel dialog"
        case .quitDialog: "Quit dialog"
        case .clearDialog: "Clear dialog"
        case .addForm: "Add form"
        case .filterPrompt: "Filter"
        case .prompt: "Prompt"
        case .sortMenu: "Sort menu"
        case .stateMenu: "State menu"
        case .options: "Options"
        case .eventLog: "Event log"
        }
    }
}

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

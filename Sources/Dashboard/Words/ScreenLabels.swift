/// The screens' names in the key reference and in the help.
package enum ScreenLabels {
    package static func title(of screen: Screen) -> SafeText {
        switch screen {
        case .list: "List"
        case .details: "Details"
        case .help: "Help"
        case .cancelDialog: "Cancel dialog"
        case .removeDialog: "Remove dialog"
        case .quitDialog: "Quit dialog"
        case .detachDialog: "Detach dialog"
        case .clearDialog: "Clear dialog"
        case .fileDialog: "File dialog"
        case .actionMenu: "Task menu"
        case .addForm: "Add form"
        case .editForm: "Edit form"
        case .filterPrompt: "Filter"
        case .prompt: "Prompt"
        case .sortMenu: "Sort menu"
        case .stateMenu: "State menu"
        case .options: "Options"
        case .eventLog: "Event log"
        case .leftovers: "Leftovers"
        case .palette: "Command palette"
        case .history: "History"
        }
    }
}

/// What lies over the list or the details and takes the keys.
indirect enum Overlay: Sendable, Equatable {
    case help(HelpState)
    case cancel(CancelDialog)
    case quit(QuitDialog)
    case clear(ClearDialog)
    case addForm(AddForm)
    /// The filter prompt, and the filter to go back to on Esc.
    case filter(TextField)
    case prompt(Prompt)
    case options(OptionsMenu)
    /// The highlighted line of the sort menu.
    case sortMenu(Int)
    /// The highlighted line of the state menu.
    case stateMenu(Int)
    /// Lines scrolled up from the event log's end.
    case eventLog(Int)

    /// The screen whose keys apply.
    var screen: Screen {
        switch self {
        case .help: .help
        case .cancel: .cancelDialog
        case .quit: .quitDialog
        case .clear: .clearDialog
        case .addForm: .addForm
        case .filter: .filterPrompt
        case .prompt: .prompt
        case .options: .options
        case .sortMenu: .sortMenu
        case .stateMenu: .stateMenu
        case .eventLog: .eventLog
        }
    }
}

/// A dialog, menu, form or prompt that lies over the list or the details and takes the keys.
package enum Overlay: Sendable, Equatable {
    /// Indirect: it may hold the overlay it was opened over.
    indirect case help(HelpState)
    case question(Question)
    case addForm(AddForm)
    /// The filter prompt, and the filter to go back to on Esc.
    case filter(TextField)
    case prompt(Prompt)
    case options(OptionsMenu)
    case actions(ActionMenu)
    /// The highlighted line of the sort menu.
    case sortMenu(Int)
    /// The highlighted line of the state menu.
    case stateMenu(Int)
    case eventLog(EventLogState)
    case palette(PaletteState)
    case leftovers(LeftoversState)

    /// The screen whose keys apply.
    var screen: Screen {
        switch self {
        case .help: .help
        case .question(let question): question.screen
        case .addForm(let form): form.editedID == nil ? .addForm : .editForm
        case .filter: .filterPrompt
        case .prompt: .prompt
        case .options: .options
        case .actions: .actionMenu
        case .sortMenu: .sortMenu
        case .stateMenu: .stateMenu
        case .eventLog: .eventLog
        case .palette: .palette
        case .leftovers: .leftovers
        }
    }
}

/// The help overlay: the keys of the screen it was opened on, filtered by what is typed.
package struct HelpState: Sendable, Equatable {
    package var screen: Screen
    /// The overlay that was there when help was asked for, and comes back afterwards.
    var previous: Overlay?
    package var filter = TextField()
    package var top = 0
}

/// The command palette: what was typed, and which of the commands that fit is highlighted.
package struct PaletteState: Sendable, Equatable {
    /// The screen whose commands it offers.
    package var screen: Screen
    package var field = TextField()
    package var line = 0
}

/// A question of text and buttons, which are the commands of its screen that have words for one.
///
/// It keeps the ids that it was asked about, however rows move meanwhile.
package struct Question: Sendable {
    /// The screen whose keys answer it.
    package let screen: Screen
    package let ids: [UInt64]
    /// The highlighted button, which Enter presses; the safe one at first.
    package var button = 0
    /// Tasks scrolled off the top.
    package var top = 0
    private let textIn: @Sendable (Question, Model) -> QuestionText

    init(
        on screen: Screen, about ids: [UInt64] = [], text: @escaping @Sendable (Question, Model) -> QuestionText
    ) {
        (self.screen, self.ids, textIn) = (screen, ids, text)
    }

    /// The text as it is now: what is asked about goes on meanwhile.
    package func text(in model: Model) -> QuestionText { textIn(self, model) }
}

/// The text of a screen's questions is the same.
extension Question: Equatable {
    package static func == (left: Question, right: Question) -> Bool {
        (left.screen, left.ids, left.button, left.top) == (right.screen, right.ids, right.button, right.top)
    }
}

/// The text of a question, as far as it does not depend on the window.
package struct QuestionText: Sendable {
    package var title: SafeText
    /// The name of the one task that it is about, where there is room for it.
    package var name: SafeText?
    /// Tasks that are named line by line, with how far they are.
    package var tasks: [UInt64] = []
    package var lines: [SafeText] = []
    /// Whether the empty line before the buttons stays in low windows.
    package var keepsGap = false
    /// The least cells of its lines.
    package var width: Int?
}

/// The menu of options: which line is highlighted.
package struct OptionsMenu: Sendable, Equatable {
    /// A line of the menu.
    package enum Item: Sendable, Equatable {
        case units, glyphs, framesPerSecond, mouse, timeColumn, limit, limitPerHost
        case column(TableColumn)
    }

    /// All lines, in their order; columns stand as they do in the table.
    package static func items(_ options: ViewOptions) -> [Item] {
        [.units, .glyphs, .framesPerSecond, .mouse, .timeColumn, .limit, .limitPerHost]
            + options.columnOrder.map { .column($0) }
    }

    package var line = 0

    /// The highlighted line's option.
    func item(_ options: ViewOptions) -> Item {
        let items = OptionsMenu.items(options)
        return items[min(max(line, 0), items.count - 1)]
    }
}

/// A question of one line in place of the footer.
package struct Prompt: Sendable, Equatable {
    /// The question that the prompt asks.
    package enum Purpose: Sendable, Equatable {
        /// The file that the body of this data request is written to.
        case writeBody(UInt64)
        /// The seconds between two runs of this data request.
        case repeatRequest(UInt64)
        /// The URL that this download goes on from.
        case newURL(UInt64)
        /// The place of this download's file.
        case moveFile(UInt64, from: String)
        /// The search in the full-screen details.
        case search
        /// The part of a JSON body that is shown.
        case jsonPath
        /// The digit and the name of a view.
        case saveView
        /// The filter of the event log, which stays as it is on Esc.
        case filterLog(EventLogState)
        /// The bytes a second of all that comes and goes, which are now these.
        case limitRate(RatesInForce)
        /// The bytes a second of each of these tasks; those that one alone has now, where they are known.
        case limitTasks([UInt64], now: TaskRates?)
    }

    package var purpose: Purpose
    package var field: TextField
    package var problem: SafeText?

    /// The text before the field, from the longest that says everything to the shortest.
    package var titles: [SafeText] {
        switch purpose {
        case .limitRate(let now): PromptQuestions.speedLimits(now: RatesText.short(now.download, now.upload))
        case .limitTasks(_, let now):
            now.map { PromptQuestions.taskLimit(now: RatesText.words($0)) } ?? PromptQuestions.limitPerTask
        case .writeBody: [PromptQuestions.saveBody]
        case .repeatRequest: [PromptQuestions.repeatInterval]
        case .newURL: [PromptQuestions.newURL]
        case .moveFile: [PromptQuestions.moveFile]
        case .search: [PromptQuestions.search]
        case .jsonPath: [PromptQuestions.jsonPath]
        case .saveView: [PromptQuestions.saveView]
        case .filterLog: [PromptQuestions.filterLog]
        }
    }

    /// The list of earlier answers that the prompt offers.
    var history: FieldHistory.Kind {
        switch purpose {
        case .writeBody, .moveFile: .path
        case .newURL: .url
        case .repeatRequest: .seconds
        case .search: .search
        case .jsonPath: .jsonPath
        case .saveView: .view
        case .filterLog: .filter
        case .limitRate, .limitTasks: .rate
        }
    }

    /// Whether Tab completes paths in it.
    var takesPath: Bool {
        switch purpose {
        case .writeBody, .moveFile: true
        case .newURL, .repeatRequest, .search, .jsonPath, .saveView, .filterLog, .limitRate, .limitTasks: false
        }
    }
}

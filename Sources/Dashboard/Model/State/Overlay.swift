/// A dialog, menu, form or prompt that lies over the list or the details and receives the keys.
package enum Overlay: Sendable, Equatable {
    /// Indirect: it may contain the overlay it was opened over.
    indirect case help(HelpState)
    case question(Question)
    case addForm(AddForm)
    /// The filter prompt, with the filter to restore on Esc.
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
    case history(HistoryState)

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
        case .history: .history
        }
    }
}

/// The help overlay: the keys of the screen it was opened on, filtered by the typed text.
package struct HelpState: Sendable, Equatable {
    package var screen: Screen
    /// The overlay that was open before help, restored afterwards.
    var previous: Overlay?
    package var filter = TextField()
    package var top = 0
}

/// The command palette: the typed text, and the highlighted one of the matching commands.
package struct PaletteState: Sendable, Equatable {
    /// The screen whose commands it offers.
    package var screen: Screen
    package var field = TextField()
    package var line = 0
}

/// A question of text and buttons; the buttons are the commands of its screen that have words for one.
///
/// It keeps the ids that it was asked about, even if rows move.
package struct Question: Sendable {
    /// The screen whose keys answer it.
    package let screen: Screen
    package internal(set) var ids: [UInt64]
    /// The highlighted button, which Enter presses; the safe one at first.
    package var button = 0
    /// Tasks scrolled off the top.
    package var top = 0
    /// The moment at which it opened by itself, while the user may have been typing; nil if a key or a click has opened
    /// it.
    var openedAt: Int64?
    /// The moment of the click that opened it; nil if anything else has.
    var clickedAt: Int64?
    /// Whether the answer is saved, so that the question is not asked again.
    var remembersAnswer = false
    private let textIn: @Sendable (Question, Model) -> QuestionText

    init(
        on screen: Screen, about ids: [UInt64] = [], text: @escaping @Sendable (Question, Model) -> QuestionText
    ) {
        (self.screen, self.ids, textIn) = (screen, ids, text)
    }

    /// The milliseconds without a key after which a question that has opened by itself takes an answer.
    package static let rest: Int64 = 500

    /// The milliseconds within which a second click belongs to the first one.
    private static let doubleClick: Int64 = 250

    /// Whether it has opened so shortly before that a click may be meant for what it covers, or belong to the click that
    /// opened it.
    func isJustAsked(at now: Int64) -> Bool {
        if let openedAt { return now - openedAt < Question.rest }
        return clickedAt.map { now - $0 < Question.doubleClick } ?? false
    }

    /// The current text: the transfers in question continue while it is shown.
    package func text(in model: Model) -> QuestionText { textIn(self, model) }
}

/// Equality without the text closure, which is the same for all questions of a screen.
extension Question: Equatable {
    package static func == (left: Question, right: Question) -> Bool {
        (left.screen, left.ids, left.button, left.top, left.remembersAnswer)
            == (right.screen, right.ids, right.button, right.top, right.remembersAnswer)
    }
}

/// The text of a question, as far as it does not depend on the window.
package struct QuestionText: Sendable {
    package var title: SafeText
    /// The names of its first tasks, shown as far as they fit; the others of `count` are counted.
    package var names: [SafeText] = []
    package var count = 1
    /// The tasks listed line by line, with their progress.
    package var tasks: [UInt64] = []
    package var lines: [SafeText] = []
    /// Whether the empty line before the buttons stays in low windows.
    package var keepsGap = false
    /// The minimum cells of its lines.
    package var width: Int?
}

/// The menu of options, with the highlighted line.
package struct OptionsMenu: Sendable, Equatable {
    /// A line of the menu.
    package enum Item: Sendable, Equatable {
        case units, glyphs, framesPerSecond, mouse, quitting, timeColumn, limit, limitPerHost, theme
        case column(TableColumn)
    }

    /// All lines in order; columns appear as in the table.
    package static func items(_ options: ViewOptions) -> [Item] {
        [.units, .glyphs, .framesPerSecond, .mouse, .timeColumn, .limit, .limitPerHost]
            + options.columnOrder.map { .column($0) } + [.quitting, .theme]
    }

    package var line = 0

    func item(_ options: ViewOptions) -> Item {
        let items = OptionsMenu.items(options)
        return items[min(max(line, 0), items.count - 1)]
    }
}

/// A question of one line that replaces the footer.
package struct Prompt: Sendable, Equatable {
    /// The question that the prompt asks.
    package enum Purpose: Sendable, Equatable {
        /// The file for this data request's body.
        case writeBody(UInt64)
        /// The seconds between two runs of this data request.
        case repeatRequest(UInt64)
        /// The URL from which this download continues.
        case newURL(UInt64)
        /// The new path of this download's file.
        case moveFile(UInt64, from: String)
        /// The folder that these downloads' files move to.
        case moveFiles([FilePlace])
        /// The search in the full-screen details.
        case search
        /// The part of a JSON body to show.
        case jsonPath
        /// The digit and the name of a view.
        case saveView
        /// The filter of the event log, which is restored on Esc.
        case filterLog(EventLogState)
        /// The filter of the history, which is restored on Esc.
        case filterHistory(HistoryState)
        /// The limits of all traffic in bytes per second, with the current ones.
        case limitRate(RatesInForce)
        /// The limits of each of these tasks in bytes per second, with a single task's current ones if known.
        case limitTasks([UInt64], now: TaskRates?)
        /// The settings that these tasks get.
        case amend([UInt64])
    }

    package var purpose: Purpose
    package var field: TextField
    package var problem: SafeText?

    /// The text before the field, from the complete form to the shortest.
    package var titles: [SafeText] {
        switch purpose {
        case .limitRate(let now):
            PromptQuestions.speedLimits(now: RatesText.words(now.download, now.upload))
        case .limitTasks(_, let now):
            now.map { PromptQuestions.taskLimit(now: RatesText.words($0)) } ?? PromptQuestions.limitPerTask
        case .amend(let ids): PromptQuestions.amend(ids.count)
        case .writeBody: PromptQuestions.saveBody
        case .repeatRequest: PromptQuestions.repeatInterval
        case .newURL: PromptQuestions.newURL
        case .moveFile: PromptQuestions.moveFile
        case .moveFiles(let files): PromptQuestions.move(files.count, first: files.first?.name ?? "")
        case .search: PromptQuestions.search
        case .jsonPath: PromptQuestions.jsonPath
        case .saveView: PromptQuestions.saveView
        case .filterLog: PromptQuestions.filterLog
        case .filterHistory: PromptQuestions.filterHistory
        }
    }

    /// The history of answers that the prompt offers; nil for answers that may contain secrets.
    var history: FieldHistory.Kind? {
        switch purpose {
        case .writeBody, .moveFile, .moveFiles: .path
        case .newURL: .url
        case .repeatRequest: .seconds
        case .search: .search
        case .jsonPath: .jsonPath
        case .saveView: .view
        case .filterLog, .filterHistory: .filter
        case .limitRate, .limitTasks: .rate
        case .amend: nil
        }
    }

    /// Whether Tab completes paths in it.
    var takesPath: Bool {
        switch purpose {
        case .writeBody, .moveFile, .moveFiles: true
        case .newURL, .repeatRequest, .search, .jsonPath, .saveView, .filterLog, .filterHistory, .limitRate,
            .limitTasks, .amend:
            false
        }
    }
}

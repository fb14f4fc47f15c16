/// A command as one record: its keys, its words, its condition, and its action.
///
/// Dispatch, footer, help, palette, menus, questions and the key reference all read it, so they cannot contradict each
/// other, and a new command is one record of the tables in `Commands`.
package struct Command: Sendable {
    /// The command's identity, and its name in the configuration: keys and words may change, it never does.
    package let id: String
    /// The keys, the preferred one first.
    package private(set) var keys: [KeyPress]
    /// The keys that another command has on a screen, because the user has chosen so.
    private var displaced: [Screen: [KeyPress]] = [:]
    /// The screens where the keys apply.
    let screens: [Screen]
    /// The footer's word.
    package let title: SafeText
    /// The help's sentence.
    package let help: SafeText
    /// Synonyms by which the palette also finds it.
    let synonyms: [String]
    /// The rank by which the footer drops it, 0 being never; nil for a command that is not in the footer.
    package let footerRank: Int?
    /// The rank by which the menu of tasks shows it; nil for a command that is not in the menu.
    let menuRank: Int?
    /// The button for it in a question; nil for any other command.
    let button: Button?
    /// The condition for the command; nil if it can always run.
    private let requirement: Requirement?
    /// The purpose under which the help lists it; nil for a command that the help omits.
    package var purpose: SafeText?
    /// Runs it on the screen where its key was pressed.
    package let run: @Sendable (inout Model) -> [Effect]

    /// Whether it can answer the question about an existing file, other than by putting it off, or change what Enter
    /// answers.
    var answersAboutFile: Bool {
        ["nextButton", "pressButton", "previousButton"].contains(id) || screens == [.fileDialog] && id != "decideLater"
    }

    /// A command that asks for an effect outside of the model.
    package init(
        _ id: String, _ keys: [KeyPress], on screens: [Screen], _ title: SafeText, help: SafeText,
        also synonyms: String = "", footer: Int? = nil, menu: Int? = nil, button: Button? = nil,
        needs requirement: Requirement? = nil, run: @escaping @Sendable (inout Model) -> [Effect]
    ) {
        self.id = id
        self.keys = keys
        self.screens = screens
        self.title = title
        self.help = help
        self.synonyms = synonyms.split(separator: " ").map(String.init)
        footerRank = footer
        menuRank = menu
        self.button = button
        self.requirement = requirement
        self.run = run
    }

    /// A command that changes the model alone.
    package init(
        _ id: String, _ keys: [KeyPress], on screens: [Screen], _ title: SafeText, help: SafeText,
        also synonyms: String = "", footer: Int? = nil, menu: Int? = nil, button: Button? = nil,
        needs requirement: Requirement? = nil, change: @escaping @Sendable (inout Model) -> Void
    ) {
        self.init(
            id, keys, on: screens, title, help: help, also: synonyms, footer: footer, menu: menu, button: button,
            needs: requirement,
            run: { model in
                change(&model)
                return []
            })
    }

    /// The command's name in the configuration, such as `pause-all`; nil for commands of dialogs and fields alone.
    package var name: String? { screens.contains(.list) || screens.contains(.details) ? id : nil }

    /// Whether only one screen has it.
    package var isOfOneScreen: Bool { screens.count == 1 }

    /// The same command on other keys.
    func bound(to keys: [KeyPress]) -> Command {
        var command = self
        command.keys = keys
        return command
    }

    func without(_ keys: [KeyPress], on screen: Screen) -> Command {
        var command = self
        command.displaced[screen, default: []] += keys
        return command
    }

    func isDisplaced(_ key: KeyPress, on screen: Screen) -> Bool { displaced[screen]?.contains(key) ?? false }

    /// The keys that work on a screen: in a text field, characters are text.
    package func keys(on screen: Screen) -> [KeyPress] {
        guard screens.contains(screen) else { return [] }
        var keys = keys
        if !displaced.isEmpty, let gone = displaced[screen] { keys.removeAll { gone.contains($0) } }
        guard screen.takesText else { return keys }
        return keys.filter { key in
            if case .character = key { false } else { true }
        }
    }
}

extension Command {
    /// The condition for a command to run.
    package struct Requirement: Sendable {
        /// Whether it asks for the task under the cursor, whatever is marked.
        let isAboutOneTask: Bool
        /// The reason to show while the condition does not hold; nil while it does.
        let reason: @Sendable (Model) -> SafeText?

        package init(isAboutOneTask: Bool = false, reason: @escaping @Sendable (Model) -> SafeText?) {
            self.isAboutOneTask = isAboutOneTask
            self.reason = reason
        }
    }

    /// A command's button in a question.
    package struct Button: Sendable {
        /// Whether it changes nothing: such a button comes first and is Enter's default.
        let isSafe: Bool
        /// The footer's word if the title does not suit the question.
        let hint: @Sendable (Model) -> SafeText?
        let words: @Sendable (Model) -> SafeText

        package static func safe(_ words: SafeText) -> Button {
            Button(isSafe: true, hint: { _ in nil }, words: { _ in words })
        }

        package static func safe(
            _ words: @escaping @Sendable (Model) -> SafeText, hint: @escaping @Sendable (Model) -> SafeText?
        ) -> Button {
            Button(isSafe: true, hint: hint, words: words)
        }

        package static func saying(_ words: SafeText) -> Button {
            Button(isSafe: false, hint: { _ in nil }, words: { _ in words })
        }

        package static func saying(
            _ words: @escaping @Sendable (Model) -> SafeText,
            hint: @escaping @Sendable (Model) -> SafeText? = { _ in nil }
        ) -> Button {
            Button(isSafe: false, hint: hint, words: words)
        }
    }

    /// Whether it acts on the task under the cursor, whatever is marked.
    package var isAboutOneTask: Bool { requirement?.isAboutOneTask ?? false }

    /// The reason why the command would do nothing now; nil if it can run.
    package func reason(in model: Model) -> SafeText? {
        if let reason = reasonOfService(in: model) { return reason }
        guard let requirement, let reason = requirement.reason(model) else { return nil }
        guard requirement.isAboutOneTask, model.details.fullScreenID == nil, model.currentGroup != nil else {
            return reason
        }
        return TaskReasons.oneTaskOnly
    }

    package func buttonWords(in model: Model) -> SafeText { button?.words(model) ?? title }

    package func hint(in model: Model) -> SafeText { button?.hint(model) ?? title }
}

extension Command {
    /// Commands for the transfers of this computer's own service: a queue that many machines drain has none of them.
    static let ownTransfersOnly: Set<String> = [
        "add", "cancelDeletingParts", "clear", "clear-ended", "edit", "fetch-again", "fewer-at-once", "fewer-per-host",
        "history",
        "left-parts", "limit-rate", "limit-task", "more-at-once", "more-per-host", "move-down", "move-file", "move-up",
        "new-url", "open", "open-folder", "remove", "repeat", "start-now", "view", "write",
    ]

    /// Commands that ask the service for something, which has no answer while it is away; commands that change tasks
    /// start it again.
    static let askingService: Set<String> = [
        "copy-as-curl", "copy-url", "edit", "history", "left-parts", "move-file", "new-url", "open", "open-folder",
        "view", "write",
    ]

    /// Commands for all tasks of the view, which would leave out the ones that are still being read.
    static let ofWholeView: Set<String> = [
        "clear", "clear-ended", "invert-marks", "mark-all", "pause-all", "resume-all",
    ]

    /// Commands for the targets, which are all tasks of a group on its own line.
    static let ofTargets: Set<String> = [
        "cancel", "copy-as-curl", "copy-url", "edit", "fetch-again", "limit-task", "lower-priority", "mark",
        "move-down", "move-file", "move-up", "pause", "raise-priority", "remove", "resume", "start-now",
    ]

    /// Whether the command is for tasks some of which may still have to be read.
    private func needsAllRows(in model: Model) -> Bool {
        if Self.ofWholeView.contains(id) { return true }
        guard Self.ofTargets.contains(id), model.details.fullScreenID == nil, model.currentGroup != nil else {
            return false
        }
        // A mark is for the line under the cursor, whatever is marked.
        return model.list.marks.isEmpty || id == "mark"
    }

    /// Why the command does nothing for a service that has more rows than the table, that is away, or whose rows are
    /// still being read; nil for any other.
    private func reasonOfService(in model: Model) -> SafeText? {
        if model.rows.totals != nil, Self.ownTransfersOnly.contains(id) { return TaskReasons.notOverQueue }
        if model.isReading, needsAllRows(in: model) {
            return model.isServiceAway ? TaskReasons.partlyRead : TaskReasons.stillReading
        }
        return Self.askingService.contains(id) ? model.reasonOfAbsence : nil
    }
}

extension Command {
    /// The names of commands that sentences and the tour refer to.
    package enum Named: String, Sendable, CaseIterable {
        case add, all, back, cancel, details, down, edit, filter, fold, freeze, help, palette, pause, quit, range
        case remove, resume, secrets, states, tour, undo, up, view
        case foldAll = "fold-all", jsonPath = "path", limitTask = "limit-task"
        case newURL = "new-url", nextFailed = "next-failed", nextPart = "next-part", previousPart = "previous-part"
        case repeatRequest = "repeat", saveView = "save-view", startNow = "start-now", stepBack = "step-back"
    }
}

/// Commands of one purpose, as the help shows them.
package struct CommandSection: Sendable {
    let title: SafeText
    let commands: [Command]

    package init(_ title: SafeText, _ commands: [Command]) {
        (self.title, self.commands) = (title, commands)
    }
}

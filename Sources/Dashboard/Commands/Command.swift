/// One row of the key table: everything that is said of a command, and what it needs.
///
/// Dispatch, footer, help and key reference all read the same rows, so none of them can be wrong about another. What a
/// command does is known to the update alone.
package struct Command: Sendable {
    /// The command's identity: its keys and its words may change.
    package let id: ID
    /// The keys, the one to show first.
    package private(set) var keys: [KeyPress]
    /// The keys that are another command's on a screen, because the user has chosen so.
    private var displaced: [Screen: [KeyPress]] = [:]
    /// The screens where the keys apply.
    let screens: [Screen]
    /// The footer's word.
    package let title: SafeText
    /// The help's sentence.
    package let help: SafeText
    /// Other words that users know for it, by which the palette finds it too.
    let synonyms: [String]
    /// The rank by which the footer drops it, 0 being never; nil for a command that is not in the footer.
    package let footerRank: Int?
    /// The condition for the command to do something; nil when it always does.
    let requirement: Requirement?

    init(
        _ id: ID, _ keys: [KeyPress], on screens: [Screen], _ title: SafeText, help: SafeText,
        also synonyms: String = "",
        footer: Int? = nil, needs requirement: Requirement? = nil
    ) {
        self.id = id
        self.keys = keys
        self.screens = screens
        self.title = title
        self.help = help
        self.synonyms = synonyms.split(separator: " ").map(String.init)
        footerRank = footer
        self.requirement = requirement
    }

    /// The command's name in the configuration, such as `pause-all`; nil for commands of dialogs and fields alone.
    package var name: String? {
        screens.contains(.list) || screens.contains(.details) ? id.rawValue : nil
    }

    /// The same command on other keys.
    func bound(to keys: [KeyPress]) -> Command {
        var command = self
        command.keys = keys
        return command
    }

    /// The same command without some of its keys on a screen.
    func without(_ keys: [KeyPress], on screen: Screen) -> Command {
        var command = self
        command.displaced[screen, default: []] += keys
        return command
    }

    /// Whether a key of its own is another command's on a screen.
    func isDisplaced(_ key: KeyPress, on screen: Screen) -> Bool { displaced[screen]?.contains(key) ?? false }

    /// The keys that count on a screen: where text is typed, characters are text.
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
    /// The conditions that commands have.
    enum Requirement: Sendable {
        /// A task under the cursor or on the full screen.
        case currentTask
        /// A task that the key would act on: a marked one, the current one, or one of the current group.
        case target
        /// A row in the view, and one anywhere.
        case taskInView, anyTask
        /// Group lines in the table.
        case groups
        /// Among the rows that a key acts on, one that it can act on.
        case pausableTask, resumableTask, cancellableTask, liveTask, queuedTask, startableTask, doneTask
        /// The current task has a file of this kind.
        case unfinishedDownload, movableFile, viewable, wholeFile, filePath
        /// A row in the view that has this state, or can get it.
        case pausableTaskInView, pausedTaskInView, failedTaskInView, doneTaskInView, endedTaskInView
        /// A download among those that the question is about.
        case partialFiles
        /// A data request under the cursor, and one whose body is there.
        case dataRequest, body
        /// A body that is JSON, and one that is on the screen.
        case json, jsonBody
        case marks, undo, search
        /// A column's line under the cursor of the options.
        case column

        /// Whether it asks for the task under the cursor, whatever that is.
        var isAboutOneTask: Bool {
            [.currentTask, .unfinishedDownload, .movableFile, .viewable, .wholeFile, .filePath, .dataRequest].contains(
                self)
        }

        /// The reason to show when the condition does not hold.
        var reason: SafeText {
            switch self {
            case .currentTask, .target, .taskInView: "There is no task here"
            case .anyTask: "There is no task yet"
            case .groups: "The table has no groups"
            case .pausableTask: "Nothing selected can be paused"
            case .resumableTask: "Nothing selected can be resumed"
            case .cancellableTask: "Nothing selected can be cancelled"
            case .liveTask: "Nothing selected waits or runs"
            case .queuedTask: "Nothing selected waits in the queue"
            case .startableTask: "Nothing selected waits to be started"
            case .doneTask: "Nothing selected is done, so there is nothing to transfer again"
            case .unfinishedDownload: "Only a download that is not complete goes on from another URL"
            case .movableFile: "Only a download's file can be moved, and not while it gets its name"
            case .viewable: "There is no whole file and no body to view"
            case .wholeFile: "There is no whole file to open"
            case .filePath: "This task has no file"
            case .pausableTaskInView: "Nothing in this view can be paused"
            case .pausedTaskInView: "Nothing in this view is paused"
            case .failedTaskInView: "No task in this view has failed"
            case .doneTaskInView: "No task in this view is done"
            case .endedTaskInView: "No task in this view has ended"
            case .partialFiles: "Only downloads have partial files"
            case .dataRequest: "Only data requests can be repeated"
            case .body: "There is no body to write"
            case .json: "There is no JSON body here, or it is too large"
            case .jsonBody: "Only a JSON body can be folded: [ and ] go to it"
            case .marks: "Nothing is marked"
            case .undo: "There is nothing to undo"
            case .search: "There is no search yet"
            case .column: "Only columns can be moved and sized"
            }
        }
    }
}

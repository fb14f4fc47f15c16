import Dashboard
import Foundation
import SessionSupport
import TransferService

/// The settings of a run: limits, output and the dashboard.
///
/// The transfers' settings are accessible as its own properties.
@dynamicMemberLookup
struct Settings: Sendable, Equatable {
    /// The amount of detail in the log.
    enum LogLevel: String, Sendable, CaseIterable, Comparable {
        case error, warning, info, debug

        private var rank: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .info: 2
            case .debug: 3
            }
        }

        static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
    }

    /// The rule for using colours.
    enum Color: String, Sendable, CaseIterable {
        case auto, always, never
    }

    /// The transfers' settings.
    var service = ServiceSettings()
    /// The argument that set the folder, for messages.
    var directoryLabel = "-d"
    var session = SessionChoice.automatic
    /// Whether a dashboard's tasks run in a service, which outlives it.
    var usesService = true
    /// The arguments of this run that a service takes, spelled for its command line.
    var serviceArguments: [String] = []
    /// The same for options of all requests, which each task of this run has anyway.
    ///
    /// A service that a window starts has them, also for an earlier run's tasks; one that `add` starts for other tasks
    /// too has not.
    var requestArguments: [String] = []
    /// The seconds without tasks and windows after which a service ends; nil for never.
    var idleExit: Double?
    /// The folder whose files become tasks; nil for none.
    var watch: WatchSetting?
    /// How a service offers aria2's interface.
    var rpc = RPCSettings()
    var isQuiet = false
    /// Whether the run only tells what it would do.
    var isDryRun = false
    var logPath: String?
    /// The argument that set the log, for messages.
    var logLabel = "--log"
    var logLevel = LogLevel.info
    /// How the end of work is announced.
    var notifier = NotificationSettings()
    /// The user's choice of a frame rate; nil without one.
    var framesPerSecond: Int?
    var color = Color.auto
    /// The user's choice of glyphs; the terminal decides while it is nil.
    var glyphs: GlyphSet?
    var usesMouse = false
    var exitsWhenDone = false
    /// Set only by the configuration file.
    var layout = DashboardLayout()

    subscript<Value>(dynamicMember member: WritableKeyPath<ServiceSettings, Value>) -> Value {
        get { service[keyPath: member] }
        set { service[keyPath: member] = newValue }
    }

    subscript<Value>(dynamicMember member: KeyPath<ServiceSettings, Value>) -> Value { service[keyPath: member] }
}

extension Settings {
    /// The transfers' settings, which keep ended rows for hook commands and notifications.
    var forService: ServiceSettings {
        var result = service
        result.keepsEndedRows = !notifier.hooks.isEmpty || !notifier.notification.isEmpty
        return result
    }
}

/// The choice of the saved session for a run.
enum SessionChoice: Sendable, Equatable {
    /// The default session for the dashboard, none for lines.
    case automatic
    case named(String)
    /// The dashboard has no session: nothing is saved.
    case ephemeral

    /// The session of a run without a dashboard; nil for none.
    var nameWithoutDashboard: String? {
        if case .named(let name) = self { name } else { nil }
    }

    /// The session of a dashboard; nil for none.
    var nameForDashboard: String? {
        switch self {
        case .automatic: ControlLines.defaultSession
        case .named(let name): name
        case .ephemeral: nil
        }
    }
}

/// A setting of the dashboard without an option on the command line.
enum DashboardSetting: String, Sendable, CaseIterable {
    case title, taskbar, focus, theme, units
    case timeColumn = "time-column"
    case columns, sort, group, pane, graph
    case quit
    case openCommand = "open-command"
}

/// The dashboard's settings that only the configuration file can set.
struct DashboardLayout: Sendable, Equatable {
    /// Whether the dashboard sets the window's title.
    var setsTitle = true
    /// Whether the dashboard shows its progress in the taskbar, where the terminal supports that.
    var showsTaskbarProgress = true
    /// Whether the terminal reports the focus of its window, without which fewer frames are drawn.
    var watchesFocus = false
    var theme = Theme.terminal
    /// The user's own looks of roles.
    var styles: [Role: Style] = [:]
    var units = Units.binary
    var quitting = QuitChoice.ask
    var timeColumn = TimeColumn.eta
    /// The columns that are shown if they fit.
    var columns = TableColumn.allCases
    /// The widths of columns in cells, where set.
    var columnWidths: [TableColumn: Int] = [:]
    var order = SortOrder()
    var grouping = Grouping.none
    /// Saved views by their digit.
    var views: [Int: SavedView] = [:]
    var pane = DetailsPane.small
    /// Whether the graph replaces the details.
    var showsGraph = false
    /// The command that opens files and folders; nil for the desktop's own.
    var openCommand: String?

    /// Applies a setting in the file's syntax.
    mutating func set(_ setting: DashboardSetting, to value: String, label: String) throws(UsageError) {
        switch setting {
        case .title: setsTitle = try ValueParser.flag(value, label: label)
        case .taskbar: showsTaskbarProgress = try ValueParser.flag(value, label: label)
        case .focus: watchesFocus = try ValueParser.flag(value, label: label)
        case .theme: theme = try ValueParser.choice(value, label: label)
        case .quit: quitting = try ValueParser.choice(value, label: label)
        case .units: units = try ValueParser.choice(value, label: label)
        case .timeColumn: timeColumn = try ValueParser.choice(value, label: label)
        case .openCommand:
            guard !value.isEmpty else { throw UsageError(argument: label, ValueUsage.noOpenCommand) }
            openCommand = value
        case .columns:
            columnWidths = [:]
            try setColumns(value, label: label)
        case .sort: order = try ValueParser.order(value, label: label)
        case .group: grouping = try ValueParser.choice(value, label: label)
        case .pane: pane = try ValueParser.choice(value, label: label)
        case .graph: showsGraph = try ValueParser.flag(value, label: label)
        }
    }

    /// The start of a setting about the look of a role.
    static let stylePrefix = "color."

    /// Reads the look of a role.
    mutating func setStyle(of word: String, to value: String, label: String) throws(UsageError) {
        guard let role = Role.named(word) else {
            let near = Suggestion.nearest(to: word, among: Role.allCases.map(\.word))
            let hint = near.map { CommandLineUsage.didYouMean($0) } ?? ValueUsage.seeRoles
            throw UsageError(argument: label, ValueUsage.role(word, hint: hint))
        }
        guard let style = Style(words: value) else { throw UsageError(argument: label, ValueUsage.style(value)) }
        styles[role] = style
    }

    /// Reads a saved view; an empty value is none.
    mutating func setView(_ digit: String, to value: String, label: String) throws(UsageError) {
        let number = try ValueParser.number(digit, in: SavedView.digits, label: label)
        guard !value.isEmpty else { return }
        guard let view = SavedView(words: value) else {
            throw UsageError(argument: label, ValueUsage.view(value))
        }
        views[number] = view
    }

    /// Reads columns, with their widths after colons.
    private mutating func setColumns(_ value: String, label: String) throws(UsageError) {
        let words = value.split { $0 == " " || $0 == "\t" || $0 == "," }
        let pairs = words.map { $0.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) }
        columns = try ValueParser.choices(
            pairs.map { String($0[0]) }.joined(separator: " "), none: SettingLine.noColumns, of: "column",
            label: label)
        for (column, pair) in zip(columns, pairs) where pair.count > 1 {
            columnWidths[column] = try ValueParser.number(String(pair[1]), in: column.widths, label: label)
        }
    }
}

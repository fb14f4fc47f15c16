import Dashboard
import Foundation
import TransferService

/// The settings of a whole run: limits, output and the dashboard's looks.
///
/// Those of the transfers can be used as if they were its own properties.
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

    /// What the transfers are told of it.
    var service = ServiceSettings()
    /// The place that names the folder, for messages.
    var directoryLabel = "-d"
    var session = SessionChoice.automatic
    var isQuiet = false
    var logPath: String?
    /// The place that names the log, for messages.
    var logLabel = "--log"
    var logLevel = LogLevel.info
    /// The ways in which the end of work is told.
    var notifier = NotificationSettings()
    /// Nil when the user did not choose.
    var framesPerSecond: Int?
    var color = Color.auto
    /// Nil when the user did not choose, so that the terminal may.
    var glyphs: GlyphSet?
    var usesMouse = false
    var exitsWhenDone = false
    /// The looks that the configuration file alone can set.
    var layout = DashboardLayout()

    subscript<Value>(dynamicMember member: WritableKeyPath<ServiceSettings, Value>) -> Value {
        get { service[keyPath: member] }
        set { service[keyPath: member] = newValue }
    }

    subscript<Value>(dynamicMember member: KeyPath<ServiceSettings, Value>) -> Value { service[keyPath: member] }
}

extension Settings {
    /// What the transfers are told: commands that run at an end, and notifications, name its row.
    var forService: ServiceSettings {
        var result = service
        result.keepsEndedRows = !notifier.hooks.isEmpty || !notifier.notification.isEmpty
        return result
    }
}

/// The choice of the saved session that a run lives on.
enum SessionChoice: Sendable, Equatable {
    /// The dashboard on the default one, lines on none.
    case automatic
    case named(String)
    /// The dashboard has no session: nothing is saved.
    case ephemeral

    /// The session of a dashboard that names none.
    private static let defaultName = "default"

    /// The session of a run without a dashboard; nil for none.
    var nameWithoutDashboard: String? {
        if case .named(let name) = self { name } else { nil }
    }

    /// The session of a dashboard; nil for none.
    var nameForDashboard: String? {
        switch self {
        case .automatic: Self.defaultName
        case .named(let name): name
        case .ephemeral: nil
        }
    }
}

/// A setting of the dashboard that has no option on the command line.
enum DashboardSetting: String, Sendable, CaseIterable {
    case title, taskbar, focus, units
    case timeColumn = "time-column"
    case columns, sort, group, pane, graph
    case openCommand = "open-command"
}

/// The looks of the dashboard that only the configuration file can set.
struct DashboardLayout: Sendable, Equatable {
    /// Whether the dashboard names its window.
    var setsTitle = true
    /// Whether the dashboard shows its progress where the terminal has a place for it, such as the taskbar.
    var showsTaskbarProgress = true
    /// Whether the terminal is asked to tell when its window has the focus, and fewer frames are drawn while it has
    /// not.
    var watchesFocus = false
    var units = Units.binary
    var timeColumn = TimeColumn.eta
    /// The columns that are shown where there is room.
    var columns = TableColumn.allCases
    /// The cells of columns that have a width of their own.
    var columnWidths: [TableColumn: Int] = [:]
    var order = SortOrder()
    var grouping = Grouping.none
    /// The saved views, by digit.
    var views: [Int: SavedView] = [:]
    var pane = DetailsPane.small
    /// Whether the graph is shown in place of the details.
    var showsGraph = false
    /// The command that opens files and folders; nil for the desktop's own.
    var openCommand: String?

    /// Applies a setting in the words of the file.
    mutating func set(_ setting: DashboardSetting, to value: String, label: String) throws(UsageError) {
        switch setting {
        case .title: setsTitle = try ValueParser.flag(value, label: label)
        case .taskbar: showsTaskbarProgress = try ValueParser.flag(value, label: label)
        case .focus: watchesFocus = try ValueParser.flag(value, label: label)
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

    /// Reads a saved view; an empty value is none.
    mutating func setView(_ digit: String, to value: String, label: String) throws(UsageError) {
        let number = try ValueParser.number(digit, in: SavedView.digits, label: label)
        guard !value.isEmpty else { return }
        guard let view = SavedView(words: value) else {
            throw UsageError(argument: label, ValueUsage.view(value))
        }
        views[number] = view
    }

    /// Reads columns, with their widths behind colons.
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

import Dashboard
import Foundation

/// The settings of a whole run: limits, output and the dashboard's looks.
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

    /// The folder of downloads, as the user wrote it; nil for the current one.
    var directory: String?
    /// The place that names the folder, for messages.
    var directoryLabel = "-d"
    var maximumConcurrent = 5
    var maximumPerHost = 16
    /// How fast bodies may move.
    var rates = RatePlan()
    var retries = 5
    /// Whether the user has said how many tries there are, which then holds for servers that are away too.
    var hasChosenRetries = false
    /// Seconds after a task's first failure in which further tries begin; nil when the user did not choose.
    var retryMaxTime: Double?
    var connectTimeout = 15.0
    var stallTimeout = 30.0
    var session = SessionChoice.automatic
    /// The options of requests that hold for the whole run.
    var options: [JobOption.Value] = []
    var isQuiet = false
    var logPath: String?
    /// The place that names the log, for messages.
    var logLabel = "--log"
    var logLevel = LogLevel.info
    /// The ways in which the end of work is told.
    var telling = TellingSettings()
    /// Nil when the user did not choose.
    var framesPerSecond: Int?
    var color = Color.auto
    /// Nil when the user did not choose, so that the terminal may.
    var glyphs: GlyphSet?
    var usesMouse = false
    var exitsWhenDone = false
    /// Whether what has failed in the saved session is tried again.
    var retriesFailed = false
    /// The file that gets the transfers that have failed or were cut short.
    var failedPath: String?
    /// The file of checksums that downloads are compared with.
    var checksumsPath: String?
    /// Whether the head of a response is printed too.
    var includesHead = false
    /// The looks that the configuration file alone can set.
    var looks = DashboardLooks()
}

extension Settings {
    /// Seconds for which a server that is away is tried when nobody has said otherwise, and a network that is gone waited
    /// for in a run that takes no commands.
    ///
    /// A router is up again, and a server was started anew, in less.
    static let usualPatience = 600.0

    /// Seconds for which a server that is away is tried, however often.
    var outagePatience: Double { hasChosenRetries ? 0 : retryMaxTime ?? Self.usualPatience }
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

    /// The folder of saved sessions; nil when the environment names no home, which the library then says.
    static func folder(environment: [String: String]) -> String? {
        UserFolder.path(named: "XDG_STATE_HOME", orInHome: ".local/state", environment: environment)
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
struct DashboardLooks: Sendable, Equatable {
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
            guard !value.isEmpty else { throw UsageError(argument: label, "a command is missing, such as xdg-open") }
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
            let right = "write a name and, behind bars, tab, states, sort, group and last filter"
            throw UsageError(argument: label, "\"\(value)\" is no view; \(right)")
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

/// The program as it names itself to people and to servers.
enum Product {
    /// The version that `--version` prints.
    static let version = "0.1.0"

    /// A moment before this version was made, in seconds since 1970 (November 2026): no right clock shows an earlier one.
    static let builtAfter: Int64 = 1_793_491_200

    /// The name that requests carry.
    static let userAgent = "netdash/" + version
}

/// A folder of this program among the user's own, as the XDG specification of base folders has it.
enum UserFolder {
    /// The folder below the one that a variable names, or below a place in the user's home; nil when there is no home.
    static func path(named variable: String, orInHome place: String, environment: [String: String]) -> String? {
        // A relative path has to be ignored, the specification says.
        if let folder = environment[variable], folder.hasPrefix("/") { return folder + "/netdash" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(place)/netdash"
    }
}

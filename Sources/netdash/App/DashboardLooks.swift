import Dashboard

/// The looks of the dashboard that only the configuration file can set.
struct DashboardLooks: Sendable, Equatable {
    /// Whether the dashboard names its window.
    var setsTitle = true
    /// Whether the dashboard shows its progress where the terminal has a place for it, such as the taskbar.
    var showsTaskbarProgress = true
    /// Whether the terminal is asked to tell when its window has the focus, and fewer frames are drawn while it has not.
    var watchesFocus = false
    var units = Units.binary
    var timeColumn = TimeColumn.eta
    /// The columns that are shown where there is room.
    var columns = TableColumn.allCases

    /// Takes a setting as the file words it.
    mutating func set(_ setting: DashboardSetting, to value: String, label: String) throws(UsageError) {
        switch setting {
        case .title: setsTitle = try ValueParser.flag(value, label: label)
        case .taskbar: showsTaskbarProgress = try ValueParser.flag(value, label: label)
        case .focus: watchesFocus = try ValueParser.flag(value, label: label)
        case .units: units = try ValueParser.choice(value, label: label)
        case .timeColumn: timeColumn = try ValueParser.choice(value, label: label)
        case .columns: columns = try ValueParser.choices(value, none: SettingLine.noColumns, label: label)
        }
    }
}

/// What the configuration file can say of the dashboard beyond the options of the command line.
enum DashboardSetting: String, Sendable, CaseIterable {
    case title, taskbar, focus, units
    case timeColumn = "time-column"
    case columns
}

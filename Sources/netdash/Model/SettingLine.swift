/// A line of the configuration file: `name = value`.
struct SettingLine: Sendable, Equatable {
    var name: String
    var value: String
}

/// A line of the configuration file: `name = value`.
package struct SettingLine: Sendable, Equatable {
    package var name: String
    package var value: String
}

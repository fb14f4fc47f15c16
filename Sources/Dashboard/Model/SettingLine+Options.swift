/// The dashboard's options in the words of the configuration file.
extension SettingLine {
    /// What stands for a table without any column that can be switched off.
    package static let noColumns = "none"

    /// A list of columns.
    package static func columns(_ columns: [TableColumn]) -> SettingLine {
        let words = columns.map(\.rawValue).joined(separator: " ")
        return SettingLine(name: "columns", value: words.isEmpty ? noColumns : words)
    }

    /// A switch.
    package static func flag(_ name: String, _ isOn: Bool) -> SettingLine {
        SettingLine(name: name, value: isOn ? "yes" : "no")
    }
}

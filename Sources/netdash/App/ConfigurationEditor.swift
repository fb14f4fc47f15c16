import Dashboard

/// Changes settings in the text of a configuration file, and nothing else in it.
enum ConfigurationEditor {
    /// The text with these settings: in the lines that have them already, else in lines of their own at the end.
    ///
    /// Comments, blanks, the order of lines and the way they end stay as they are.
    static func text(_ text: String, setting settings: [SettingLine]) -> String {
        var result = ""
        var missing = settings
        var usualEnding: Substring = "\n"
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let isLast = index + 1 == lines.count
            let ending = text[line.endIndex..<(isLast ? text.endIndex : lines[index + 1].startIndex)]
            if index == 0, !isLast { usualEnding = ending }
            result += edited(line, setting: settings, missing: &missing) + ending
        }
        guard !missing.isEmpty else { return result }
        if let last = lines.last, !last.isEmpty { result += usualEnding }
        for setting in missing { result += "\(setting.name) = \(setting.value)\(usualEnding)" }
        return result
    }

    /// A line with the new value when it is one of the settings.
    private static func edited(
        _ line: Substring, setting settings: [SettingLine], missing: inout [SettingLine]
    ) -> String {
        guard let sign = line.firstIndex(of: "=") else { return String(line) }
        // Some editors put a mark in front that is no text.
        let name = ValueParser.trimmed(line[..<sign].drop { $0 == "\u{FEFF}" })
        guard let setting = settings.first(where: { $0.name == name }) else { return String(line) }
        missing.removeAll { $0.name == name }
        let blanksAndValue = line[line.index(after: sign)...]
        let rest = blanksAndValue.drop { $0 == " " || $0 == "\t" }
        let old = ConfigurationParser.withoutComment(ValueParser.trimmed(rest))
        return line[..<rest.startIndex] + setting.value + rest.dropFirst(old.count)
    }
}

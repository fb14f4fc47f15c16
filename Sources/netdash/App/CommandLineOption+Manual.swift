import Dashboard

extension CommandLineOption {
    /// The manual page's section on options, in the language of man pages.
    static func manual() -> String {
        let lines = allCases.flatMap { option in [".TP", option.manualTag, ManualText.escaped(option.summary)] }
        return lines.joined(separator: "\n") + "\n"
    }

    private var manualTag: String {
        let names = [shortName.map { "-\($0)" }, spelling].compactMap(\.self)
        let tags = names.map { "\\fB\(ManualText.escaped($0))\\fR" }.joined(separator: ", ")
        return valueName.map { tags + " \\fI\(ManualText.escaped($0))\\fR" } ?? tags
    }
}

import Dashboard

extension ListKey {
    /// The manual page's list of keys, in the language of man pages.
    static func manual() -> String {
        allCases.flatMap { key in
            [
                ".TP", "\\fB\(ManualText.escaped(key.name))\\fR=\\fI\(ManualText.escaped(key.valueName))\\fR",
                ManualText.escaped(key.summary),
            ]
        }.joined(separator: "\n") + "\n"
    }
}

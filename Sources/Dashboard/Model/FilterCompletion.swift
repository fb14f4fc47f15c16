/// What the filter's last word may become.
enum FilterCompletion {
    private static let names = ["state:", "kind:", "host:", "size>", "size<"]

    /// The text with its last word completed as far as that is certain; nil when there is nothing to add.
    ///
    /// `hosts` names the hosts there are; it is asked only when a host is being typed.
    static func complete(_ text: String, hosts: () -> some Sequence<String>) -> String? {
        let start = text.lastIndex(of: " ").map { text.index(after: $0) } ?? text.startIndex
        let word = text[start...].lowercased()
        guard !word.isEmpty else { return nil }
        let choices: [String]
        if word.hasPrefix("state:") {
            choices = RowState.allCases.map { "state:" + $0.rawValue }
        } else if word.hasPrefix("kind:") {
            choices = Job.Kind.allCases.map { "kind:" + $0.rawValue }
        } else if word.hasPrefix("host:") {
            choices = Set(hosts()).map { "host:" + $0.lowercased() }
        } else {
            choices = names
        }
        let fitting = choices.filter { $0.hasPrefix(word) }
        let longer = commonPrefix(of: fitting)
        guard longer.count > word.count else { return nil }
        let isWhole = fitting.count == 1 && !names.contains(longer)
        return text[..<start] + longer + (isWhole ? " " : "")
    }

    /// What all texts begin with.
    static func commonPrefix(of texts: [String]) -> String {
        guard var common = texts.first else { return "" }
        for text in texts.dropFirst() {
            common = String(zip(common, text).prefix { $0 == $1 }.map(\.0))
        }
        return common
    }
}

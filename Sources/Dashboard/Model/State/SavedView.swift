/// A named view: the rows shown, their order and their groups.
package struct SavedView: Sendable, Equatable {
    /// The digits that choose views; lower ones choose tabs.
    package static let digits = 5...9
    /// The prefix of a view's name in the configuration file, followed by its digit.
    package static let settingPrefix = "view."
    private static let bar: Character = "|"
    private static let filterWord = "filter "

    package var name: String
    package var query: RowQuery

    package init(name: String, query: RowQuery) {
        self.name = name
        self.query = query
    }

    /// Reads a view in the words of the configuration file; nil if they are invalid.
    ///
    /// They are a name and, each after a bar, the differences from the default view: `big files | sort size | filter
    /// size>1G`. The filter comes last and may contain anything.
    package init?(words: String) {
        var rest = words[...]
        guard let name = Self.takePart(of: &rest), !name.isEmpty else { return nil }
        self.init(name: String(name), query: RowQuery())
        while !rest.isEmpty {
            rest = rest.drop { $0 == " " }
            if rest.hasPrefix(Self.filterWord) {
                query.filter = String(rest.dropFirst(Self.filterWord.count)).trimmed
                break
            }
            let pieces = Self.takePart(of: &rest)?.split(separator: " ", maxSplits: 1) ?? []
            guard pieces.count == 2, apply(String(pieces[1]).trimmed, to: String(pieces[0])) else { return nil }
        }
    }

    /// Removes and returns the text before the next bar; nil at the end.
    private static func takePart(of rest: inout Substring) -> String? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: bar) ?? rest.endIndex
        defer { rest = end == rest.endIndex ? "" : rest[rest.index(after: end)...] }
        return String(rest[..<end]).trimmed
    }

    private mutating func apply(_ value: String, to part: String) -> Bool {
        switch part {
        case "sort":
            guard let order = SortOrder(words: value) else { return false }
            query.order = order
        case "group":
            guard let grouping = Grouping(rawValue: value) else { return false }
            query.grouping = grouping
        case "tab":
            guard let tab = Tab.allCases.first(where: { $0.settingWord == value }) else { return false }
            query.tab = tab
        case "states":
            let states = value.split(separator: " ").map { RowState(rawValue: String($0)) }
            guard !states.contains(nil) else { return false }
            query.states = Set(states.compactMap(\.self))
        default: return false
        }
        return true
    }

    /// The view in the words of the configuration file.
    package var words: String {
        let usual = RowQuery()
        var parts = [name]
        if query.tab != usual.tab { parts.append("tab " + query.tab.settingWord) }
        if !query.states.isEmpty {
            let states = RowState.allCases.filter { query.states.contains($0) }
            parts.append("states " + states.map(\.rawValue).joined(separator: " "))
        }
        if query.order != usual.order { parts.append("sort " + query.order.words) }
        if query.grouping != usual.grouping { parts.append("group " + query.grouping.rawValue) }
        if !query.filter.isEmpty { parts.append(Self.filterWord + query.filter) }
        return parts.joined(separator: " \(Self.bar) ")
    }
}

extension Tab {
    /// The tab's word in the configuration file.
    fileprivate var settingWord: String {
        switch self {
        case .all: "all"
        case .data: "data"
        case .upload: "upload"
        case .download: "download"
        }
    }
}

extension SavedView {
    /// The digit of a view's line in the configuration file; nil for another line.
    static func digit(of line: SettingLine) -> Int? {
        line.name.hasPrefix(settingPrefix) ? Int(line.name.dropFirst(settingPrefix.count)) : nil
    }
}

extension SettingLine {
    /// A saved view; an empty value for a deleted one.
    package static func view(_ digit: Int, _ view: SavedView?) -> SettingLine {
        SettingLine(name: SavedView.settingPrefix + String(digit), value: view?.words ?? "")
    }
}

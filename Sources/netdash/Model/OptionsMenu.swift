/// The menu of options: which line is highlighted.
struct OptionsMenu: Sendable, Equatable {
    /// A line of the menu.
    enum Item: Sendable, Equatable {
        case units, glyphs, framesPerSecond, mouse, timeColumn
        case column(TableColumn)
    }

    /// All lines, in their order.
    static let items: [Item] =
        [.units, .glyphs, .framesPerSecond, .mouse, .timeColumn] + TableColumn.allCases.map { .column($0) }

    var line = 0

    /// The highlighted line's option.
    var item: Item { OptionsMenu.items[min(max(line, 0), OptionsMenu.items.count - 1)] }
}

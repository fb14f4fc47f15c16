/// The menu of options: which line is highlighted.
struct OptionsMenu: Sendable, Equatable {
    /// A line of the menu.
    enum Item: Sendable, Equatable {
        case units, glyphs, framesPerSecond, mouse, timeColumn
        case column(TableColumn)
    }

    /// All lines, in their order; columns stand as they do in the table.
    static func items(_ options: ViewOptions) -> [Item] {
        [.units, .glyphs, .framesPerSecond, .mouse, .timeColumn] + options.columnOrder.map { .column($0) }
    }

    var line = 0

    /// The highlighted line's option.
    func item(_ options: ViewOptions) -> Item {
        let items = OptionsMenu.items(options)
        return items[min(max(line, 0), items.count - 1)]
    }
}

/// The division of the screen's lines among its regions.
///
/// It depends on the size alone, so that the model scrolls by the height the view will draw. Regions are dropped as the
/// screen shrinks; the table never is.
package struct ScreenLayout: Sendable, Equatable {
    package private(set) var header: Range<Int> = 0..<0
    package private(set) var tabs: Int?
    package private(set) var columnTitles: Int?
    package private(set) var table: Range<Int> = 0..<0
    package private(set) var rule: Int?
    package private(set) var details: Range<Int> = 0..<0
    package private(set) var toast: Int?
    package private(set) var footer: Int?

    /// Whether the header must show tab and counts, because no line is left for them.
    package var foldsTabs: Bool { tabs == nil }

    package init(size: Size, pane: DetailsPane) {
        let height = max(size.rows, 0)
        guard height >= 3 else {
            table = 0..<height
            return
        }
        guard height >= 4 else {
            header = 0..<1
            table = 1..<height
            return
        }
        footer = height - 1
        guard height >= 12 else {
            header = 0..<1
            table = 1..<(height - 1)
            return
        }
        divideTall(size: size, pane: pane)
    }

    private mutating func divideTall(size: Size, pane: DetailsPane) {
        let height = size.rows
        header = 0..<(height >= 30 ? 3 : 1)
        var top = header.upperBound
        if size.columns >= 30 {
            tabs = top
            top += 1
        }
        columnTitles = top
        top += 1
        var bottom = height - 1
        if height >= 20 {
            bottom -= 1
            toast = bottom
        }
        let room = bottom - top - 1
        let wanted: Int
        switch pane {
        case .off: wanted = 0
        case .small: wanted = height >= 30 ? 12 : height >= 20 ? 4 : 2
        case .large: wanted = room / 2
        }
        let least = height >= 30 ? 10 : 3
        let given = max(0, min(wanted, room - least))
        details = (bottom - given)..<bottom
        rule = bottom - given - 1
        table = top..<(bottom - given - 1)
    }

    // MARK: - Parts

    /// The lines of a screen that show the details' text.
    package static func detailsRows(height: Int) -> Range<Int> {
        let start = height >= 6 ? (height >= 12 ? 3 : 2) : 1
        return start..<max(height >= 4 ? height - 1 : height, start)
    }

    /// The first line to show so that a position is visible, as near as possible to the previous one.
    package static func top(_ top: Int, showing position: Int, height: Int) -> Int {
        let height = max(height, 1)
        if position < top { return position }
        if position >= top + height { return position - height + 1 }
        return max(top, 0)
    }
}

extension Model {
    /// The layout at the reported size.
    var layout: ScreenLayout { ScreenLayout(size: size, pane: details.pane) }

    /// The columns at the reported size.
    var tableColumns: TableColumns { TableColumns(width: size.columns, options: options) }
}

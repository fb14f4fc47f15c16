/// The options of the dashboard, as its menu sets them.
package struct ViewOptions: Sendable, Equatable {
    /// The frame rates to choose from.
    static let frameRates = [1, 2, 4, 8, 15, 30]

    package var units: Units = .binary
    /// The user's choice of glyphs; the terminal decides while it is nil.
    package var glyphs: GlyphSet?
    package var theme = Theme.terminal
    package var framesPerSecond = 4
    package var usesMouse = false
    package var quitting = QuitChoice.ask
    package var limits = TransferLimits()
    package var rates = RatePlan()
    package var hiddenColumns: Set<TableColumn> = []
    /// All columns, from left to right.
    var columnOrder = TableColumn.allCases
    /// The cells of columns with a set width.
    ///
    /// Such a column is also shown in windows that would otherwise drop it.
    package var columnWidths: [TableColumn: Int] = [:]

    /// The saved views, by digit.
    package var views: [Int: SavedView] = [:]

    package var shownColumns: [TableColumn] { columnOrder.filter { !hiddenColumns.contains($0) } }

    /// Hides all columns but these, which appear in this order.
    package mutating func show(only columns: [TableColumn]) {
        hiddenColumns = Set(TableColumn.allCases).subtracting(columns)
        columnOrder = columns + TableColumn.allCases.filter { !columns.contains($0) }
    }
}

extension CaseIterable where Self: Equatable {
    /// The value this many steps on, wrapping around.
    package func advanced(by steps: Int) -> Self {
        let all = Array(Self.allCases)
        let index = all.firstIndex(of: self) ?? 0
        return all[((index + steps) % all.count + all.count) % all.count]
    }
}

/// The columns that can be hidden, under the words of the configuration file; the others are essential to a row.
package enum TableColumn: String, Sendable, CaseIterable {
    case gauge = "progress"
    case done, size, speed, rates, time
    case stateWord = "state"
    case protocolName = "protocol"
    case host

    /// The permitted widths in cells: no number is cut, and the title fits with its sort arrow.
    package var widths: ClosedRange<Int> {
        switch self {
        case .gauge: 9...60
        case .done, .size, .protocolName: 6...60
        case .speed, .rates, .time: 8...60
        case .stateWord, .host: 9...60
        }
    }

    /// The option's word in the menu.
    package var title: SafeText {
        switch self {
        case .gauge: ColumnLabels.gauge
        case .done: ColumnLabels.done
        case .size: ColumnLabels.size
        case .speed: ColumnLabels.speed
        case .rates: ColumnLabels.rates
        case .time: ColumnLabels.time
        case .stateWord: ColumnLabels.state
        case .protocolName: ColumnLabels.version
        case .host: ColumnLabels.host
        }
    }
}

/// The contents of the time column, under the words of the configuration file.
package enum TimeColumn: String, Sendable, CaseIterable {
    case eta = "left"
    case elapsed = "taken"
    /// The time of day at the end.
    case finish = "end"

    /// The column's title.
    package var title: SafeText {
        switch self {
        case .eta: TimeStates.left
        case .elapsed: TimeStates.taken
        case .finish: TimeStates.end
        }
    }

    /// The word for it in the menu of options.
    package var name: SafeText {
        switch self {
        case .eta: ColumnLabels.timeLeft
        case .elapsed: ColumnLabels.timeTaken
        case .finish: ColumnLabels.endTime
        }
    }
}

/// The effect of `q` while a service has unfinished tasks, in the words of the configuration file.
package enum QuitChoice: String, Sendable, CaseIterable {
    case ask
    /// The window closes, the tasks continue.
    case detach
    /// The service ends, and the tasks with it.
    case stop
}

/// The sets of characters for gauges, marks and curves.
package enum GlyphSet: String, Sendable, CaseIterable {
    /// Block elements and arrows: the default.
    case blocks
    case ascii
    /// Block elements, with curves in braille.
    case braille
    /// The characters of the Linux console's fonts: full blocks and shades, no parts of blocks, few arrows.
    case console
}

/// The looks to choose from, under the words of the configuration file.
package enum Theme: String, Sendable, CaseIterable {
    /// Suits dark and light terminals.
    case terminal
    case dark, light
    /// The terminal's own two colours, nothing dim.
    case contrast
}

/// The size of a screen or of a part of it, in cells.
package struct Size: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A line of the configuration file: `name = value`.
package struct SettingLine: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        (self.name, self.value) = (name, value)
    }
}

/// The dashboard's options in the words of the configuration file.
extension SettingLine {
    /// The value for a table without optional columns.
    package static let noColumns = "none"

    /// A list of columns, each with its width after a colon if it has one.
    package static func columns(_ columns: [TableColumn], widths: [TableColumn: Int] = [:]) -> SettingLine {
        let words = columns.map { column in column.rawValue + (widths[column].map { ":\($0)" } ?? "") }
            .joined(separator: " ")
        return SettingLine(name: "columns", value: words.isEmpty ? noColumns : words)
    }

    static func quitting(_ choice: QuitChoice) -> SettingLine { SettingLine(name: "quit", value: choice.rawValue) }

    package static func flag(_ name: String, _ isOn: Bool) -> SettingLine {
        SettingLine(name: name, value: isOn ? "yes" : "no")
    }
}

extension Model {
    /// The options in the words of the configuration file; an unset glyph set is left to the terminal.
    package var settings: [SettingLine] {
        let glyphs = options.glyphs.map { [SettingLine(name: "glyphs", value: $0.rawValue)] } ?? []
        return [
            SettingLine(name: "units", value: options.units.rawValue),
            SettingLine(name: "theme", value: options.theme.rawValue),
            SettingLine(name: "fps", value: String(options.framesPerSecond)),
            .flag("mouse", options.usesMouse),
            .quitting(options.quitting),
            SettingLine(name: "time-column", value: list.timeColumn.rawValue),
            .columns(options.shownColumns, widths: options.columnWidths),
            SettingLine(name: "sort", value: rows.query.order.words),
            SettingLine(name: "group", value: rows.query.grouping.rawValue),
            SettingLine(name: "pane", value: details.pane.rawValue),
            SettingLine(name: "max-concurrent", value: String(options.limits.all)),
            SettingLine(name: "max-per-host", value: String(options.limits.perHost)),
            SettingLine(name: "limit-rate", value: options.rates.download.words),
            SettingLine(name: "limit-upload", value: options.rates.upload.words),
            .flag("graph", details.showsGraph),
        ] + glyphs + options.views.sorted { $0.key < $1.key }.map { .view($0.key, $0.value) }
    }
}

extension TransferLimits {
    /// The values that key presses step through: single steps for small limits, larger ones above.
    static let values = Array(1...16) + [20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000]

    /// The next value above a limit, or below it for negative steps; the limit itself if there is none.
    static func next(_ limit: Int, by steps: Int) -> Int {
        steps > 0 ? values.first { $0 > limit } ?? limit : values.last { $0 < limit } ?? limit
    }
}

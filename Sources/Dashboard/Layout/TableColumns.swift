/// The table's columns and their positions at a width.
///
/// The breakpoints are 160, 140, 100, 80, 60, 40 and 20 cells; below 20 percent comes before the name. Whether a row can
/// resume is shown from 60 cells on, because a mark without a head would be a riddle.
package struct TableColumns: Sendable, Equatable {
    package enum Kind: Sendable, CaseIterable {
        case mark, state, kind, name, gauge, percent, standing, done, size, speed, rates, time, stateWord, protocolName
        case host

        /// The option that hides it; nil for a column every row has.
        package var option: TableColumn? {
            switch self {
            case .mark, .state, .kind, .name, .percent, .standing: nil
            case .gauge: .gauge
            case .done: .done
            case .size: .size
            case .speed: .speed
            case .rates: .rates
            case .time: .time
            case .stateWord: .stateWord
            case .protocolName: .protocolName
            case .host: .host
            }
        }

        /// The order that a click on its title selects; nil for none.
        package var order: SortOrder.Column? {
            switch self {
            case .mark, .kind, .standing, .rates, .protocolName: nil
            case .state, .stateWord: .state
            case .name: .name
            case .gauge, .percent, .done: .progress
            case .size: .size
            case .speed: .speed
            case .time: .eta
            case .host: .host
            }
        }
    }

    package struct Column: Sendable, Equatable {
        package var kind: Kind
        package var start: Int
        package var width: Int
        package var end: Int { start + width }
    }

    package private(set) var columns: [Column] = []
    /// Whether percent has tenths and the speed its `/s`.
    package private(set) var percentHasTenths = false
    package private(set) var speedHasUnit = true
    /// Whether the cell of the selected row also shows its mark.
    package private(set) var sharesMarkCell = false

    package var hasStateWord: Bool { columns.contains { $0.kind == .stateWord } }

    /// Divides a line among the columns to be shown, in order, as far as they fit this width.
    ///
    /// Hidden columns give their cells to the name; percent and the column RES stay after the bar. A column with a set
    /// width gets it, and is shown even at widths that would drop it, as long as the name keeps its minimum.
    package init(width: Int, shown: [TableColumn] = TableColumn.allCases, widths: [TableColumn: Int] = [:]) {
        self.init(allIn: width)
        guard shown != TableColumn.allCases || !widths.isEmpty,
            let name = columns.firstIndex(where: { $0.kind == .name }), let end = columns.last?.end
        else { return }
        let indices = Dictionary(shown.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
        let barPosition = indices[.gauge] ?? -1
        var optional = columns[(name + 1)...].compactMap { column -> (index: Int, column: Column)? in
            guard let option = column.kind.option else { return (2 * barPosition + 1, column) }
            return indices[option].map { (2 * $0, column) }
        }
        var spare =
            end - columns[name].start - Self.leastName - optional.reduce(0) { $0 + $1.column.width + 1 }
        for (index, option) in shown.enumerated() {
            guard let wanted = widths[option] else { continue }
            if let index = optional.firstIndex(where: { $0.column.kind.option == option }) {
                let growth = min(wanted - optional[index].column.width, max(spare, 0))
                optional[index].column.width += growth
                spare -= growth
            } else if wanted < spare, let kind = Kind.allCases.first(where: { $0.option == option }) {
                optional.append((2 * index, Column(kind: kind, start: 0, width: wanted)))
                spare -= wanted + 1
            }
        }
        arrange(optional.sorted { $0.index < $1.index }.map(\.column), after: name)
    }

    package init(width: Int, options: ViewOptions) {
        self.init(width: width, shown: options.shownColumns, widths: options.columnWidths)
    }

    /// The minimum cells of the name beside columns of set widths.
    private static let leastName = 16

    /// Puts columns after the name, one cell apart, and gives the name the remaining cells.
    private mutating func arrange(_ others: [Column], after name: Int) {
        guard let end = columns.last?.end, name + 1 < columns.count else { return }
        columns.removeSubrange((name + 1)...)
        columns[name].width = end - columns[name].start - others.reduce(0) { $0 + $1.width + 1 }
        var position = columns[name].end
        for var column in others {
            column.start = position + 1
            position = column.end
            columns.append(column)
        }
    }

    private init(allIn width: Int) {
        let total = max(width, 0)
        switch total {
        case 140...: divide(total, wide: true)
        case 100...:
            place(
                [(.mark, 1, 0), (.state, 1, 1), (.kind, 1, 1)], name: total - 72,
                right: [
                    (.gauge, 16), (.percent, 5), (.standing, 3), (.size, 7), (.speed, 9), (.time, 7), (.stateWord, 11),
                ])
        case 80...:
            place(
                [(.mark, 1, 0), (.state, 1, 1), (.kind, 1, 1)], name: total - 56,
                right: [
                    (.gauge, 12), (.percent, 5), (.standing, 3), (.size, 7), (.speed, 8), (.time, 7),
                ])
        case 60...:
            place(
                [(.state, 1, 0), (.kind, 1, 1)], name: total - 41,
                right: [
                    (.gauge, 10), (.percent, 4), (.standing, 3), (.speed, 8), (.time, 6),
                ])
        case 40...:
            speedHasUnit = false
            place([(.state, 1, 0), (.kind, 1, 0)], name: total - 22, right: [(.percent, 4), (.speed, 6), (.time, 5)])
        case 20...:
            place([(.state, 1, 0), (.kind, 1, 0)], name: total - 10, right: [(.percent, 4)])
        default:
            columns = [
                Column(kind: .percent, start: 1, width: 4), Column(kind: .name, start: 6, width: max(total - 6, 0)),
            ]
        }
        sharesMarkCell = total < 80
    }

    private mutating func divide(_ total: Int, wide: Bool) {
        percentHasTenths = wide
        let spare = total - 140
        let host = 14 + min(spare / 3, 16)
        // Names come first, so the curve of rates needs a window with room for both.
        let rates: [(Kind, Int)] = total >= 160 ? [(.rates, RateMeter.recentCount)] : []
        let name = 30 + spare - (host - 14) - rates.reduce(0) { $0 + $1.1 + 1 }
        var right: [(Kind, Int)] = [
            (.gauge, 22), (.percent, 6), (.standing, 3), (.done, 8), (.size, 8), (.speed, 9),
        ]
        right += rates
        right += [(.time, 7), (.stateWord, 11), (.protocolName, 5), (.host, host)]
        place([(.mark, 1, 0), (.state, 1, 1), (.kind, 1, 1)], name: name, right: right)
    }

    /// Lays out columns from the left, each after its gap, then the name, then the others one cell apart.
    private mutating func place(_ left: [(Kind, Int, Int)], name: Int, right: [(Kind, Int)]) {
        var position = 1
        for (kind, width, gap) in left {
            columns.append(Column(kind: kind, start: position + gap, width: width))
            position += gap + width
        }
        position += 1
        columns.append(Column(kind: .name, start: position, width: max(name, 0)))
        position += max(name, 0)
        for (kind, width) in right {
            columns.append(Column(kind: kind, start: position + 1, width: width))
            position += width + 1
        }
    }
}

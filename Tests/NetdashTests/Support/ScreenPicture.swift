@testable import Dashboard
@testable import TransferService
@testable import netdash

/// A surface as an SVG picture: what a terminal with a dark background shows.
///
/// Every run of cells with one look is one piece of text of a fixed length, and block characters are rectangles, so that
/// columns line up in whatever font the reader has.
struct ScreenPicture {
    private static let cell = (width: 8, height: 17)
    private static let margin = 10
    private static let background = "#16181d"
    private static let foreground = "#d5d8de"

    private let surface: Surface
    private let palette = Palette(usesColor: true)

    init(_ surface: Surface) {
        self.surface = surface
    }

    /// The picture's file.
    var svg: String {
        let width = surface.size.columns * Self.cell.width + 2 * Self.margin
        let height = surface.size.rows * Self.cell.height + 2 * Self.margin
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\""
                + " height=\"\(height)\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\""
                + " font-size=\"13\" shape-rendering=\"crispEdges\">",
            "<rect width=\"\(width)\" height=\"\(height)\" rx=\"6\" fill=\"\(Self.background)\"/>",
        ]
        for row in 0..<surface.size.rows { lines += runs(of: row).flatMap { elements(of: $0, row: row) } }
        if let cursor = surface.cursor {
            lines.append(rectangle(column: Double(cursor.column), row: cursor.row, width: 1, fill: Self.foreground))
        }
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    // MARK: - Runs

    /// Cells of one row that look alike.
    private struct Run {
        var column: Int
        var clusters: [String] = []
        var widths: [Int] = []
        var style: Style
        /// Whether it consists of block characters.
        var isBlocks: Bool

        var width: Int { widths.reduce(0, +) }

        /// How many columns the clusters before one take.
        func columns(before index: Int) -> Int { widths[..<index].reduce(0, +) }
    }

    private func runs(of row: Int) -> [Run] {
        var runs: [Run] = []
        for column in 0..<surface.size.columns {
            let cell = surface[row, column]
            guard cell.width > 0 else { continue }
            let style = palette[cell.role]
            let isBlocks = Self.block(cell.cluster.text) != nil
            let continues = runs.last.map { $0.style == style && $0.isBlocks == isBlocks } ?? false
            if !continues { runs.append(Run(column: column, style: style, isBlocks: isBlocks)) }
            runs[runs.count - 1].clusters.append(cell.cluster.text)
            runs[runs.count - 1].widths.append(Int(cell.width))
        }
        return runs
    }

    private func elements(of run: Run, row: Int) -> [String] {
        let isReverse = run.style.attributes.contains(.reverse)
        let color = run.style.color.map(Self.name) ?? Self.foreground
        var elements: [String] = []
        if isReverse { elements.append(rectangle(column: Double(run.column), row: row, width: run.width, fill: color)) }
        let fill = isReverse ? Self.background : color
        if run.isBlocks { return elements + blocks(of: run, row: row, fill: fill) }
        return elements + text(of: run, row: row, fill: fill)
    }

    /// The words of a run, each at its own column: not every program that shows pictures stretches text to a length.
    private func text(of run: Run, row: Int, fill: String) -> [String] {
        if run.style.attributes.contains(.underline) { return [text(run.clusters[...], of: run, row: row, fill: fill)] }
        var words: [ArraySlice<String>] = []
        var rest = run.clusters[...]
        while let start = rest.firstIndex(where: { $0 != " " }) {
            rest = rest[start...]
            let end = rest.indices.first {
                rest[$0] == " " && (rest.index(after: $0) == rest.endIndex || rest[$0 + 1] == " ")
            }
            words.append(rest[..<(end ?? rest.endIndex)])
            rest = rest[(end ?? rest.endIndex)...]
        }
        return words.map { text($0, of: run, row: row, fill: fill) }
    }

    private func text(_ clusters: ArraySlice<String>, of run: Run, row: Int, fill: String) -> String {
        let x = Self.margin + (run.column + run.columns(before: clusters.startIndex)) * Self.cell.width
        let y = Self.margin + row * Self.cell.height + 13
        let length =
            (run.columns(before: clusters.endIndex) - run.columns(before: clusters.startIndex)) * Self.cell.width
        var attributes = "x=\"\(x)\" y=\"\(y)\" textLength=\"\(length)\" fill=\"\(fill)\" xml:space=\"preserve\""
        if run.style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
        if run.style.attributes.contains(.dim) { attributes += " opacity=\"0.6\"" }
        if run.style.attributes.contains(.underline) { attributes += " text-decoration=\"underline\"" }
        return "<text \(attributes)>\(Self.escaped(clusters.joined()))</text>"
    }

    // MARK: - Blocks

    /// The part of its cell that a block character fills: from the left, from below, and how densely.
    private static func block(_ cluster: String) -> (width: Double, height: Double, opacity: Double)? {
        guard let scalar = cluster.unicodeScalars.first, cluster.unicodeScalars.count == 1 else { return nil }
        switch scalar.value {
        case 0x2581...0x2588: return (1, Double(scalar.value - 0x2580) / 8, 1)
        case 0x2589...0x258F: return (Double(0x2590 - scalar.value) / 8, 1, 1)
        case 0x2591: return (1, 1, 0.25)
        case 0x2592: return (1, 1, 0.5)
        default: return nil
        }
    }

    private func blocks(of run: Run, row: Int, fill: String) -> [String] {
        var elements: [String] = []
        let dimming = run.style.attributes.contains(.dim) ? 0.6 : 1
        var index = 0
        while index < run.clusters.count {
            guard let block = Self.block(run.clusters[index]) else { break }
            // Equal full cells become one rectangle.
            let count = block.width == 1 ? run.clusters[index...].prefix { $0 == run.clusters[index] }.count : 1
            let opacity = block.opacity * dimming
            elements.append(
                rectangle(
                    column: Double(run.column + index), row: row, width: Double(count - 1) + block.width,
                    height: block.height, fill: fill, opacity: opacity))
            index += count
        }
        return elements
    }

    private func rectangle(column: Double, row: Int, width: Int, fill: String) -> String {
        rectangle(column: column, row: row, width: Double(width), height: 1, fill: fill, opacity: 1)
    }

    private func rectangle(
        column: Double, row: Int, width: Double, height: Double, fill: String, opacity: Double
    ) -> String {
        let x = Double(Self.margin) + column * Double(Self.cell.width)
        let y = Double(Self.margin + (row + 1) * Self.cell.height) - height * Double(Self.cell.height)
        let size = "width=\"\(width * Double(Self.cell.width))\" height=\"\(height * Double(Self.cell.height))\""
        let look = opacity < 1 ? "fill=\"\(fill)\" opacity=\"\(opacity)\"" : "fill=\"\(fill)\""
        return "<rect x=\"\(x)\" y=\"\(y)\" \(size) \(look)/>"
    }

    // MARK: - Parts

    private static func name(_ color: Style.Color) -> String {
        switch color {
        case .black: "#000000"
        case .red: "#f2777a"
        case .green: "#8ccf7e"
        case .yellow: "#e5c76b"
        case .blue: "#67b0e8"
        case .magenta: "#c47fd5"
        case .cyan: "#6cd0ca"
        case .white: "#ffffff"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

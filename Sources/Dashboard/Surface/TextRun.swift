/// Text laid out in cells; clipping is decided here, before anything is drawn.
package struct TextRun: Sendable, Equatable {
    /// A cluster and the one or two cells it takes.
    struct Piece: Sendable, Equatable {
        var cluster: Cluster
        var width: Int
    }

    private(set) var pieces: [Piece] = []
    /// The total number of cells.
    package private(set) var width = 0

    /// Lays text out.
    ///
    /// A mark without a base is dropped, because a terminal would attach it to another text's cell; a scalar the
    /// terminal cannot draw becomes a replacement of one cell.
    package init(_ text: SafeText, capabilities: ViewCapabilities) {
        pieces.reserveCapacity(text.string.utf8.count)
        for scalar in text.string.unicodeScalars {
            append(capabilities.hasEighths ? scalar : Glyphs.halfForm(of: scalar), capabilities: capabilities)
        }
    }

    private init(pieces: [Piece]) {
        self.pieces = pieces
        width = pieces.reduce(0) { $0 + $1.width }
    }

    private mutating func append(_ scalar: Unicode.Scalar, capabilities: ViewCapabilities) {
        if scalar.value < 0x7F {
            pieces.append(Piece(cluster: Cluster(scalar), width: 1))
            width += 1
            return
        }
        if capabilities.glyphs == .ascii, let plain = Glyphs.plainForm(of: scalar) {
            for scalar in plain.unicodeScalars { pieces.append(Piece(cluster: Cluster(scalar), width: 1)) }
            width += plain.unicodeScalars.count
            return
        }
        let scalar = capabilities.glyphs == .console ? Glyphs.consoleForm(of: scalar) : scalar
        let cells = capabilities.showsUnicode ? capabilities.width(scalar) : -1
        if cells == 0 {
            guard !pieces.isEmpty, pieces[pieces.count - 1].cluster.count <= Sanitizer.combiningLimit else { return }
            pieces[pieces.count - 1].cluster.append(scalar)
            return
        }
        let isDrawable = cells == 1 || cells == 2
        let replacement: Unicode.Scalar = capabilities.showsUnicode && capabilities.glyphs != .ascii ? "\u{FFFD}" : "?"
        pieces.append(Piece(cluster: Cluster(isDrawable ? scalar : replacement), width: isDrawable ? cells : 1))
        width += isDrawable ? cells : 1
    }

    package var text: String { pieces.reduce(into: "") { $0 += $1.cluster.text } }

    /// The longest beginning that fits.
    package func prefix(_ limit: Int) -> TextRun {
        guard width > limit else { return self }
        var used = 0
        let kept = pieces.prefix { piece in
            used += piece.width
            return used <= limit
        }
        return TextRun(pieces: Array(kept))
    }

    /// The longest end that fits.
    package func suffix(_ limit: Int) -> TextRun {
        guard width > limit else { return self }
        var used = 0
        var start = pieces.count
        while start > 0, used + pieces[start - 1].width <= limit {
            start -= 1
            used += pieces[start].width
        }
        return TextRun(pieces: Array(pieces[start...]))
    }

    /// Returns the run without the cells scrolled off to the left.
    package func dropping(_ cells: Int) -> TextRun {
        suffix(max(width - cells, 0))
    }

    /// Cut at the end, with an ellipsis, if it does not fit.
    package func cut(_ limit: Int, ellipsis: TextRun) -> TextRun {
        guard width > limit else { return self }
        guard limit > ellipsis.width else { return prefix(limit) }
        return prefix(limit - ellipsis.width) + ellipsis
    }

    /// Cut in the middle, because both ends of a URL or a file name matter.
    package func middleCut(_ limit: Int, ellipsis: TextRun) -> TextRun {
        guard width > limit else { return self }
        guard limit > ellipsis.width + 1 else { return prefix(limit) }
        let room = limit - ellipsis.width
        return prefix(room - room / 2) + ellipsis + suffix(room / 2)
    }

    package static func + (left: TextRun, right: TextRun) -> TextRun {
        TextRun(pieces: left.pieces + right.pieces)
    }
}

extension TextRun {
    package func cells(of search: TextSearch) -> [Range<Int>] {
        var scalars: [Unicode.Scalar] = []
        var cells: [Range<Int>] = []
        var column = 0
        for piece in pieces {
            for scalar in piece.cluster.scalars {
                scalars.append(scalar)
                cells.append(column..<column + piece.width)
            }
            column += piece.width
        }
        return search.matches(in: scalars).map { cells[$0.lowerBound].lowerBound..<cells[$0.upperBound - 1].upperBound }
    }
}

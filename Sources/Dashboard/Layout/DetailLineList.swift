/// The lines of a part of the details; a JSON body's lines are made on demand, because there may be many.
package struct DetailLineList: RandomAccessCollection {
    private let head: [DetailLine]
    private let json: JSONView?
    private let showsCursor: Bool
    package let hasLabels: Bool

    package init(_ lines: [DetailLine]) {
        head = lines
        json = nil
        showsCursor = false
        hasLabels = lines.contains { !$0.label.isEmpty }
    }

    /// Puts the lines of a JSON body below another line.
    init(over first: DetailLine, json: JSONView, showsCursor: Bool) {
        head = [first]
        self.json = json
        self.showsCursor = showsCursor
        hasLabels = false
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { head.count + (json?.count ?? 0) }

    package subscript(position: Int) -> DetailLine {
        guard let json, position >= head.count else { return head[position] }
        let number = position - head.count
        let line = json.line(number)
        let sign = line.sign.isEmpty ? " " : line.sign
        var result = DetailLine(text: sign + " " + SafeText(" ") * (2 * line.indent))
        result.pieces = [DetailLine.Piece(text: result.text, role: .dim)]
        for piece in line.pieces {
            result.text += piece.text
            result.pieces.append(DetailLine.Piece(text: piece.text, role: Self.role(of: piece.kind)))
        }
        result.isSelected = showsCursor && number == json.cursor
        return result
    }

    private static func role(of kind: JSONTree.Piece.Kind) -> Role {
        switch kind {
        case .name: .jsonName
        case .string: .jsonString
        case .number: .jsonNumber
        case .word: .jsonWord
        case .mark: .plain
        }
    }
}

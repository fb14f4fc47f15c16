/// What the mouse did in a cell of the screen, counted from zero.
package struct MouseEvent: Sendable, Equatable {
    package enum Kind: Sendable {
        /// The main button went down.
        case press
        case wheelUp, wheelDown
    }

    package var kind: Kind
    package var row: Int
    package var column: Int

    package init(kind: Kind, row: Int, column: Int) {
        self.kind = kind
        self.row = row
        self.column = column
    }
}

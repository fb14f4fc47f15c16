/// What the mouse did in a cell of the screen, counted from zero.
struct MouseEvent: Sendable, Equatable {
    enum Kind: Sendable {
        /// The main button went down.
        case press
        case wheelUp, wheelDown
    }

    var kind: Kind
    var row: Int
    var column: Int
}

/// How a cell looks, in the terms every terminal has.
struct Style: Equatable, Sendable {
    /// The eight colours that a user's own palette defines.
    enum Color: Int32, Sendable {
        case black, red, green, yellow, blue, magenta, cyan, white
    }

    /// What a cell has besides a colour.
    struct Attributes: OptionSet, Sendable, Hashable {
        let rawValue: UInt32
        static let bold = Attributes(rawValue: 1)
        static let dim = Attributes(rawValue: 2)
        static let reverse = Attributes(rawValue: 4)
        static let underline = Attributes(rawValue: 8)
    }

    /// Nil is the terminal's own foreground.
    var color: Color?
    var attributes: Attributes

    init(_ color: Color? = nil, _ attributes: Attributes = []) {
        self.color = color
        self.attributes = attributes
    }
}

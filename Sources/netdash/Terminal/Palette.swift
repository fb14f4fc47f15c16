import Dashboard

/// Maps roles to styles.
///
/// Only the eight named colours are used and the background is never painted, so the user's own colours stay legible,
/// light or dark. Blue is not used for text and black not at all. Colour is optional: without it attributes distinguish
/// the roles where that matters, because each state also has its own mark and word.
struct Palette: Sendable {
    private let styles: [Style]

    /// Without colour the attributes remain.
    init(usesColor: Bool) {
        styles = Role.allCases.map { role in
            let style = Self.style(of: role)
            return usesColor ? style : Style(nil, style.attributes)
        }
    }

    subscript(role: Role) -> Style { styles[Int(role.rawValue)] }

    private static func style(of role: Role) -> Style {
        switch role {
        case .plain, .header, .dialogText, .dialogButton, .footerText, .help: Style()
        case .dim, .gaugeEmpty, .rule: Style(nil, .dim)
        case .title, .footerKey, .rowMarked: Style(nil, .bold)
        case .columnHeader: Style(nil, [.bold, .underline])
        case .tab: Style()
        case .tabSelected: Style(nil, [.bold, .reverse])
        case .rowSelected, .dialogButtonSelected, .filter, .fieldSelected, .matchSelected: Style(nil, .reverse)
        case .field: Style(nil, .underline)
        case .match: Style(.yellow, [.bold, .underline])
        case .jsonName: Style(.cyan, .bold)
        case .jsonString: Style(.green)
        case .jsonNumber: Style(.yellow)
        case .jsonWord: Style(.magenta)
        case .dialogBorder: Style(.cyan)
        case .toast: Style(.cyan, .bold)
        case .toastError, .error: Style(.red, .bold)
        case .rateDown, .gaugeFill: Style(.green)
        case .rateUp: Style(.cyan)
        case .stateRunning: Style(.green)
        case .stateRetrying, .statePaused, .gaugeWaiting: Style(.yellow)
        case .stateVerifying: Style(.cyan)
        case .stateFailed, .gaugeFailed: Style(.red, .bold)
        case .stateDone, .gaugeDone: Style(.green, .dim)
        case .stateQueued, .stateCancelled: Style(nil, .dim)
        }
    }
}

/// The style of a cell, limited to what every terminal supports.
struct Style: Equatable, Sendable {
    /// The eight colours that a user's own palette defines.
    enum Color: Int32, Sendable {
        case black, red, green, yellow, blue, magenta, cyan, white
    }

    /// The attributes of a cell besides its colour.
    struct Attributes: OptionSet, Sendable, Hashable {
        let rawValue: UInt32
        static let bold = Attributes(rawValue: 1)
        static let dim = Attributes(rawValue: 2)
        static let reverse = Attributes(rawValue: 4)
        static let underline = Attributes(rawValue: 8)
    }

    /// The colour of the text; nil for the terminal's own foreground.
    var color: Color?
    var attributes: Attributes

    init(_ color: Color? = nil, _ attributes: Attributes = []) {
        self.color = color
        self.attributes = attributes
    }
}

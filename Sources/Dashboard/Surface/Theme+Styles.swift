extension Theme {
    /// The look of a role.
    ///
    /// No background is painted: each theme suits terminals whose background is as its name says, and the terminal's
    /// theme suits both.
    package func style(of role: Role) -> Style {
        let usual = Self.usual(role)
        switch self {
        case .terminal: return usual
        case .dark: return Style(usual.color, usual.attributes.subtracting(Self.isFaint(role) ? [] : .dim))
        case .light: return Style(usual.color.map(Self.darker), usual.attributes)
        case .contrast: return Self.contrasting(role)
        }
    }

    /// Only the eight named colours are used, so that the user's own palette stays legible, light or dark.
    ///
    /// Blue is not used for text and black not at all.
    private static func usual(_ role: Role) -> Style {
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

    /// Whether a role is drawn faintly even where dim text is hard to read: lines and empty bars say nothing.
    private static func isFaint(_ role: Role) -> Bool { role == .rule || role == .gaugeEmpty }

    /// A colour of its kind that a white background does not swallow.
    private static func darker(_ color: Style.Color) -> Style.Color {
        switch color {
        case .yellow, .white: .magenta
        case .cyan: .blue
        case .green: .green
        case .magenta: .red
        case .black, .red, .blue: color
        }
    }

    /// The two colours of the terminal alone, and nothing dim: bold, underlined and reversed text tell roles apart.
    private static func contrasting(_ role: Role) -> Style {
        switch role {
        case .stateFailed, .gaugeFailed, .toastError, .error: Style(nil, [.bold, .reverse])
        case .stateRunning, .gaugeFill, .rateDown, .rateUp, .toast, .jsonName: Style(nil, .bold)
        case .stateRetrying, .statePaused, .match: Style(nil, [.bold, .underline])
        default: Style(nil, usual(role).attributes.subtracting(.dim))
        }
    }
}

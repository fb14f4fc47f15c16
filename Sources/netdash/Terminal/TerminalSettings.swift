import Dashboard

/// What the user, not the terminal, decides about the screen.
struct TerminalSettings: Sendable {
    /// `TERM`.
    var type: String?
    var usesColor = true
    /// Milliseconds after which a lone escape is the key and not the start of a sequence; `ESCDELAY`.
    var escapeDelay: Int64 = 25
    /// Whether the window's title may be set.
    var setsTitle = true
    /// Whether progress is shown in the terminal's taskbar or tab.
    var showsProgress = false
    /// Whether the terminal is to tell when its window gets and loses the focus.
    var watchesFocus = false
    /// Nil lets the terminal decide.
    var glyphs: GlyphSet?
    /// The terminal's path; nil is the one that standard output is.
    var path: String?

    /// Settings without an environment.
    init() {}

    /// What the environment says.
    ///
    /// `NO_COLOR` counts when it is not empty.
    init(environment: [String: String]) {
        type = environment["TERM"]
        usesColor = environment["NO_COLOR", default: ""].isEmpty
        if let delay = environment["ESCDELAY"].flatMap(Int64.init), (0...10_000).contains(delay) {
            escapeDelay = delay
        }
        showsProgress = TerminalForm.hasTaskbar(environment: environment)
    }
}

import CLinux
import Dashboard
import Glibc
import SessionSupport

/// The user's settings for the screen.
struct TerminalSettings: Sendable {
    /// `TERM`.
    var type: String?
    var usesColor = true
    var theme = Theme.terminal
    /// The user's own looks of roles.
    var styles: [Role: Style] = [:]
    /// Milliseconds after which a lone escape is the key and not the start of a sequence; `ESCDELAY`.
    var escapeDelay: Int64 = 25
    var setsTitle = true
    /// Whether progress is shown in the terminal's taskbar or tab.
    var showsProgress = false
    var notifications = TerminalNotifications(environment: [:])
    /// Whether the terminal reports when its window gets and loses the focus.
    var watchesFocus = false
    /// The glyphs to draw; the terminal decides while it is nil.
    var glyphs: GlyphSet?
    /// The terminal's path; nil for the one on standard output.
    var path: String?

    init() {}

    /// `NO_COLOR` counts when it is not empty.
    init(environment: [String: String]) {
        type = environment["TERM"]
        usesColor = environment["NO_COLOR", default: ""].isEmpty
        if let delay = environment["ESCDELAY"].flatMap(Int64.init), (0...10_000).contains(delay) {
            escapeDelay = delay
        }
        showsProgress = TerminalForm.hasTaskbar(environment: environment)
        notifications = TerminalNotifications(environment: environment)
    }
}

/// Derives facts from the name of a terminal type beyond the terminal database.
struct TerminalForm: Sendable {
    let type: String
    let isUTF8: Bool

    /// Whether it supports xterm's extensions that others adopted, such as bracketed paste.
    var isXtermLike: Bool { Self.xtermLike.contains { type.hasPrefix($0) } }

    private static let xtermLike = [
        "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "st-", "konsole", "gnome", "vte", "putty",
        "wezterm", "ghostty", "contour", "mlterm",
    ]

    /// Returns whether setting its title is harmless.
    static func hasTitle(_ type: String) -> Bool {
        TerminalForm(type: type, isUTF8: true).isXtermLike && !type.hasPrefix("screen")
    }

    /// Returns whether the terminal is known to show OSC 9;4 as progress; others would show it as a message.
    static func hasTaskbar(environment: [String: String]) -> Bool {
        let type = environment["TERM", default: ""]
        // Programs inside tmux or screen inherit their environment, but not the window.
        guard TerminalForm(type: type, isUTF8: true).isXtermLike, environment["TMUX", default: ""].isEmpty,
            environment["STY", default: ""].isEmpty, !type.hasPrefix("tmux"), !type.hasPrefix("screen")
        else { return false }
        if !environment["WT_SESSION", default: ""].isEmpty || environment["ConEmuANSI"] == "ON" { return true }
        if let version = environment["VTE_VERSION"].flatMap(Int.init) { return version >= firstVTEWithProgress }
        return ["ghostty", "WezTerm"].contains(environment["TERM_PROGRAM"]) || type.hasPrefix("xterm-ghostty")
    }

    /// VTE 0.80, including its development versions.
    private static let firstVTEWithProgress = 7900

    /// The characters and widths that views may use; `glyphs` is the user's own choice, if any.
    func capabilities(glyphs: GlyphSet?) -> ViewCapabilities {
        var result = ViewCapabilities()
        result.showsUnicode = isUTF8
        // Hardware of that name, and emulators of it, have line drawing but no blocks.
        let isOld = type.hasPrefix("vt1") || type.hasPrefix("vt2") || type == "ansi"
        let isConsole = type == "linux" || type.hasPrefix("linux-")
        result.glyphs = isUTF8 ? glyphs ?? (isOld ? .ascii : isConsole ? .console : .blocks) : .ascii
        result.hasEighths = !isConsole && result.glyphs != .console
        result.width = isUTF8 ? CellWidth { Int(cl_wcwidth($0)) } : .asciiOnly
        return result
    }
}

/// Sets the C library's character set, which ncurses shares.
enum TerminalLocale {
    /// Selects the user's character set, or C.UTF-8 when the user has none or a missing locale of no other set; returns
    /// whether it is UTF-8.
    ///
    /// LANG=C asks for ASCII and gets it. No other category is set: the language of the system's sentences, numbers and
    /// dates stays the same as in all other output, and a missing locale for dates changes nothing.
    ///
    /// Call once, before any thread exists: the locale belongs to the process.
    static func establish() -> Bool {
        if setlocale(LC_CTYPE, "") != nil, isUTF8 { return true }
        return !isChosen && setlocale(LC_CTYPE, "C.UTF-8") != nil && isUTF8
    }

    /// Whether the environment names a character set other than UTF-8, in the C library's order: by an existing locale,
    /// or by the end of a missing one's name, such as `de_DE.ISO-8859-1`.
    private static var isChosen: Bool {
        let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
        let names = variables.compactMap { variable in getenv(variable).map { String(cString: $0) } }
        guard let name = names.first(where: { !$0.isEmpty }) else { return false }
        if setlocale(LC_CTYPE, name) != nil { return true }
        guard let dot = name.firstIndex(of: ".") else { return false }
        let set = name[name.index(after: dot)...].prefix { $0 != "@" }
        return !["utf-8", "utf8", ""].contains(ByteText.lowercased(String(set)))
    }

    private static var isUTF8: Bool {
        nl_langinfo(Int32(CODESET)).map { String(cString: $0) == "UTF-8" } ?? false
    }
}

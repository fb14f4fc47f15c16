import CLinux
import Dashboard

/// What the name of a terminal type says beyond the terminal database.
struct TerminalForm: Sendable {
    let type: String
    let isUTF8: Bool

    /// Whether it understands what xterm invented and others took over, such as bracketed paste.
    var isXtermLike: Bool { Self.xtermLike.contains { type.hasPrefix($0) } }

    private static let xtermLike = [
        "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "st-", "konsole", "gnome", "vte", "putty",
        "wezterm", "ghostty", "contour", "mlterm",
    ]

    /// Whether naming its window is harmless.
    static func hasTitle(_ type: String) -> Bool {
        TerminalForm(type: type, isUTF8: true).isXtermLike && !type.hasPrefix("screen")
    }

    /// Whether the terminal is known to take OSC 9;4 as progress; others would show it as a message.
    static func hasTaskbar(environment: [String: String]) -> Bool {
        let type = environment["TERM", default: ""]
        // Whatever runs inside of tmux or screen has their environment, but not the window.
        guard TerminalForm(type: type, isUTF8: true).isXtermLike, environment["TMUX", default: ""].isEmpty,
            environment["STY", default: ""].isEmpty, !type.hasPrefix("tmux"), !type.hasPrefix("screen")
        else { return false }
        if !environment["WT_SESSION", default: ""].isEmpty || environment["ConEmuANSI"] == "ON" { return true }
        if let version = environment["VTE_VERSION"].flatMap(Int.init) { return version >= firstVTEWithProgress }
        return ["ghostty", "WezTerm"].contains(environment["TERM_PROGRAM"]) || type.hasPrefix("xterm-ghostty")
    }

    /// VTE 0.80, of the development versions too.
    private static let firstVTEWithProgress = 7900

    /// What views may draw.
    ///
    /// `glyphs` is the user's own choice, if there is one.
    func capabilities(glyphs: GlyphSet?) -> ViewCapabilities {
        var result = ViewCapabilities()
        result.showsUnicode = isUTF8
        // Hardware of that name, and what calls itself so, has line drawing but no blocks.
        let isOld = type.hasPrefix("vt1") || type.hasPrefix("vt2") || type == "ansi"
        result.glyphs = isUTF8 ? glyphs ?? (isOld ? .ascii : .blocks) : .ascii
        result.hasEighths = type != "linux"
        result.width = isUTF8 ? CellWidth { Int(cl_wcwidth($0)) } : .asciiOnly
        return result
    }
}

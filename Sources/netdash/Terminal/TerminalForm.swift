import CLinux

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

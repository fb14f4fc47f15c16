/// The characters of a glyph set, by meaning.
///
/// Our own punctuation beyond ASCII is replaced when text is laid out, so that views need not check.
package enum Glyphs {
    /// The ASCII form of our own punctuation and marks; nil for any other scalar.
    static func plainForm(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "…": "~"
        case "→": "->"
        case "·": "-"
        case "•": "*"
        case "—", "─": "-"
        case "│", "┃": "|"
        case "┌", "┐", "└", "┘": "+"
        case "█", "▌", "▋", "▊", "▉": "#"
        case "▏", "▎", "▍": "|"
        case "▁": "_"
        case "▂": "."
        case "▃": "-"
        case "▄": "="
        case "▅": "+"
        case "▆": "*"
        case "▇": "#"
        case "░": "?"
        case "▾": "v"
        case "▴": "^"
        default: nil
        }
    }

    /// The form of our own marks in Debian's console fonts; the scalar itself for any other.
    ///
    /// The fonts among 456 that lack one of these forms are for scripts without Latin letters; all for Western and
    /// Central Europe have them. They lack `‖ ↻ ✓ ◇ ▌`, all parts of blocks and some `▸ ✗ ⊘ ● ┃ …`.
    static func consoleForm(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "▸": "▶"
        case "↻": "@"
        case "‖": "║"
        case "✗": "×"
        case "✓": "■"
        case "⊘": "–"
        case "◇": "♦"
        case "●": "•"
        case "┃": "│"
        case "▾": "▼"
        case "▴": "▲"
        case "…": "~"
        case "▌", "▋", "▊", "▉": "█"
        case "▏", "▎", "▍": " "
        case "▁", "▂", "▃": "░"
        case "▄", "▅": "▒"
        case "\u{2400}"..."\u{2426}": "\u{FFFD}"
        case "▆", "▇": "█"
        default: scalar
        }
    }

    /// The form of a part of a block if the font has halves only; the scalar itself if the font has that one.
    static func halfForm(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "▏", "▎", "▍": "▌"
        case "▋", "▊", "▉": "█"
        default: scalar
        }
    }

    package static func state(_ state: RowState, in set: GlyphSet) -> SafeText {
        let isPlain = set == .ascii
        return switch state {
        case .running: isPlain ? "R" : "▸"
        case .retrying: isPlain ? "W" : "↻"
        case .queued: isPlain ? "Q" : "·"
        case .pausing, .paused: isPlain ? "P" : "‖"
        case .verifying: isPlain ? "V" : "≈"
        case .saving: isPlain ? "S" : "≈"
        case .failed: isPlain ? "E" : "✗"
        case .done: isPlain ? "D" : "✓"
        case .cancelled: isPlain ? "C" : "⊘"
        }
    }

    package static func kind(_ kind: Job.Kind, in set: GlyphSet) -> SafeText {
        let isPlain = set == .ascii
        return switch kind {
        case .download: isPlain ? "v" : "↓"
        case .upload: isPlain ? "^" : "↑"
        case .data: isPlain ? "*" : "◇"
        }
    }

    /// The character that fills the gauge of a row, so that its state shows without colours too.
    package static func gauge(_ state: RowState, in set: GlyphSet) -> SafeText {
        let isPlain = set == .ascii
        return switch state {
        case .running, .verifying, .saving: isPlain ? "#" : "█"
        case .retrying, .queued, .pausing, .paused, .cancelled: isPlain ? "=" : "▒"
        case .failed: isPlain ? "x" : "×"
        case .done: isPlain ? "*" : "■"
        }
    }

    /// The mark of an unsaved list, if the words do not fit.
    package static let unsaved: SafeText = "*"

    package static func mark(in set: GlyphSet) -> SafeText { set == .ascii ? "*" : "●" }

    package static func cursor(in set: GlyphSet) -> SafeText { set == .ascii ? ">" : "▌" }

    /// Eighths of a cell, from zero to seven.
    package static let eighths: [SafeText] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Columns of a curve, from lowest to highest.
    package static func curve(in set: GlyphSet) -> [SafeText] {
        switch set {
        case .blocks: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        case .ascii: ["_", ".", "-", "=", "+", "*", "#"]
        case .console: ["░", "▒", "█"]
        case .braille: ["⡀", "⣀", "⣄", "⣤", "⣦", "⣶", "⣷", "⣿"]
        }
    }

    package static func curve(_ values: [Double], width: Int, peak: Double, in set: GlyphSet) -> SafeText {
        let steps = curve(in: set)
        var text = SafeText.empty
        for value in values.suffix(max(width, 0)) {
            let level = peak > 0 ? Int(value / peak * Double(steps.count)) : 0
            text += steps[min(max(level, 0), steps.count - 1)]
        }
        return text
    }
}

/// The terminal's capabilities; a value, so that a view stays a function.
package struct ViewCapabilities: Sendable {
    package var glyphs: GlyphSet = .blocks
    /// Whether text beyond ASCII can be shown at all; off in the C locale.
    package var showsUnicode: Bool = true
    /// Whether gauges may use eighths of a cell; off on the Linux console, which has halves only.
    package var hasEighths: Bool = true
    package var width: CellWidth = .builtIn

    package init(
        glyphs: GlyphSet = .blocks, showsUnicode: Bool = true, hasEighths: Bool = true, width: CellWidth = .builtIn
    ) {
        self.glyphs = glyphs
        self.showsUnicode = showsUnicode
        self.hasEighths = hasEighths
        self.width = width
    }
}

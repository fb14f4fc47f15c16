/// What the terminal can show; a value, so that a view stays a function.
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

/// What the terminal can show; a value, so that a view stays a function.
struct ViewCapabilities: Sendable {
    var glyphs: GlyphSet = .blocks
    /// Whether text beyond ASCII can be shown at all; off in the C locale.
    var showsUnicode: Bool = true
    /// Whether gauges may use eighths of a cell; off on the Linux console, which has halves only.
    var hasEighths: Bool = true
    var width: CellWidth = .builtIn
}

/// Which characters gauges, marks and curves are drawn with.
package enum GlyphSet: String, Sendable, CaseIterable {
    /// Block elements and arrows: the default.
    case blocks
    /// Nothing but ASCII.
    case ascii
    /// As blocks, with curves in braille.
    case braille
}

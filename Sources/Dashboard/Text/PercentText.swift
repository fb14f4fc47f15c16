/// Parts of a whole, cut and never rounded up: 100 % means that the last byte is there.
package enum PercentText {
    /// `62%`, or nil when the whole is not known.
    package static func whole(_ part: Int64, of whole: Int64?) -> SafeText? {
        permille(part, of: whole).map { SafeText($0 / 10) + "%" }
    }

    /// `62.4%`, or nil when the whole is not known.
    static func tenths(_ part: Int64, of whole: Int64?) -> SafeText? {
        permille(part, of: whole).map { SafeText($0 / 10) + "." + SafeText($0 % 10) + "%" }
    }

    /// Thousandths, cut, within 0 and 1000; 1000 only when nothing is missing.
    static func permille(_ part: Int64, of whole: Int64?) -> Int? {
        guard let whole, whole >= 0 else { return nil }
        if part >= whole { return 1000 }
        return min(Int(Double(max(part, 0)) / Double(whole) * 1000), 999)
    }
}

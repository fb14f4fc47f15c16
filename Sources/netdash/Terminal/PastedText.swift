/// What a terminal hands over as pasted.
enum PastedText {
    /// Text with lines that end in `\n`, blanks for tabs, and no other control characters.
    static func clean(_ bytes: [UInt8]) -> String {
        var result = String.UnicodeScalarView()
        var endsWithReturn = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let isLineFeedOfPair = endsWithReturn && scalar == "\n"
            endsWithReturn = scalar == "\r"
            if isLineFeedOfPair { continue }
            switch scalar {
            case "\r", "\n": result.append("\n")
            case "\t": result.append(" ")
            case "\0"..<" ", "\u{7F}"..."\u{9F}": continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

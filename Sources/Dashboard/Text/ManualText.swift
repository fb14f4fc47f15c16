/// Text as the language of manual pages wants it.
package enum ManualText {
    /// The text with everything escaped that the language would take for its own.
    package static func escaped(_ text: String) -> String {
        let escaped = text.map(escaped).joined()
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    private static func escaped(_ character: Character) -> String {
        switch character {
        case "\\": "\\e"
        case "-": "\\-"
        case "^": "\\(ha"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "~": "\\(ti"
        default: String(character)
        }
    }
}

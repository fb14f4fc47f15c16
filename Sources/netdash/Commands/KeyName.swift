/// What a key is called on the screen.
enum KeyName {
    static func text(_ key: KeyPress) -> SafeText {
        switch key {
        case .character(" "): "Space"
        case .character(let character): SafeText(untrusted: String(character))
        case .control(let letter): "^" + SafeText(untrusted: letter.uppercased())
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        case .delete: "Delete"
        case .insert: "Insert"
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F" + SafeText(number)
        }
    }

    /// All keys of a command, the one to show first.
    static func text(_ keys: [KeyPress]) -> SafeText {
        keys.map(text).joined(by: " ")
    }
}

/// A key, independent of the terminal's encoding of it.
package enum KeyPress: Sendable, Hashable {
    /// A printable character, as one grapheme cluster.
    case character(Character)
    /// Control with a letter, lower case: `.control("c")`.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 is `.function(1)`.
    case function(Int)
}

/// The names of keys on the screen and in the configuration.
package enum KeyName {
    package static func text(_ key: KeyPress) -> SafeText {
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

    /// All keys of a command, the preferred one first.
    package static func text(_ keys: [KeyPress]) -> SafeText {
        keys.map(text).joined(by: " ")
    }

    /// The key with a name as ``text(_:)`` writes it; nil for any other text.
    static func key(named name: String) -> KeyPress? {
        if let character = name.first, name.count == 1 { return .character(character) }
        let lower = name.lowercased()
        if let known = special.first(where: { text($0).string.lowercased() == lower }) { return known }
        let control = ["^", "ctrl-", "control-"].first { lower.hasPrefix($0) }
        if let control, lower.count == control.count + 1, let letter = lower.last, letter.isASCII, letter.isLetter {
            return .control(letter)
        }
        if lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...12).contains(number) {
            return .function(number)
        }
        return nil
    }

    /// Keys that terminals intercept or send for other keys.
    static let reserved: Set<KeyPress> = Set("sqhijm[\\".map { .control($0) })

    private static let special: [KeyPress] = [
        .character(" "), .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left, .right,
        .home,
        .end, .pageUp, .pageDown,
    ]
}

/// A press or a wheel step in a cell of the screen, counted from zero.
package struct MouseEvent: Sendable, Equatable {
    package enum Kind: Sendable {
        /// The main button went down.
        case press
        case wheelUp, wheelDown
    }

    package var kind: Kind
    package var row: Int
    package var column: Int

    package init(kind: Kind, row: Int, column: Int) {
        self.kind = kind
        self.row = row
        self.column = column
    }
}

/// A screen, dialog, menu or field that takes keys; each has its own rows of the key table.
package enum Screen: String, Sendable, CaseIterable {
    case list, details, help, cancelDialog, removeDialog, quitDialog, detachDialog, clearDialog, fileDialog, actionMenu
    case addForm, editForm, filterPrompt, prompt, sortMenu, stateMenu, options, eventLog, leftovers, palette
    case history

    /// Whether characters are text here and not commands.
    var takesText: Bool {
        switch self {
        case .help, .addForm, .editForm, .filterPrompt, .prompt, .palette: true
        default: false
        }
    }
}

/// One thing the keyboard can say, independent of the terminal's encoding of it.
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

/// What a terminal has shown on its way to what it shows now.
///
/// Whoever looks seldom sees two frames as one, and nothing of what has come and gone in between.
package struct ScreenReplay {
    package private(set) var screen: VirtualScreen
    /// The number of the first byte that was not looked at.
    private var place: Int

    /// Begins with a screen as it was before the byte at a place.
    package init(_ screen: VirtualScreen, at place: Int = 0) {
        (self.screen, self.place) = (screen, place)
    }

    /// Shows the terminal's bytes piece by piece, and returns the first value that is found in front of a sequence, while
    /// the cursor is still in the row that has changed.
    package mutating func first<Value>(in bytes: [UInt8], _ look: (VirtualScreen) -> Value?) -> Value? {
        while place < bytes.count {
            let end = bytes[(place + 1)...].firstIndex(of: 0x1B) ?? bytes.count
            screen.feed(bytes[place..<end])
            place = end
            if let value = look(screen) { return value }
        }
        return nil
    }

    /// Whether a sentence has been in a row of the screen, however shortly.
    package mutating func shows(_ sentence: String, in bytes: [UInt8]) -> Bool {
        first(in: bytes) { $0.text(row: $0.row).contains(sentence) ? true : nil } ?? false
    }
}

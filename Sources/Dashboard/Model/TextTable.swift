/// Texts that many rows share, each kept once and named by a number.
struct TextTable: Sendable {
    private var texts: [SafeText] = []
    private var numbers: [SafeText: Int32] = [:]

    /// The text of a number that ``number(of:)`` has answered.
    subscript(number: Int32) -> SafeText { texts[Int(number)] }

    /// The number of a text; a text that is new gets the next one.
    mutating func number(of text: SafeText) -> Int32 {
        if let number = numbers[text] { return number }
        let number = Int32(truncatingIfNeeded: texts.count)
        texts.append(text)
        numbers[text] = number
        return number
    }
}

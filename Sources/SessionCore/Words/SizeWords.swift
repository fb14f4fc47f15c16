/// Sizes in sentences.
enum SizeWords {
    /// A size in the unit that suits it.
    static func text(_ bytes: Int64) -> String { SizeText.long(bytes).string }

    /// Two sizes that are compared.
    static func pair(_ first: Int64, _ second: Int64) -> (first: String, second: String) {
        let texts = SizeText.pair(first, second)
        return (texts.first.string, texts.second.string)
    }
}

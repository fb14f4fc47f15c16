/// Sizes as plain strings, which the sentences of errors and reasons are made of.
enum SizeWords {
    /// A size such as `11.2 MiB`.
    static func text(_ bytes: Int64) -> String { SizeText.long(bytes).string }

    /// Two sizes that a sentence compares: in bytes where their units would hide the difference.
    static func pair(_ first: Int64, _ second: Int64) -> (first: String, second: String) {
        let texts = SizeText.pair(first, second)
        return (texts.first.string, texts.second.string)
    }
}

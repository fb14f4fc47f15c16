import SessionSupport

/// URL patterns as curl reads them: `[1-100]`, `[001-100:5]` and `[a-z]` count, `{one,two}` lists.
///
/// Other brackets and braces stay unchanged, such as an IPv6 address's; a backslash escapes one.
package enum URLGlob {
    /// The maximum number of URLs from one pattern.
    private static let limit = 100_000

    /// The URLs of a pattern, the last range varying fastest.
    ///
    /// `label` names the argument in the message.
    package static func urls(in text: String, label: String) throws(UsageError) -> [String] {
        try expansions(of: text, label: label).map(\.url)
    }

    /// The URLs of a pattern, each with what its ranges and lists stand for.
    ///
    /// With `singles` one name in braces is a list too, as in curl and aria2c.
    package static func expansions(
        of text: String, label: String, singles: Bool = false
    ) throws(UsageError) -> [(url: String, values: [String])] {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) else {
            return [(text, [])]
        }
        var found: [(url: String, values: [String])] = [("", [])]
        // Plain text and patterns take turns.
        for (index, choices) in try pieces(of: text, label: label, singles: singles).enumerated() {
            guard found.count * choices.count <= limit else {
                throw UsageError(argument: label, GlobErrors.tooMany(limit))
            }
            found = found.flatMap { start in
                choices.map { (start.url + $0, index % 2 == 1 ? start.values + [$0] : start.values) }
            }
        }
        return found
    }

    /// The text with every pattern escaped by a backslash, so that it stands for one URL.
    static func literal(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) else { return text }
        return String(text.flatMap { "[]{}".contains($0) ? ["\\", $0] : [$0] })
    }

    /// The text in pieces, each with its alternatives.
    private static func pieces(
        of text: String, label: String, singles: Bool
    ) throws(UsageError) -> [[String]] {
        var pieces: [[String]] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.first {
            rest = rest.dropFirst()
            if character == "\\", let next = rest.first, "[]{}".contains(next) {
                plain.append(next)
                rest = rest.dropFirst()
                continue
            }
            let closing: Character? = character == "[" ? "]" : character == "{" ? "}" : nil
            if let closing, let end = try end(of: rest, closing, isHost: beginsHost(plain, pieces), label: label) {
                let inner = rest[..<end]
                if character == "{", inner.contains("{"), !inner.contains("\""), hasComma(rest) {
                    throw UsageError(argument: label, GlobErrors.nested)
                }
                let isList = inner.contains(",") || singles && !inner.isEmpty
                let choices = character == "[" ? try range(inner, label: label) : isList ? list(inner) : nil
                if let choices {
                    pieces += [[plain], choices]
                    plain = ""
                    rest = rest[end...].dropFirst()
                    continue
                }
            }
            plain.append(character)
        }
        return pieces + [[plain]]
    }

    /// The bracket that closes a pattern; nil for an open address of IPv6, which has an error of its own.
    private static func end(
        of rest: Substring, _ closing: Character, isHost: Bool, label: String
    ) throws(UsageError) -> String.Index? {
        if let end = rest.firstIndex(of: closing) { return end }
        guard !isHost || closing == "}" else { return nil }
        throw UsageError(argument: label, GlobErrors.open(closing == "]" ? "[" : "{"))
    }

    /// Whether the host follows, which may be an IPv6 address in brackets.
    private static func beginsHost(_ plain: String, _ pieces: [[String]]) -> Bool {
        pieces.isEmpty && (plain.isEmpty || plain.hasSuffix("://") || plain.hasSuffix("@"))
    }

    /// Whether the braces that are open before a text have a comma of their own, so that they are a list.
    private static func hasComma(_ text: Substring) -> Bool {
        var depth = 1
        for character in text {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            if depth == 0 { return false }
            if depth == 1, character == "," { return true }
        }
        return false
    }

    private static func list(_ text: Substring) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }

    /// The numbers or letters of a range; nil if the text is none.
    private static func range(_ text: Substring, label: String) throws(UsageError) -> [String]? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        let step = parts.count > 1 ? ByteText.decimal(parts[1]) : 1
        guard ends.count == 2, let step else { return nil }
        func refusal(_ problem: String) -> UsageError {
            UsageError(argument: label, GlobErrors.range(String(text), problem))
        }
        let (first, last): (Int64, Int64)
        let spelling: (Int64) -> String
        let areNumbers = ends.map { !$0.isEmpty && $0.utf8.allSatisfy(ByteText.isDigit) }
        if areNumbers == [true, true], ends.contains(where: { ByteText.decimal($0) == nil }) {
            throw UsageError(argument: label, GlobErrors.tooMany(limit))
        }
        if let low = ByteText.decimal(ends[0]), let high = ByteText.decimal(ends[1]) {
            (first, last) = (low, high)
            let width = ends[0].hasPrefix("0") ? ends[0].count : 0
            spelling = { number in
                let digits = String(number)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
        } else if let low = letter(ends[0]), let high = letter(ends[1]) {
            (first, last) = (Int64(low), Int64(high))
            spelling = { String(Unicode.Scalar(UInt8(clamping: $0))) }
            guard (low < 0x61) == (high < 0x61) else { throw refusal(GlobErrors.mixedCase) }
        } else if areNumbers.contains(true), ends.contains(where: { letter($0) != nil }) {
            throw refusal(GlobErrors.mixedKinds)
        } else {
            return nil
        }
        guard first <= last, step > 0 else { throw refusal(GlobErrors.backwards) }
        guard (last - first) / step < Int64(limit) else {
            throw UsageError(argument: label, GlobErrors.tooMany(limit))
        }
        return stride(from: first, through: last, by: Int64.Stride(step)).map(spelling)
    }

    private static func letter(_ text: Substring) -> UInt8? {
        guard let byte = text.utf8.first, text.utf8.count == 1, ByteText.isLetter(byte) else { return nil }
        return byte
    }
}

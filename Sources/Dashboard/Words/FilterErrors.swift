/// Errors in a filter.
package enum FilterErrors {
    package static func invalid(_ problem: SafeText) -> SafeText { "Invalid filter: \(problem)" }
    package static let patternMissing: SafeText = "~ needs a pattern"
    package static func pattern(_ text: SafeText, _ problem: SafeText) -> SafeText { "~\(text): \(problem)" }
    package static func choices(_ name: SafeText, _ words: SafeText) -> SafeText { "Enter a \(name): \(words)" }
    package static func unknownChoice(_ word: SafeText, of name: SafeText, _ words: SafeText) -> SafeText {
        "No \(name) \(word): \(words)"
    }
    package static let openQuote: SafeText = "Closing \" missing"
    package static func unknownCondition(_ word: SafeText, nearest: SafeText) -> SafeText {
        "\(word): is unknown; use \(nearest):"
    }
    package static func forms(_ name: SafeText, _ low: SafeText, _ high: SafeText) -> SafeText {
        "\(name):>\(low), \(name):<\(high) or \(name):\(low)..\(high)"
    }
    package static func range(_ forms: SafeText) -> SafeText { "Use \(forms)" }
    package static func range(_ name: SafeText, _ units: SafeText, _ forms: SafeText) -> SafeText {
        "\(name) is \(units): \(forms)"
    }
    package static func reversed(_ name: SafeText, _ low: SafeText, _ high: SafeText) -> SafeText {
        "Reversed range; use \(name):\(low)..\(high)"
    }
    package static let bytes: SafeText = "a number with k, M, G or T"
    package static let percentage: SafeText = "a percentage"
    package static let time: SafeText = "a number with s, m, h or d"
}

/// Errors in a pattern, behind the pattern itself.
package enum PatternErrors {
    package static let closingWithoutOpening: SafeText = "unmatched )"
    package static let repetition: SafeText = "use {2}, {2,} or {2,5}"
    package static let tooLong: SafeText = "too long"
    package static let unfinished: SafeText = "unfinished pattern"
    package static let tooDeep: SafeText = "groups nested too deeply"
    package static let openGroup: SafeText = "unclosed ( group"
    package static func followsNothing(_ sign: SafeText) -> SafeText { "nothing before \(sign)" }
    package static let openEscape: SafeText = "nothing after \\"
    package static let openSet: SafeText = "unclosed [ set"
    package static let backwards: SafeText = "reversed range in [ ]"
    package static let onlyASCII: SafeText = "only ASCII characters in [ ]"
}

/// Errors in keys in the configuration.
package enum KeyErrors {
    package static func unknownCommand(_ name: String) -> String {
        "unknown command \"\(name)\"; netdash --help-keys lists all"
    }
    package static func unknownKey(_ word: String) -> String { "unknown key \"\(word)\"; write p, Space, F5 or ^P" }
    package static func reserved(_ key: String) -> String { "\(key) cannot be bound: terminals keep it" }
    package static func missing(_ command: String) -> String { "no key for \(command)" }
    package static func conflict(_ key: SafeText, _ first: String, _ second: String) -> String {
        "\(key) would be both \(first) and \(second)"
    }
}

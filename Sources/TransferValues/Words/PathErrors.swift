/// Errors in a JSON path, or in the search for it.
package enum PathErrors {
    package static let unfinished: SafeText = "Unfinished path; try .items[0].name or /items/0/name"
    package static func invalid(_ rest: SafeText) -> SafeText {
        "Invalid path at \"\(rest)\"; try .items[0].name or /items/0/name"
    }
    package static let nothing: SafeText = "Nothing"
    package static func noMember(_ name: SafeText) -> SafeText { "No \"\(name)\"" }
    package static func noElement(_ number: Int) -> SafeText { "No [\(number)]" }
    package static func inValues(_ what: SafeText, _ count: Int) -> SafeText {
        "\(what) in any of the \(count) values"
    }
    package static func at(_ what: SafeText, _ path: SafeText, _ kind: SafeText) -> SafeText {
        "\(what) in \(path) (\(kind))"
    }
    package static let body: SafeText = "the body"
    package static let string: SafeText = "a string"
    package static let number: SafeText = "a number"
    package static let word: SafeText = "a single value"
}

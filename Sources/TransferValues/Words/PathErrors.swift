/// Errors in a JSON path, or in the search for it.
package enum PathErrors {
    package static let unfinished: SafeText = "Unfinished path; try .items[0].name or /items/0/name"
    package static func invalid(_ rest: SafeText) -> SafeText {
        "Invalid path at \"\(rest)\"; try .items[0].name or /items/0/name"
    }
    package static func program(_ words: SafeText) -> SafeText { "Error from jq: \(words)" }
    package static let programMissing: SafeText =
        "Program jq is missing; install the package jq, or write a path such as .items[0].name"
    package static func programTime(_ seconds: Int) -> SafeText { "No result from jq within \(seconds) s" }
    package static func programMemory(_ megabytes: Int) -> SafeText {
        "No result from jq within \(megabytes) MiB of memory"
    }
    package static func programOutput(_ megabytes: Int) -> SafeText { "More than \(megabytes) MiB of values from jq" }
    /// A part of jq's sentences about syntax that helps in a shell only.
    package static let quotingHint = "(Unix shell quoting issues?)"
    /// The part of jq's sentence about an output that was refused.
    package static let unwrittenOutput = "writing output failed"
    package static let programNotRun = "jq was not run"
    package static let programValues = "too many values, or too many levels"
    package static let programZero = "NUL byte in the program"
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

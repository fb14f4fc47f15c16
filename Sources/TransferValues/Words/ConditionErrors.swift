import SessionSupport

extension String {
    /// A sentence within another one, without its capital.
    var asPhrase: String { prefix(1).lowercased() + dropFirst() }
}

/// How a response fails a condition.
enum ConditionErrors {
    static func failed(_ condition: String, _ found: String) -> String { "Expected \(condition), found \(found)" }
    static func waited(_ condition: String, _ found: String, _ time: String) -> String {
        "Expected \(condition) within \(time), found \(found)"
    }

    static func ended(_ condition: String, _ time: String, _ reason: String) -> String {
        "Expected \(condition) within \(time): \(reason)"
    }

    static let noResponse = "no response"
    static let noField = "no such field"
    static let noResult = "no result"
    static func otherText(_ count: Int) -> String { "another text of \(count, "character", "characters")" }
    static let noJSON = "no JSON object or array"
    static func longJSON(_ limit: Int) -> String { "JSON of more than \(limit) values" }
    static func deepJSON(_ limit: Int) -> String { "JSON with more than \(limit) levels" }
    static let longBody = "a body longer than 16 MiB"
    static func withoutText(_ count: Int) -> String { "\(count, "byte", "bytes") without it" }
    static func withText(_ count: Int) -> String { "it in \(count, "byte", "bytes")" }
    static func otherBody(_ count: Int) -> String { "\(count, "byte", "bytes")" }
}

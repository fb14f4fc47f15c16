/// Errors in the text of a condition, as a phrase that follows the option's name.
enum ConditionUsage {
    static let subject = "unknown condition; use status, header:NAME, json:PATH, body or time"
    static let status = "status takes 100 to 599 or a class such as 2xx"
    static let header = "header name missing; use header:NAME=value or header:NAME~text"
    static let time = "time takes a duration: time<2s or time<500ms"
    static let duration = "expected a time from 100ms, such as 500ms, 2s or 10m"
    static let pages = "expected a number from 1 to 1000000"
    static let emptyPath = "JSON path missing, such as .items[0].name or /items/0/name"
    static func path(_ problem: String) -> String { "JSON path: \(problem)" }
    static let text = "text takes = != ~ or !~"
    static let number = "expected a number, as in json:.count>5"
    static let sign = "comparison missing; use = != < <= > >= ~ or !~"
}

/// What is wrong with the text of a condition, as a phrase that follows the option's name.
enum ConditionUsage {
    static let subject = "begins with none of status, header:NAME, json:PATH, body and time"
    static let status = "compares status with 100 to 599, or with a class such as 2xx"
    static let header = "names no header; write header:NAME=value or header:NAME~text"
    static let time = "compares time with a duration: time<2s or time<500ms"
    static let duration = "is not a time from 100ms on, such as 500ms, 2s or 10m"
    static let pages = "is not a number of pages from 1 to 1000000"
    static func path(_ problem: String) -> String { "is no path of JSON: \(problem)" }
    static let text = "compares text with = != ~ or !~"
    static let number = "compares with a number, as in json:.count>5"
    static let sign = "has none of = != < <= > >= ~ and !~ after the subject"
}

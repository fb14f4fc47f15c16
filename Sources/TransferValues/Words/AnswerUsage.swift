/// Errors in the options about the response to a request.
package enum AnswerUsage {
    package static func needsRequest(_ option: String) -> String { "\(option) is only for requests; use kind=data" }
    package static let pagesInFile = "pages go to standard output; redirect them with >FILE"
    package static let needsPages = "only with paginate or paginate-json"
    package static let inputOnce = "standard input cannot be sent twice; use @FILE"
}

import SessionSupport

/// What is wrong with the arguments of requests.
enum RequestUsage {
    static func oneFile(_ count: Int) -> String {
        "one file for \(count) requests; use -o -"
    }
    static func needsRequest(_ option: String) -> String {
        "\(option) is only for requests; use kind=data"
    }
    static let pagesInFile = "pages go to standard output; redirect them with >FILE"
    static let inputOnce = "standard input cannot be sent twice; use @FILE"
    static func oneInput(_ count: Int) -> String {
        "standard input cannot be sent \(count) times; use @FILE"
    }
}

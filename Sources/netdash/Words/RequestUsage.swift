import SessionSupport

/// What is wrong with the arguments of requests.
enum RequestUsage {
    static func oneFile(_ count: Int) -> String {
        "names one file, and the pattern makes \(count) requests; write -o -"
    }
    static func needsRequest(_ option: String) -> String {
        "\(option) is about the response to a request; write kind=data"
    }
    static let pagesInFile = "names one response; pages go to standard output, which >FILE redirects"
    static func oneFileOfList(_ count: Int) -> String { "names one file, and \(count) requests are sent; write -o -" }
    static let inputOnce = "standard input is read once, and this request is sent again; write @FILE"
    static func oneInput(_ count: Int) -> String {
        "standard input is one body, and the pattern makes \(count) requests; write @FILE"
    }
}

import SessionSupport

/// Errors in the arguments of requests.
enum RequestUsage {
    static func oneFile(_ count: Int) -> String {
        "one file for \(count) requests; use -o -"
    }
    static func oneInput(_ count: Int) -> String {
        "standard input cannot be sent \(count) times; use @FILE"
    }
}

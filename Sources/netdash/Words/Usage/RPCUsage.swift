/// Mistakes in the options of aria2's interface.
enum RPCUsage {
    static func address(_ text: String) -> String {
        "is not an address: \(text); write 6800, 127.0.0.1:6800, [::1]:6800 or unix:PATH"
    }
    static let emptySecret = "is empty; name a token, @file:PATH or @env:NAME"
    static let commandSecret = "takes no command; name a token, @file:PATH or @env:NAME"
    static func origin(_ text: String) -> String {
        "is not an origin: \(text); write https://example.com, null or *"
    }
    static let needsRPC = "needs --rpc"
    static func noVariable(_ name: String) -> String { "$\(name) is not set" }
    static func unreadable(_ path: String, _ reason: String) -> String { "cannot read \(path): \(reason)" }
    static func notStarted(_ path: String) -> String {
        "the HTTP server did not start; \(path) must have a certificate and its key in PEM"
    }
    static func missingFile(_ path: String) -> String { "names no file: \(path)" }
    static func foreignFile(_ path: String, _ writer: String) -> String { "is not read: \(path) is \(writer)" }
    static func needsSecret(_ length: Int) -> String {
        "needs --rpc-secret with \(length) characters or more, because other machines can connect"
    }
}

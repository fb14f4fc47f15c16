/// Why the interface does not listen.
enum ListenerErrors {
    static func missing(_ library: String) -> String {
        "\(library) is missing; install it with: \(package(of: library))"
    }
    private static func package(of library: String) -> String {
        library.contains("wslay") ? "apt install libwslay1" : "apt install libmicrohttpd12"
    }
    static func notAnAddress(_ text: String) -> String { "\(text) is no address of this machine" }
    static func notBound(_ address: String, _ reason: String) -> String { "\(address): \(reason)" }
    static func inUse(_ path: String) -> String { "Another process listens at \(path)" }
    static func notASocket(_ path: String) -> String { "\(path) exists and is not a socket; remove it first" }
    static let noServer = "The HTTP server did not start; check the limits of the process"
    static let noThread = "The process has no thread or descriptor left"
}

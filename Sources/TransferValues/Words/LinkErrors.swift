/// Why a response names no URL.
enum LinkErrors {
    static func none(_ path: String, _ found: String) -> String { "No URL at \(path): found \(found)" }
    static func noURL(_ path: String) -> String { "Not an http or https URL at \(path)" }
}

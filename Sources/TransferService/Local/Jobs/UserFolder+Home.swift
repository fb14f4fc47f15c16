import Foundation

/// The home folder in typed paths.
extension UserFolder {
    /// The home folder, as a shell expands `~`: `HOME`, or without it the one of the user database.
    package static func home(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        guard let home = environment["HOME"], !home.isEmpty else { return NSHomeDirectory() }
        return home
    }

    /// A path with `~` or `~user` at its start replaced, without a slash at its end then; any other as it is.
    package static func expanding(
        _ path: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        guard path.hasPrefix("~") else { return path }
        guard path == "~" || path.hasPrefix("~/") else { return (path as NSString).expandingTildeInPath }
        var expanded = home(environment: environment) + path.dropFirst()
        while expanded.count > 1, expanded.hasSuffix("/") { expanded.removeLast() }
        return expanded
    }
}

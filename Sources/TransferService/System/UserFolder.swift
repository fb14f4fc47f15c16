/// This program's folders in the user's home, by the XDG base directory specification.
package enum UserFolder {
    /// The folder below the one that a variable names, or below `path` in the home folder; nil without a home.
    package static func path(named variable: String, orInHome path: String, environment: [String: String]) -> String? {
        // The specification says to ignore a relative path.
        if let folder = environment[variable], folder.hasPrefix("/") { return folder + "/netdash" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(path)/netdash"
    }

    /// The folder of saved sessions; nil without a home, which the library then reports.
    package static func sessions(environment: [String: String]) -> String? {
        path(named: "XDG_STATE_HOME", orInHome: ".local/state", environment: environment)
    }
}

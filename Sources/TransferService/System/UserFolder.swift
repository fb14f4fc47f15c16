/// A folder of this program among the user's own, as the XDG specification of base folders has it.
package enum UserFolder {
    /// The folder below the one that a variable names, or below a place in the user's home; nil when there is no home.
    package static func path(named variable: String, orInHome place: String, environment: [String: String]) -> String? {
        // A relative path has to be ignored, the specification says.
        if let folder = environment[variable], folder.hasPrefix("/") { return folder + "/netdash" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(place)/netdash"
    }

    /// The folder of saved sessions; nil when the environment names no home, which the library then says.
    package static func sessions(environment: [String: String]) -> String? {
        path(named: "XDG_STATE_HOME", orInHome: ".local/state", environment: environment)
    }
}

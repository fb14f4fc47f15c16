import Foundation

/// Which saved session a run lives on.
enum SessionChoice: Sendable, Equatable {
    /// The dashboard on the default one, lines on none.
    case automatic
    case named(String)
    /// Nothing is saved.
    case ephemeral

    /// The session of a dashboard that names none.
    static let defaultName = "default"

    /// The session of a run without a dashboard; nil for none.
    var nameWithoutDashboard: String? {
        if case .named(let name) = self { name } else { nil }
    }

    /// The session of a dashboard; nil for none.
    var nameForDashboard: String? {
        switch self {
        case .automatic: Self.defaultName
        case .named(let name): name
        case .ephemeral: nil
        }
    }

    /// Where sessions are saved; nil when the environment names no home, which the library then says.
    static func folder(environment: [String: String]) -> String? {
        // A relative path has to be ignored, the specification of the variable says.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/netdash" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/netdash"
    }
}

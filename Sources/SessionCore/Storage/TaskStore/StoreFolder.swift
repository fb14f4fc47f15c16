import Glibc

/// Where the stores of persistent sessions lie unless their configuration says otherwise.
enum StoreFolder {
    /// A folder in the user's state folder, as the XDG base directory specification places it.
    ///
    /// Throws `notFound` when the environment names no home.
    static func defaultPath() throws(SessionError) -> String {
        // A relative path has to be ignored, the specification says.
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/sessioncore" }
        guard let home = variable("HOME"), home.hasPrefix("/") else {
            throw SessionError(.notFound, "Neither HOME nor XDG_STATE_HOME says where a session can be saved")
        }
        return home + "/.local/state/sessioncore"
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

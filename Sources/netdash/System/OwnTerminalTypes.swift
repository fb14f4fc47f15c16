import Glibc

/// The terminal descriptions that an installation from the archive has beside the program, for systems without any.
enum OwnTerminalTypes {
    private static let variable = "TERMINFO_DIRS"
    /// From the folder of the program, as `script/release` arranges both.
    private static let folder = "/../lib/netdash/terminfo"

    /// Lets ncurses search them after the system's own; changes nothing where the program has none.
    ///
    /// Must be called before the first thread starts.
    static func offer() {
        guard let program = realpath("/proc/self/exe", nil) else { return }
        defer { free(program) }
        let path = String(cString: program)
        guard let slash = path.lastIndex(of: "/") else { return }
        let own = path[..<slash] + folder
        guard access(String(own), R_OK) == 0 else { return }
        let value = search(getenv(variable).map { String(cString: $0) }, then: String(own))
        // Without it an unusual terminal is reported as unknown.
        _ = setenv(variable, value, 1)
    }

    /// A search list with a folder at its end; an empty element stands for the places that ncurses knows.
    static func search(_ list: String?, then folder: String) -> String {
        guard let list, !list.isEmpty else { return ":" + folder }
        return list + ":" + folder
    }
}

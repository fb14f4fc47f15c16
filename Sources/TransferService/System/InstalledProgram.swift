import Glibc

/// A program of the system that this one uses where it is installed.
package enum InstalledProgram {
    /// The path of a program in the folders of PATH; nil where none has it.
    ///
    /// Relative folders do not count: what runs must not depend on the current folder.
    package static func path(of name: String, environment: [String: String]) -> String? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: isProgram)
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}

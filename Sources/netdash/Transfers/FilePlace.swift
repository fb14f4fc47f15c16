/// The place that somebody has typed for a file.
enum FilePlace {
    /// The whole path of what was typed for the file at a path: a relative one counts from the folder the file is in, `~/`
    /// stands for the home folder, and one that ends in a slash is a folder in which the name stays.
    ///
    /// Nil for what names no file.
    static func path(typed: String, for current: String, home: String?) -> String? {
        let slash = current.lastIndex(of: "/")
        let folder = slash.map { String(current[..<$0]) } ?? "."
        let name = slash.map { String(current[current.index(after: $0)...]) } ?? current
        var typed = typed
        if typed == "~" || typed == ".." || typed == "." || typed.hasSuffix("/..") || typed.hasSuffix("/.") {
            typed += "/"
        }
        if typed.hasPrefix("~/") {
            guard let home else { return nil }
            typed = home + typed.dropFirst()
        }
        if typed.hasSuffix("/") { typed += name }
        let path = typed.hasPrefix("/") ? typed : folder + "/" + typed
        guard let last = path.split(separator: "/").last, last != ".", last != "..", !path.utf8.contains(0) else {
            return nil
        }
        return path
    }

    /// The folder and the name of a path.
    static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }
}

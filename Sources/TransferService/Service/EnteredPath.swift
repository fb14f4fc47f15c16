/// Resolves a path that the user typed for a file.
package enum EnteredPath {
    /// Resolves `typed` for the file at `current`: a relative path starts at the file's folder, `~/` is the home
    /// folder, and a trailing slash names a folder in which the file keeps its name.
    ///
    /// Nil for what names no file. `isLink` returns whether a folder is a symbolic link.
    package static func path(
        typed: String, for current: String, home: String?, isLink: (String) -> Bool = { _ in false }
    ) -> String? {
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
        let path = plain(typed.hasPrefix("/") ? typed : folder + "/" + typed, isLink: isLink)
        guard let last = path.split(separator: "/").last, last != ".", last != "..", !path.utf8.contains(0) else {
            return nil
        }
        return path
    }

    /// A path without `.`, doubled slashes, and `..` with the folder before it, which would be created needlessly.
    ///
    /// After a link `..` leads elsewhere, so it stays.
    private static func plain(_ path: String, isLink: (String) -> Bool) -> String {
        let root = path.hasPrefix("/") ? "/" : ""
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != "..", !isLink(root + parts.joined(separator: "/")) {
                parts.removeLast()
            } else if part != ".." || !parts.isEmpty || root.isEmpty {
                parts.append(part)
            }
        }
        return root + parts.joined(separator: "/")
    }

    package static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }
}

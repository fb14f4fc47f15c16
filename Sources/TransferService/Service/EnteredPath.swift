/// The place that somebody has typed for a file.
package enum EnteredPath {
    /// The whole path of what was typed for the file at a path: a relative one counts from the folder the file is in, `~/`
    /// stands for the home folder, and one that ends in a slash is a folder in which the name stays.
    ///
    /// Nil for what names no file. `isLink` looks whether a folder is a symbolic link.
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

    /// The path without `.`, doubled slashes, and `..` with the folder before it: nobody wants a folder made on the way
    /// to leaving it.
    ///
    /// Behind a link `..` leads elsewhere, so it stays there.
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

    /// The folder and the name of a path.
    package static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }
}

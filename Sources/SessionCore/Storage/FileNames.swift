import Support

/// Names of downloaded files and of their parts.
///
/// Whatever a server says, a name made here is one component, visible, of valid text in one normal form, and fits a
/// directory entry with everything that is added to it later.
enum FileNames {
    /// The name when neither the server nor the URL offers one.
    static let fallback = "download"
    /// Longest name a directory entry can have, in bytes.
    static let byteLimit = 255
    /// An extension longer than this, in bytes and with its dot, is not kept when a name is shortened.
    static let extensionLimit = 32
    /// Highest number that is tried when names are taken.
    static let highestNumber = 9_999

    /// The name for a response: from Content-Disposition, else from the original URL's path, else ``fallback``.
    static func automatic(url: String, head: ResponseHead?) -> String {
        for field in head?.headers.values(named: "Content-Disposition") ?? [] {
            if let offered = ContentDisposition.fileName(field), let name = cleaned(offered) { return name }
        }
        return fromURL(url)
    }

    /// Checks a name that the user chose; it is taken as it is.
    static func fixed(_ name: String) throws(SessionError) -> String {
        guard Folder.isComponent(name) else {
            throw SessionError(.invalidRequest, "“\(name)” is not a file name: it must be a single component of a path")
        }
        guard name.utf8.count <= byteLimit else {
            throw SessionError(.invalidRequest, "The file name is longer than \(byteLimit) bytes")
        }
        return name
    }

    /// The name with a number before its extension, `name (2).ext`, shortened where needed.
    static func numbered(_ name: String, _ number: Int) -> String {
        let (base, suffix) = split(name)
        return joined(base, " (\(number))" + suffix)
    }

    /// Base and extension.
    ///
    /// The extension has its dot; `.tar.gz` and its kin stay together.
    static func split(_ name: String) -> (base: String, extension: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        var start = dot
        if let second = name[..<dot].lastIndex(of: "."), second != name.startIndex,
            ByteText.lowercased(name[second..<dot]) == ".tar"
        {
            start = second
        }
        let suffix = String(name[start...])
        guard suffix.utf8.count > 1, suffix.utf8.count <= extensionLimit else { return (name, "") }
        return (String(name[..<start]), suffix)
    }

    /// Cuts a base between characters so that it fits with what follows it.
    static func joined(_ base: String, _ suffix: String, limit: Int = byteLimit) -> String {
        prefix(base, bytes: max(limit - suffix.utf8.count, 0)) + suffix
    }

    /// The longest beginning of whole characters that fits; of whole code points where a single character does not.
    static func prefix(_ text: String, bytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var result = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= limit else { break }
            result.append(character)
        }
        guard result.isEmpty else { return result }
        count = 0
        for scalar in text.unicodeScalars {
            count += String(scalar).utf8.count
            guard count <= limit else { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

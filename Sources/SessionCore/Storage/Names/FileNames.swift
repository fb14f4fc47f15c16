import SessionSupport

/// Names of downloaded files and of their parts.
///
/// Whatever a server says, a name made here is one component, visible, of valid text in one normal form, and fits a
/// directory entry with everything that is added to it later.
package enum FileNames {
    /// The name when neither the server nor the URL offers one.
    static let fallback = "download"
    /// Longest name a directory entry can have, in bytes.
    static let byteLimit = 255
    /// An extension longer than this, in bytes and with its dot, is not kept when a name is shortened.
    private static let extensionLimit = 32
    /// Highest number that is tried when names are taken.
    static let highestNumber = 999_999

    /// The name for a response: from Content-Disposition, else from the original URL's path, else ``fallback``.
    package static func automatic(url: String, head: ResponseHead?) -> String {
        for field in head?.headers.values(named: "Content-Disposition") ?? [] {
            if let offered = ContentDisposition.fileName(field, charset: head?.charset), let name = cleaned(offered) {
                return name
            }
        }
        return fromURL(url)
    }

    /// Checks a name that the user chose; it is taken as it is.
    package static func fixed(_ name: String) throws(SessionError) -> String {
        guard Folder.isComponent(name) else {
            throw SessionError(.invalidRequest, StorageErrors.severalComponents(name))
        }
        guard name.utf8.count <= byteLimit else {
            throw SessionError(.invalidRequest, StorageErrors.nameTooLong(byteLimit))
        }
        return name
    }

    /// The name with a number before its extension, `name (2).ext`, shortened where needed.
    package static func numbered(_ name: String, _ number: Int) -> String {
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

extension FileNames {
    /// The name from the last component of a URL's path; the query is never used.
    static func fromURL(_ url: String) -> String { offered(by: url) ?? fallback }

    /// The name that a URL's path offers; nil when nothing usable is left of its last component.
    static func offered(by url: String) -> String? {
        let last = url[URLScan(url).lastComponent]
        if isClean(last) { return String(last) }
        return cleaned(readable(ByteText.percentDecoded(last)))
    }

    /// The text of bytes; those that are not UTF-8 stay escaped, since no key types the sign that would replace them.
    private static func readable(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var source = bytes.makeIterator()
        var place = 0
        while true {
            switch parser.parseScalar(from: &source) {
            case .valid(let encoded):
                text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
                place += encoded.count
            case .error(let length):
                for byte in bytes[place..<place + length] {
                    text += "%" + ByteText.hexadecimal(CollectionOfOne(byte)).uppercased()
                }
                place += length
            case .emptyInput: return text
            }
        }
    }

    /// Whether ``cleaned(_:)`` would change nothing, told from the bytes alone as it can be for almost all URLs.
    ///
    /// False does not mean that it would.
    private static func isClean(_ name: Substring) -> Bool {
        let bytes = name.utf8Span.span
        guard !bytes.isEmpty, bytes.count <= byteLimit, isLetterOrDigit(bytes[0]),
            isLetterOrDigit(bytes[bytes.count - 1])
        else { return false }
        for place in bytes.indices {
            let byte = bytes[place]
            guard isLetterOrDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F else { return false }
        }
        return !isReserved(String(name))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { ByteText.isLetter(byte) || ByteText.isDigit(byte) }
}

extension FileNames {
    /// Eight digits that name a download in a folder, the same in every run.
    ///
    /// The folder itself is not hashed: the part lies in it, and it may be moved or reached by another path.
    /// - Parameters:
    ///   - name: the fixed name, or the one from the URL where the server is going to choose it.
    ///   - generation: above 0 where the name of an earlier one is taken.
    static func identifier(url: String, name: String, generation: Int = 0) -> String {
        identifier(hash(url, name), generation: generation)
    }

    /// The identifiers of the first generations.
    static func identifiers(url: String, name: String, count: Int) -> [String] {
        let hash = hash(url, name)
        return (0..<count).map { identifier(hash, generation: $0) }
    }

    /// A link that is signed anew names the same file.
    private static func hash(_ url: String, _ name: String) -> UInt64 {
        StableHash.value("\(ResourceName.text(url))\0\(name)")
    }

    private static func identifier(_ first: UInt64, generation: Int) -> String {
        let hash = generation == 0 ? first : StableHash.value("\0\(generation)", after: first)
        let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
        return ByteText.hexadecimal((0..<4).map { UInt8(truncatingIfNeeded: folded >> (24 - 8 * $0)) })
    }

    /// `.name.<id8>.part`, hidden, with the name shortened so that ``metaSuffix`` fits too.
    static func partName(_ finalName: String, identifier: String) -> String {
        "." + joined(finalName, partSuffix(identifier: identifier), limit: byteLimit - 1 - metaSuffix.utf8.count)
    }

    /// What the part's name ends with, whatever name comes before.
    static func partSuffix(identifier: String) -> String { ".\(identifier).part" }

    /// Follows a part's name in that of its meta.
    static let metaSuffix = ".meta"
    /// Follows a part's name while its meta is being replaced.
    static let temporaryMetaSuffix = ".new"
    /// Follows the name of a part whose checksum was wrong.
    static let quarantineSuffix = ".bad"
}

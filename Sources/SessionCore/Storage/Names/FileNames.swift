import SessionSupport

/// Names of downloaded files and of their parts.
///
/// Whatever a server sends, a name made here is a single component, visible, valid text in one normal form, and fits a
/// directory entry with every suffix added later.
package enum FileNames {
    /// The name when neither the server nor the URL offers one.
    static let fallback = JobDestination.unnamedFile
    /// Bytes of the longest name in a directory entry.
    static let byteLimit = 255
    /// An extension longer than this, in bytes with its dot, is not kept when a name is shortened.
    private static let extensionLimit = 32
    static let highestNumber = 999_999

    /// Returns the name for a response: from Content-Disposition, else from the original URL's path, else ``fallback``.
    package static func automatic(url: String, head: ResponseHead?) -> String {
        for field in head?.headers.values(named: "Content-Disposition") ?? [] {
            if let offered = ContentDisposition.fileName(field, charset: head?.charset), let name = cleaned(offered) {
                return name
            }
        }
        return fromURL(url)
    }

    /// Checks a name that the user chose, which is used unchanged.
    package static func fixed(_ name: String) throws(SessionError) -> String {
        guard Folder.isComponent(name) else {
            throw SessionError(.invalidRequest, StorageErrors.severalComponents(name))
        }
        guard name.utf8.count <= byteLimit else {
            throw SessionError(.invalidRequest, StorageErrors.nameTooLong(byteLimit))
        }
        return name
    }

    /// Returns the name with a number before its extension, `name (2).ext`, shortened if needed.
    package static func numbered(_ name: String, _ number: Int) -> String {
        let (base, suffix) = split(name)
        return joined(base, " (\(number))" + suffix)
    }

    /// Splits a name into base and extension.
    ///
    /// The extension includes its dot; `.tar.gz` and similar ones stay together.
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

    /// Cuts a base between characters so that it fits together with its suffix.
    static func joined(_ base: String, _ suffix: String, limit: Int = byteLimit) -> String {
        prefix(base, bytes: max(limit - suffix.utf8.count, 0)) + suffix
    }

    /// Returns the longest prefix of complete characters that fits; of complete code points if even one character does
    /// not.
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
    /// Returns the name from the last component of a URL's path; the query is never used.
    static func fromURL(_ url: String) -> String { offered(by: url) ?? fallback }

    /// Returns the name that a URL's path offers; nil if its last component has no usable character.
    static func offered(by url: String) -> String? {
        let last = url[URLScan(url).lastComponent]
        if isClean(last) { return String(last) }
        return cleaned(readable(ByteText.percentDecoded(last)))
    }

    /// Decodes bytes; bytes that are not UTF-8 stay escaped, because users cannot type the replacement character.
    private static func readable(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var source = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &source) {
            case .valid(let encoded):
                text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
                offset += encoded.count
            case .error(let length):
                for byte in bytes[offset..<offset + length] {
                    text += "%" + ByteText.hexadecimal(CollectionOfOne(byte)).uppercased()
                }
                offset += length
            case .emptyInput: return text
            }
        }
    }

    /// Returns whether ``cleaned(_:)`` would keep the name unchanged, by a quick test that suffices for almost all
    /// URLs.
    ///
    /// False does not mean that it would change.
    private static func isClean(_ name: Substring) -> Bool {
        let bytes = name.utf8Span.span
        guard !bytes.isEmpty, bytes.count <= byteLimit, isLetterOrDigit(bytes[0]),
            isLetterOrDigit(bytes[bytes.count - 1])
        else { return false }
        for offset in bytes.indices {
            let byte = bytes[offset]
            guard isLetterOrDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F else { return false }
        }
        return !isReserved(String(name))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { ByteText.isLetter(byte) || ByteText.isDigit(byte) }
}

extension FileNames {
    /// Returns eight digits that name a download in a folder, the same in every run.
    ///
    /// The folder is not hashed: it contains the part, and it may be moved or reached by another path.
    /// - Parameters:
    ///   - name: the fixed name, or the one from the URL if the server will choose it.
    ///   - generation: above 0 if the name of an earlier one is taken.
    static func identifier(url: String, name: String, generation: Int = 0) -> String {
        identifier(hash(url, name), generation: generation)
    }

    static func identifiers(url: String, name: String, count: Int) -> [String] {
        let hash = hash(url, name)
        return (0..<count).map { identifier(hash, generation: $0) }
    }

    /// Hashes the resource name, so that a newly signed link means the same file.
    private static func hash(_ url: String, _ name: String) -> UInt64 {
        StableHash.value("\(ResourceName.text(url))\0\(name)")
    }

    private static func identifier(_ first: UInt64, generation: Int) -> String {
        let hash = generation == 0 ? first : StableHash.value("\0\(generation)", after: first)
        let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
        return ByteText.hexadecimal((0..<4).map { UInt8(truncatingIfNeeded: folded >> (24 - 8 * $0)) })
    }

    /// Returns `.name.<id8>.part`, hidden, with the name shortened so that ``metaSuffix`` fits too.
    static func partName(_ finalName: String, identifier: String) -> String {
        "." + joined(finalName, partSuffix(identifier: identifier), limit: byteLimit - 1 - metaSuffix.utf8.count)
    }

    static func partSuffix(identifier: String) -> String { ".\(identifier).part" }

    /// The suffix of a meta's name after the part's name.
    static let metaSuffix = ".meta"
    /// The suffix of a meta that is being written.
    static let temporaryMetaSuffix = ".new"
    /// The suffix of a part with a wrong checksum.
    static let quarantineSuffix = ".bad"
}

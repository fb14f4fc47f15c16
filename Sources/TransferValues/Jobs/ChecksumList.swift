import SessionSupport

/// Reads a published file such as `SHA256SUMS`: checksums by file name.
///
/// Lines have the form of `sha256sum` and its relatives: a digest, a blank, a blank or a star, a name; or `SHA256
/// (name) = digest`, as BSD and OpenSSL write it. Without a word the digest's length tells its kind. Comments and the
/// frame of a signature are skipped; the signature is not verified.
package struct ChecksumList: Sendable, Equatable {
    /// One file of a list: its folders, the innermost first, and its digest; nil where two lines disagree.
    private struct Entry: Sendable, Equatable {
        package var folders: [String]
        package var checksum: Job.Checksum?
    }

    /// The result of a search for a download.
    package enum Finding: Sendable, Equatable {
        case found(Job.Checksum)
        case missing
        /// Several lines fit equally well and have different digests.
        case ambiguous
    }

    /// Entries by the last component of their path.
    private var entries: [String: [Entry]] = [:]
    /// The numbers of unreadable lines.
    private var unread: [Int] = []

    /// Reads a file's text; throws when every line is unreadable.
    package init(_ text: String, label: String) throws(UsageError) {
        // A carriage return and a line feed are one character.
        let lines = ByteText.withoutByteOrderMark(text).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var frame = SignatureFrame()
        for (index, line) in lines.enumerated() {
            guard let line = frame.content(of: line), !Self.isComment(line) else { continue }
            if let (name, checksum) = Self.entry(line) {
                add(checksum, of: name)
            } else {
                unread.append(index + 1)
            }
        }
        guard let first = unread.first, entries.isEmpty else { return }
        throw UsageError(argument: "\(label):\(first)", ChecksumListErrors.notEntry)
    }

    /// The strongest checksum of a path wins.
    private mutating func add(_ checksum: Job.Checksum, of path: Substring) {
        var folders = Self.components(path)
        guard let name = folders.popLast() else { return }
        folders.reverse()
        guard let index = entries[name]?.firstIndex(where: { $0.folders == folders }) else {
            entries[name, default: []].append(Entry(folders: folders, checksum: checksum))
            return
        }
        guard let known = entries[name]?[index].checksum, known != checksum else { return }
        let (old, new) = (known.hex.utf8.count, checksum.hex.utf8.count)
        if new >= old { entries[name]?[index].checksum = new == old ? nil : checksum }
    }

    /// A phrase about the unreadable lines of a list with a name; nil without any.
    package func unreadSentence(of list: SafeText) -> SafeText? {
        guard !unread.isEmpty else { return nil }
        let numbers = unread.prefix(6).map { SafeText($0) }.joined(by: ", ")
        let lines = unread.count > 6 ? ChecksumListErrors.andMore(numbers, unread.count - 6) : numbers
        return ChecksumListErrors.unread(list, lines: lines, isOne: unread.count == 1)
    }

    private static func isComment(_ line: Substring) -> Bool {
        let start = line.drop { $0 == " " || $0 == "\t" }
        return start.isEmpty || start.hasPrefix("#") || start.hasPrefix(";") || start.hasPrefix("//")
    }

    /// The checksum of a download, by its given name or the last component of its URL.
    ///
    /// Where several files have the name, the folders of the URL choose one.
    package func checksum(of job: Job) -> Finding {
        let path = job.url[URLScan(job.url).path]
        var folders = Self.components(Substring(String(decoding: ByteText.percentDecoded(path), as: UTF8.self)))
        let offered = folders.popLast()
        folders.reverse()
        let given = JobDestination.resolve(job, defaultDirectory: nil).name
        for name in [given, offered].compactMap(\.self) {
            if let found = entries[name] { return Self.bestFit(found, folders) }
        }
        return .missing
    }

    private static func bestFit(_ entries: [Entry], _ folders: [String]) -> Finding {
        // A full match of the path wins over a partial one.
        func agreement(_ entry: Entry) -> Int {
            let count = zip(entry.folders, folders).prefix { $0 == $1 }.count
            return 2 * count + (count == entry.folders.count ? 1 : 0)
        }
        let most = entries.map(agreement).max()
        let checksums = entries.filter { agreement($0) == most }.map(\.checksum)
        guard let checksum = checksums.first ?? nil, checksums.allSatisfy({ $0 == checksum }) else { return .ambiguous }
        return .found(checksum)
    }

    /// The digest and the name of a line; nil for an unreadable one.
    package static func entry(_ line: Substring) -> (name: Substring, checksum: Job.Checksum)? {
        if let tagged = tagged(line) { return tagged }
        guard let (name, hex) = plain(line), let checksum = checksum(hex) else { return nil }
        return (name, checksum)
    }

    private static func plain(_ line: Substring) -> (name: Substring, hex: Substring)? {
        // A leading backslash escapes a name with backslashes, which no name from a URL has.
        let start = line.drop { $0 == " " || $0 == "\t" }
        let hex = start.prefix { $0 != " " && $0 != "\t" }
        var name = start.dropFirst(hex.count).drop { $0 == " " || $0 == "\t" }
        if name.hasPrefix("*") { name = name.dropFirst() }
        while let last = name.last, last == " " || last == "\t" { name.removeLast() }
        return name.isEmpty ? nil : (name, hex)
    }

    /// A line with the kind of digest: `SHA2-256 (name) = digest`, with or without the blanks.
    private static func tagged(_ line: Substring) -> (name: Substring, checksum: Job.Checksum)? {
        guard let open = line.firstIndex(of: "("), let end = line.lastIndex(of: "="),
            let close = line[..<end].lastIndex(of: ")"), open < close,
            line[line.index(after: close)..<end].allSatisfy({ $0 == " " || $0 == "\t" }),
            let algorithm = algorithm(line[..<open])
        else { return nil }
        let hex = line[line.index(after: end)...].filter { $0 != " " && $0 != "\t" }
        guard let checksum = checksum(hex[...]), checksum.algorithm == algorithm else { return nil }
        return (line[line.index(after: open)..<close], checksum)
    }

    /// The digest that a word before a name stands for; nil for unknown ones, some of which are as long as a known one.
    private static func algorithm(_ word: Substring) -> Job.Checksum.Algorithm? {
        switch word.filter({ $0 != " " && $0 != "-" && $0 != "\t" }).lowercased() {
        case "sha256", "sha2256": .sha256
        case "sha512", "sha2512": .sha512
        case "sha1", "sha": .sha1
        case "md5": .md5
        default: nil
        }
    }

    package static func checksum(_ hex: Substring) -> Job.Checksum? {
        guard let algorithm = Job.Checksum.Algorithm.allCases.first(where: { $0.digitCount == hex.utf8.count }),
            hex.utf8.allSatisfy({ ByteText.hexadecimalValue($0) != nil })
        else { return nil }
        return Job.Checksum(algorithm: algorithm, hex: hex.lowercased())
    }

    /// A path's components without `.`.
    private static func components(_ path: Substring) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map { String($0) }
    }
}

/// Skips the lines that OpenPGP puts around a cleartext-signed message, and around a signature (RFC 9580, 7).
private struct SignatureFrame {
    private enum Section {
        case text, headers, signature
    }

    private var section = Section.text
    private var isSigned = false

    /// The line as it was signed; nil for a line of the frame.
    package mutating func content(of line: Substring) -> Substring? {
        if line.hasPrefix("-----BEGIN PGP SIGNED MESSAGE") {
            (section, isSigned) = (.headers, true)
            return nil
        }
        if line.hasPrefix("-----BEGIN PGP ") {
            section = .signature
            return nil
        }
        if line.hasPrefix("-----END PGP ") {
            (section, isSigned) = (.text, false)
            return nil
        }
        switch section {
        case .text: return isSigned && line.hasPrefix("- ") ? line.dropFirst(2) : line
        case .headers:
            if line.allSatisfy(\.isWhitespace) { section = .text }
            return nil
        case .signature: return nil
        }
    }
}

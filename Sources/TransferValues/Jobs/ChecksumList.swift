import SessionSupport

/// The checksums of a file such as `SHA256SUMS`, by the names of their files, as they are published.
///
/// Lines are those of `sha256sum` and its relatives: a digest, a blank, a blank or a star, a name; or
/// `SHA256 (name) = digest`, as BSD and OpenSSL write it. The length of a digest tells its kind where no word does.
/// Comments and the frame of a signature are passed over; the signature is not looked at.
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
        /// Several lines fit as well and have different digests.
        case ambiguous
    }

    /// By the last components of names.
    private var entries: [String: [Entry]] = [:]
    /// The lines that are not understood, by their numbers.
    private var unread: [Int] = []

    /// Reads a file's text; throws when no line of it is understood.
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

    /// Of several checksums of a path the strongest counts.
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

    /// The lines that were not understood, of a list with a name; nil when there are none.
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

    /// The checksum of a download, by the name that it is given or that its URL ends in.
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
        // A path that agrees in full goes before one that agrees in part.
        func agreement(_ entry: Entry) -> Int {
            let count = zip(entry.folders, folders).prefix { $0 == $1 }.count
            return 2 * count + (count == entry.folders.count ? 1 : 0)
        }
        let most = entries.map(agreement).max()
        let checksums = entries.filter { agreement($0) == most }.map(\.checksum)
        guard let checksum = checksums.first ?? nil, checksums.allSatisfy({ $0 == checksum }) else { return .ambiguous }
        return .found(checksum)
    }

    /// The digest and the name of a line; nil for one that is not understood.
    package static func entry(_ line: Substring) -> (name: Substring, checksum: Job.Checksum)? {
        if let tagged = tagged(line) { return tagged }
        guard let (name, hex) = plain(line), let checksum = checksum(hex) else { return nil }
        return (name, checksum)
    }

    private static func plain(_ line: Substring) -> (name: Substring, hex: Substring)? {
        // A backslash in front says that the name has some, which no name from a URL has.
        let start = line.drop { $0 == " " || $0 == "\t" }
        let hex = start.prefix { $0 != " " && $0 != "\t" }
        var name = start.dropFirst(hex.count).drop { $0 == " " || $0 == "\t" }
        if name.hasPrefix("*") { name = name.dropFirst() }
        while let last = name.last, last == " " || last == "\t" { name.removeLast() }
        return name.isEmpty ? nil : (name, hex)
    }

    /// A line that says which digest it is: `SHA2-256 (name) = digest`, with or without the blanks.
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

    /// The digest that a word in front of a name stands for; nil for those that are not known here, some of which are as
    /// long as one that is.
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

    /// The components of a path, without `.`.
    private static func components(_ path: Substring) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map { String($0) }
    }
}

/// The lines that OpenPGP puts around a text that is signed in clear, and around a signature (RFC 9580, 7).
private struct SignatureFrame {
    private enum Place {
        case text, headers, signature
    }

    private var place = Place.text
    private var isSigned = false

    /// The line as it was signed; nil for one that belongs to the frame.
    package mutating func content(of line: Substring) -> Substring? {
        if line.hasPrefix("-----BEGIN PGP SIGNED MESSAGE") {
            (place, isSigned) = (.headers, true)
            return nil
        }
        if line.hasPrefix("-----BEGIN PGP ") {
            place = .signature
            return nil
        }
        if line.hasPrefix("-----END PGP ") {
            (place, isSigned) = (.text, false)
            return nil
        }
        switch place {
        case .text: return isSigned && line.hasPrefix("- ") ? line.dropFirst(2) : line
        case .headers:
            if line.allSatisfy(\.isWhitespace) { place = .text }
            return nil
        case .signature: return nil
        }
    }
}

import SessionSupport

/// The checksums of a file such as `SHA256SUMS`, by the names of their files.
///
/// Lines are those of `sha256sum` and its relatives: a digest, a blank, a blank or a star, a name; or
/// `SHA256 (name) = digest`. The length of a digest tells its kind.
package struct ChecksumList: Sendable, Equatable {
    private var checksums: [String: Job.Checksum] = [:]

    /// Reads a file's text; throws when a line is not understood.
    package init(_ text: String, label: String) throws(UsageError) {
        // A carriage return and a line feed are one character.
        let lines = ByteText.withoutByteOrderMark(text).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let (name, checksum) = Self.entry(line) else {
                throw UsageError(
                    argument: "\(label):\(index + 1)", "is not a digest and a name, as sha256sum writes them")
            }
            checksums[Self.lastComponent(name)] = checksum
        }
    }

    /// The checksum of a download, by the name that it is given or that its URL ends in.
    package func checksum(of job: Job) -> Job.Checksum? {
        let given = JobDestination.resolve(job, defaultDirectory: nil).name
        if let given, let known = checksums[given] { return known }
        let offered = job.url[URLScan(job.url).lastComponent]
        return checksums[String(decoding: ByteText.percentDecoded(offered), as: UTF8.self)]
    }

    /// The digest and the name of a line; nil for one that is not understood.
    static func entry(_ line: Substring) -> (name: Substring, checksum: Job.Checksum)? {
        guard let (name, hex) = tagged(line) ?? plain(line), let checksum = checksum(hex) else { return nil }
        return (name, checksum)
    }

    private static func plain(_ line: Substring) -> (name: Substring, hex: Substring)? {
        // A backslash in front says that the name has some, which no name from a URL has.
        let hex = line.prefix { $0 != " " }
        let rest = line.dropFirst(hex.count + 1)
        let name = rest.hasPrefix(" ") || rest.hasPrefix("*") ? rest.dropFirst() : rest
        return name.isEmpty ? nil : (name, hex)
    }

    private static func tagged(_ line: Substring) -> (name: Substring, hex: Substring)? {
        guard let open = line.firstIndex(of: "("), line[..<open].hasSuffix(" "),
            let equals = line.range(ofLast: ") = "), open < equals.lowerBound
        else { return nil }
        return (line[line.index(after: open)..<equals.lowerBound], line[equals.upperBound...])
    }

    static func checksum(_ hex: Substring) -> Job.Checksum? {
        guard let algorithm = Job.Checksum.Algorithm.allCases.first(where: { $0.digitCount == hex.utf8.count }),
            hex.utf8.allSatisfy({ ByteText.hexadecimalValue($0) != nil })
        else { return nil }
        return Job.Checksum(algorithm: algorithm, hex: hex.lowercased())
    }

    private static func lastComponent(_ name: Substring) -> String {
        name.split(separator: "/").last.map { String($0) } ?? String(name)
    }
}

extension Substring {
    /// Where a text stands for the last time.
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        var start = endIndex
        while start > startIndex {
            start = index(before: start)
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
        }
        return nil
    }
}

import SessionSupport

/// A file that may contain a download's checksum, as publishers put it beside the download.
package struct PublishedChecksum: Sendable, Equatable {
    package let url: String
    /// Whether it serves all files of its folder.
    package let isList: Bool
    private let algorithm: Job.Checksum.Algorithm
    /// The name of the download in it.
    private let name: String

    /// The files that may exist, in the order of the requests; a folder's list is requested once.
    ///
    /// None for a URL that ends in no name. A query is left out: it may be a signature of the download alone.
    package static func candidates(beside url: String) -> [PublishedChecksum] {
        let scan = URLScan(url)
        let end = url[scan.lastComponent]
        let name = String(decoding: ByteText.percentDecoded(end), as: UTF8.self)
        guard scan.namesHost, !name.isEmpty else { return [] }
        let file = String(url[..<scan.lastComponent.upperBound])
        let folder = url[..<scan.lastComponent.lowerBound]
        return [
            PublishedChecksum(url: folder + "SHA256SUMS", isList: true, algorithm: .sha256, name: name),
            PublishedChecksum(url: folder + "SHA512SUMS", isList: true, algorithm: .sha512, name: name),
            PublishedChecksum(url: file + ".sha256", isList: false, algorithm: .sha256, name: name),
            PublishedChecksum(url: file + ".sha512", isList: false, algorithm: .sha512, name: name),
        ]
    }

    /// The checksum of the download in such a file's text; nil where it has none, or two.
    ///
    /// Lines without digests are skipped: some files contain signatures, and some servers respond with a page. A file
    /// for one download may have its digest alone, or under its original name.
    package func checksum(in text: String) -> Job.Checksum? {
        let lines = ByteText.withoutByteOrderMark(text).split(whereSeparator: \.isNewline)
        let entries = lines.compactMap { ChecksumList.entry($0) }.filter { $0.checksum.algorithm == algorithm }
        let own = Set(entries.filter { Self.stripped($0.name) == name }.map(\.checksum.hex))
        if !own.isEmpty { return one(of: own) }
        guard !isList else { return nil }
        let bare = lines.compactMap { ChecksumList.checksum($0.filter { $0 != " " }[...]) }
            .filter { $0.algorithm == algorithm }
        return one(of: Set(entries.map(\.checksum.hex) + bare.map(\.hex)))
    }

    private func one(of digests: Set<String>) -> Job.Checksum? {
        digests.count == 1 ? digests.first.map { Job.Checksum(algorithm: algorithm, hex: $0) } : nil
    }

    private static func stripped(_ name: Substring) -> Substring { name.hasPrefix("./") ? name.dropFirst(2) : name }
}

import SessionSupport

/// The target of a download: a folder, how the file is named and what happens when the name is taken.
///
/// The part lies in the same folder from its first byte, so that finishing is one atomic rename.
///
/// ```swift
/// let target = DownloadTarget(folder: folder, name: .fixed("image.iso"), collision: .rename)
/// let completion = try await manager.download(for: request, options: TaskOptions(target: target))
/// print(completion.fileURL ?? file)
/// ```
public struct DownloadTarget: Sendable, Equatable, Codable {
    /// The name of a file, or the rule that makes it.
    ///
    /// ```swift
    /// print(DownloadTarget(folder: folder, name: .fixed("image.iso")).name == .automatic)
    /// ```
    public enum Name: Sendable, Equatable, Codable {
        /// Exactly this one; it must be a single path component.
        case fixed(String)
        /// From the response (RFC 6266), else the URL's last path component, else "download".
        case automatic
    }

    /// The rule for a name that is taken.
    ///
    /// ```swift
    /// print(DownloadTarget(folder: folder, collision: .skip).collision)
    /// ```
    public enum Collision: String, Sendable, CaseIterable, Codable {
        /// A number is added before the extension: `name (1).ext`.
        case rename
        /// The task completes without a transfer and leaves the file as it is.
        case skip
        /// The new file replaces the old one at the very end; until then the old one is intact.
        ///
        /// It has the mode and the owner of the old one, and a link to that stays a link. A file that cannot be replaced but
        /// can be written is written in place. Of several downloads of one session that want one name each gets its own.
        case overwrite
        /// The server is asked whether the file has changed since: the task completes without a transfer when it has not,
        /// and the new file replaces the old one at the very end when it has.
        ///
        /// It is asked by the validator that the server gave an earlier download of the same URL, which the file keeps in an
        /// extended attribute, and only while the file has the size and the time that it had then; otherwise all of it is
        /// fetched. A checksum is compared first, and a file that has it is not asked for.
        case refresh
        /// The task fails before any byte is written.
        case fail
    }

    /// The folder's path; created, with its parents, when missing.
    public var folder: String
    /// How the file is named.
    public var name: Name
    /// What happens when the name is taken.
    public var collision: Collision
    /// Whether a matching part of an earlier run is adopted.
    public var adoptsPart: Bool
    /// A digest the whole file must have, verified before the file gets its name.
    public var checksum: Checksum?
    /// Whether the finished file gets the time of its last change at the server (Last-Modified), where that is named.
    public var keepsRemoteTime: Bool
    /// Whether a part that neither a tag nor a date nor a checksum vouches for is gone on with, when its last 64 KiB and
    /// the length of the whole are those that the server has now.
    ///
    /// A file that was changed before these bytes alone, and kept its length, is not noticed; without this such a part is
    /// fetched anew.
    public var comparesOverlap: Bool

    /// How many connections fetch the file; nil for what the session says.
    public var segmentation: Segmentation?
    /// Further places of the file; nil for none.
    ///
    /// A session's store keeps those whose URLs hold no secrets. A part remembers which of them began it.
    public var mirrors: Mirrors?

    /// A target in a folder.
    public init(
        folder: String, name: Name = .automatic, collision: Collision = .rename, adoptsPart: Bool = true,
        checksum: Checksum? = nil, keepsRemoteTime: Bool = false, comparesOverlap: Bool = false,
        segmentation: Segmentation? = nil, mirrors: Mirrors? = nil
    ) {
        self.folder = folder
        self.name = name
        self.collision = collision
        self.adoptsPart = adoptsPart
        self.checksum = checksum
        self.keepsRemoteTime = keepsRemoteTime
        self.comparesOverlap = comparesOverlap
        self.segmentation = segmentation
        self.mirrors = mirrors
    }

    private enum CodingKeys: String, CodingKey {
        case folder, name, collision, adoptsPart, checksum, keepsRemoteTime, comparesOverlap, segmentation, mirrors
    }

    /// Reads a coded target; what is left out is as usual.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(folder: try values.decode(String.self, forKey: .folder))
        name = try values.decodeIfPresent(Name.self, forKey: .name) ?? name
        collision = try values.decodeIfPresent(Collision.self, forKey: .collision) ?? collision
        adoptsPart = try values.decodeIfPresent(Bool.self, forKey: .adoptsPart) ?? adoptsPart
        checksum = try values.decodeIfPresent(Checksum.self, forKey: .checksum)
        keepsRemoteTime = try values.decodeIfPresent(Bool.self, forKey: .keepsRemoteTime) ?? keepsRemoteTime
        comparesOverlap = try values.decodeIfPresent(Bool.self, forKey: .comparesOverlap) ?? comparesOverlap
        segmentation = try values.decodeIfPresent(Segmentation.self, forKey: .segmentation)
        mirrors = try values.decodeIfPresent(Mirrors.self, forKey: .mirrors)
    }

    /// Writes the folder, and what is not as usual.
    public func encode(to encoder: any Encoder) throws {
        let usual = DownloadTarget(folder: folder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(folder, forKey: .folder)
        if name != usual.name { try values.encode(name, forKey: .name) }
        if collision != usual.collision { try values.encode(collision, forKey: .collision) }
        if adoptsPart != usual.adoptsPart { try values.encode(adoptsPart, forKey: .adoptsPart) }
        try values.encodeIfPresent(checksum, forKey: .checksum)
        if keepsRemoteTime { try values.encode(true, forKey: .keepsRemoteTime) }
        if comparesOverlap { try values.encode(true, forKey: .comparesOverlap) }
        try values.encodeIfPresent(segmentation, forKey: .segmentation)
        try values.encodeIfPresent(mirrors, forKey: .mirrors)
    }
}

/// A digest the whole file must have.
///
/// ```swift
/// var target = DownloadTarget(folder: folder)
/// target.checksum = Checksum(algorithm: .sha256, digest: [UInt8](repeating: 0, count: 32))
/// _ = try await manager.download(for: request, options: TaskOptions(target: target))
/// ```
public struct Checksum: Sendable, Equatable, Codable {
    /// The digests that can be asked for.
    ///
    /// ```swift
    /// print(Checksum.Algorithm.allCases.map(\.rawValue))
    /// ```
    public enum Algorithm: String, Sendable, CaseIterable, Codable {
        /// SHA-256: 32 bytes.
        case sha256 = "sha-256"
        /// SHA-512: 64 bytes.
        case sha512 = "sha-512"
        /// SHA-1: 20 bytes; for files whose publisher offers nothing better.
        case sha1 = "sha-1"
        /// MD5: 16 bytes; finds accidents, no attacks.
        case md5

        /// Length of the digest in bytes.
        package var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            case .sha1: 20
            case .md5: 16
            }
        }
    }

    /// Which digest.
    public var algorithm: Algorithm
    /// The expected digest.
    public var digest: [UInt8]

    /// An expected digest.
    public init(algorithm: Algorithm, digest: [UInt8]) {
        self.algorithm = algorithm
        self.digest = digest
    }
}

extension Checksum {
    /// A digest in hexadecimal digits.
    package init(algorithm: Algorithm, hex: String) {
        let digits = hex.utf8.compactMap { ByteText.hexadecimalValue($0) }
        self.init(
            algorithm: algorithm,
            digest: stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    /// The digest in hexadecimal digits, small letters.
    package var hex: String { ByteText.hexadecimal(digest) }
}

extension Checksum.Algorithm {
    /// The hexadecimal digits of a digest.
    package var digitCount: Int { 2 * byteCount }
}

/// The data with which a download goes on later: a value that exists only when going on is possible.
///
/// It may be coded and used in a later run, as long as the part is there: what the server said about the file lies in a
/// meta beside the part, and both are proven again before a byte is added. The header fields are coded with their
/// values, which may be secrets.
///
/// ```swift
/// task.cancel { resumeData in
///     guard let resumeData else { return }
///     print((try? JSONEncoder().encode(resumeData))?.count ?? 0)
/// }
/// ```
public struct ResumeData: Sendable, Equatable, Codable {
    /// The request, without its body.
    public var url: String
    /// Header fields the user set.
    public var headers: HeaderFields
    /// Path of the part, which stays until somebody goes on with it; whoever throws the data away may delete it.
    public var partPath: String
    /// Where the finished file was to go; nil for a download with a destination closure.
    public var target: DownloadTarget?

    /// Resume data from its parts.
    public init(url: String, headers: HeaderFields, partPath: String, target: DownloadTarget?) {
        self.url = url
        self.headers = headers
        self.partPath = partPath
        self.target = target
    }
}

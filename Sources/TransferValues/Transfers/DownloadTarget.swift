import SessionSupport

/// The target of a download: a folder, the rule for the file's name, and the rule for an existing file.
///
/// The partial file is in the same folder from its first byte, so that finishing is one atomic rename.
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
        /// Exactly this name; it must be a single path component.
        case fixed(String)
        /// From the response (RFC 6266), else the URL's last path component, else "download".
        case automatic
    }

    /// The rule for an existing file of the same name.
    ///
    /// ```swift
    /// print(DownloadTarget(folder: folder, collision: .skip).collision)
    /// ```
    public enum Collision: String, Sendable, CaseIterable, Codable {
        /// A number is added before the extension: `name (1).ext`.
        case rename
        /// The task completes without a transfer, and the file stays unchanged.
        ///
        /// Of several downloads of one session with the same name each has its own number, and skips only its own file.
        case skip
        /// The new file replaces the old one at the very end; until then the old one is intact.
        ///
        /// It gets the old one's mode and owner, and a link to that stays a link. A file that is writable but cannot be
        /// replaced is written in place. Of several downloads of one session with the same name each gets its own.
        case overwrite
        /// The task completes without a transfer if the server confirms that the file is current; otherwise the new
        /// file replaces it at the very end.
        ///
        /// The request uses the validator of an earlier download of the same URL, stored in an extended attribute of
        /// the file, and only while the file has its size and time of then; otherwise the complete file is downloaded.
        /// A checksum is compared first, and a file that matches is not requested.
        case refresh
        /// The task completes without a transfer if the existing file is proven to be the one the server has; otherwise
        /// a number is added before the extension, and the existing file stays unchanged. A copy that an earlier
        /// download has numbered is found too.
        ///
        /// The proof is the validator of an earlier download of the same URL, as for ``refresh``, or a checksum. A file
        /// without a validator counts as the same if its size is the response's length and its time, in whole seconds,
        /// is Last-Modified.
        case same
        /// Like ``same``, but the task fails where a number would be added: before any byte of a file with another
        /// length is written.
        case sameOrFail
        /// The task fails before any byte is written.
        case fail
    }

    private struct Values: Sendable, Equatable {
        var folder: String
        var name = Name.automatic
        var collision = Collision.rename
        var adoptsPart = true
        var checksum: Checksum?
        var keepsRemoteTime = false
        var comparesOverlap = false
        var sharesFolder = false
        var segmentation: Segmentation?
        var mirrors: Mirrors?
    }

    private var shared: SharedValue<Values>

    /// The folder's path; missing folders are created with their parents.
    public var folder: String {
        get { shared.value.folder }
        set { change { $0.folder = newValue } }
    }
    /// The rule for the file's name.
    public var name: Name {
        get { shared.value.name }
        set { change { $0.name = newValue } }
    }
    /// The rule for an existing file of the same name.
    public var collision: Collision {
        get { shared.value.collision }
        set { change { $0.collision = newValue } }
    }
    /// Whether a matching partial file of an earlier run is adopted.
    public var adoptsPart: Bool {
        get { shared.value.adoptsPart }
        set { change { $0.adoptsPart = newValue } }
    }
    /// A digest of the complete file, verified before the file gets its name.
    public var checksum: Checksum? {
        get { shared.value.checksum }
        set { change { $0.checksum = newValue } }
    }
    /// Whether the finished file gets the server's modification time (Last-Modified), where that is known.
    public var keepsRemoteTime: Bool {
        get { shared.value.keepsRemoteTime }
        set { change { $0.keepsRemoteTime = newValue } }
    }
    /// Whether a partial file without validator or checksum is resumed when its last 64 KiB and the complete length
    /// match the server's.
    ///
    /// A change before these bytes that keeps the length goes unnoticed; without this option such a partial file is
    /// downloaded again.
    public var comparesOverlap: Bool {
        get { shared.value.comparesOverlap }
        set { change { $0.comparesOverlap = newValue } }
    }
    /// Whether other processes may have worked on this file, so that what was read of the folder before does not count.
    ///
    /// Without it, a name that was missing in the last second is not looked for again before the request, and a file
    /// that appears until the end is treated by the collision rule then. It is not encoded.
    public var sharesFolder: Bool {
        get { shared.value.sharesFolder }
        set { change { $0.sharesFolder = newValue } }
    }
    /// How many connections download the file; nil for the session's setting.
    public var segmentation: Segmentation? {
        get { shared.value.segmentation }
        set { change { $0.segmentation = newValue } }
    }
    /// Further sources of the file; nil for none.
    ///
    /// A session's store keeps the ones whose URLs contain no secrets. A partial file remembers which of them began it.
    public var mirrors: Mirrors? {
        get { shared.value.mirrors }
        set { change { $0.mirrors = newValue } }
    }

    /// Creates a target in a folder.
    public init(
        folder: String, name: Name = .automatic, collision: Collision = .rename, adoptsPart: Bool = true,
        checksum: Checksum? = nil, keepsRemoteTime: Bool = false, comparesOverlap: Bool = false,
        segmentation: Segmentation? = nil, mirrors: Mirrors? = nil
    ) {
        shared = SharedValue(
            Values(
                folder: folder, name: name, collision: collision, adoptsPart: adoptsPart, checksum: checksum,
                keepsRemoteTime: keepsRemoteTime, comparesOverlap: comparesOverlap, segmentation: segmentation,
                mirrors: mirrors))
    }

    private mutating func change(_ body: (inout Values) -> Void) { shared = shared.changed(body) }

    private enum CodingKeys: String, CodingKey {
        case folder, name, collision, adoptsPart, checksum, keepsRemoteTime, comparesOverlap, segmentation, mirrors
    }

    /// Reads an encoded target; missing values get their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        var values = Values(folder: try container.decode(String.self, forKey: .folder))
        func read<Value: Decodable>(_ key: CodingKeys, or usual: Value) throws -> Value {
            try container.decodeIfPresent(Value.self, forKey: key) ?? usual
        }
        values.name = try read(.name, or: values.name)
        values.collision = try read(.collision, or: values.collision)
        values.adoptsPart = try read(.adoptsPart, or: values.adoptsPart)
        values.checksum = try container.decodeIfPresent(Checksum.self, forKey: .checksum)
        values.keepsRemoteTime = try read(.keepsRemoteTime, or: values.keepsRemoteTime)
        values.comparesOverlap = try read(.comparesOverlap, or: values.comparesOverlap)
        values.segmentation = try container.decodeIfPresent(Segmentation.self, forKey: .segmentation)
        values.mirrors = try container.decodeIfPresent(Mirrors.self, forKey: .mirrors)
        shared = SharedValue(values)
    }

    /// Writes the folder, and values that differ from their defaults.
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

/// A digest that the complete file must have.
///
/// ```swift
/// var target = DownloadTarget(folder: folder)
/// target.checksum = Checksum(algorithm: .sha256, digest: [UInt8](repeating: 0, count: 32))
/// _ = try await manager.download(for: request, options: TaskOptions(target: target))
/// ```
public struct Checksum: Sendable, Equatable, Codable {
    /// The supported digest algorithms.
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
        /// MD5: 16 bytes; detects accidents, not attacks.
        case md5

        /// The length of the digest in bytes.
        package var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            case .sha1: 20
            case .md5: 16
            }
        }
    }

    /// The digest's algorithm.
    public var algorithm: Algorithm
    /// The expected digest.
    public var digest: [UInt8]

    /// Creates an expected digest.
    public init(algorithm: Algorithm, digest: [UInt8]) {
        self.algorithm = algorithm
        self.digest = digest
    }
}

extension Checksum {
    package init(algorithm: Algorithm, hex: String) {
        let digits = hex.utf8.compactMap { ByteText.hexadecimalValue($0) }
        self.init(
            algorithm: algorithm,
            digest: stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    /// Lower-case hexadecimal digits.
    package var hex: String { ByteText.hexadecimal(digest) }
}

extension Checksum.Algorithm {
    package var digitCount: Int { 2 * byteCount }
}

/// The data with which a download resumes later; it exists only when resuming is possible.
///
/// It may be encoded and used in a later run, as long as the partial file exists: a metadata file beside it contains
/// the server's facts about the file, and both are verified again before a byte is added. The header fields are encoded
/// with their values, which may be secrets.
///
/// ```swift
/// task.cancel { resumeData in
///     guard let resumeData else { return }
///     print((try? JSONEncoder().encode(resumeData))?.count ?? 0)
/// }
/// ```
public struct ResumeData: Sendable, Equatable, Codable {
    /// The request's URL; its body is not part of the data.
    public var url: String
    /// Header fields that the user set.
    public var headers: HeaderFields
    /// The path of the partial file, which stays until a download resumes it; callers that discard the data may delete
    /// it.
    public var partPath: String
    /// The target of the finished file; nil for a download with a destination closure.
    public var target: DownloadTarget?

    /// Creates resume data.
    public init(url: String, headers: HeaderFields, partPath: String, target: DownloadTarget?) {
        self.url = url
        self.headers = headers
        self.partPath = partPath
        self.target = target
    }
}

/// A digest the whole file must have.
public struct Checksum: Sendable, Equatable, Codable {
    /// The digests that can be asked for.
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
        public var byteCount: Int {
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

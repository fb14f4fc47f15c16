import CCurl

/// A message digest that is fed in chunks.
///
/// A class because it owns a C object. Confined to the thread that made it.
package final class Digest {
    private let handle: OpaquePointer

    /// Creates a digest without input.
    ///
    /// Throws when libcrypto refuses the algorithm, as it does for MD5 in FIPS mode.
    package convenience init(_ algorithm: Checksum.Algorithm) throws(SessionError) {
        try self.init(algorithm.selector, name: algorithm.rawValue)
    }

    private init(_ algorithm: cc_digest_algorithm, name: String) throws(SessionError) {
        guard let handle = cc_digest_create(algorithm) else {
            throw SessionError(.internal, EngineErrors.noDigest(name))
        }
        self.handle = handle
    }

    deinit {
        cc_digest_free(handle)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) throws(SessionError) {
        guard cc_digest_update(handle, bytes.baseAddress, bytes.count) == 0 else { throw Self.failure }
    }

    /// Returns the digest of all bytes added.
    ///
    /// May be called once.
    package func finalValue() throws(SessionError) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: Int(CC_DIGEST_MAXIMUM))
        let count = cc_digest_final(handle, &result)
        guard count >= 0 else { throw Self.failure }
        return Array(result.prefix(Int(count)))
    }

    package static func of(_ bytes: some Sequence<UInt8>, _ algorithm: Checksum.Algorithm) throws(SessionError)
        -> [UInt8]
    {
        try of(bytes, algorithm.selector)
    }

    /// Returns the digest of bytes in memory for an algorithm that is not a file checksum.
    static func of(_ bytes: some Sequence<UInt8>, _ algorithm: cc_digest_algorithm) throws(SessionError) -> [UInt8] {
        let digest = try Digest(algorithm, name: EngineLabels.askedDigest)
        let copy = Array(bytes)
        // A closure cannot carry the typed error of this toolchain's withUnsafeBytes, so the result crosses as a value.
        let result: Result<Void, SessionError> = copy.withUnsafeBytes { buffer in
            do throws(SessionError) {
                return .success(try digest.update(buffer))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return try digest.finalValue()
    }

    private static let failure = SessionError(.internal, EngineErrors.digestFailed)
}

@available(*, unavailable)
extension Digest: Sendable {}

extension Checksum.Algorithm {
    fileprivate var selector: cc_digest_algorithm {
        switch self {
        case .sha256: CC_DIGEST_SHA256
        case .sha512: CC_DIGEST_SHA512
        case .sha1: CC_DIGEST_SHA1
        case .md5: CC_DIGEST_MD5
        }
    }
}

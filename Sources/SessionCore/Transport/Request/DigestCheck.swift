import SessionSupport

/// A digest that a server announced, and the one of the bytes received so far.
///
/// Confined to the transfer loop, which hashes each chunk: only bodies that cannot be read back from a file have one.
final class DigestCheck {
    let announced: Checksum
    private var digest: Digest?
    private var found: [UInt8]?
    /// The bytes that are still to come; nil if unknown.
    private var missing: Int64?

    /// Creates a check of a body's bytes; nil for no digest, and for one that libcrypto refuses.
    ///
    /// - Parameter count: the body's length; nil if unknown.
    init?(_ announced: Checksum?, count: Int64? = nil) {
        guard let announced, let digest = try? Digest(announced.algorithm) else { return nil }
        (self.announced, self.digest, missing) = (announced, digest, count)
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        if let missing { self.missing = missing - Int64(bytes.count) }
        do throws(SessionError) { try digest?.update(bytes) } catch { digest = nil }
    }

    /// The error if all bytes together have another digest; nil too while some of a known number are missing.
    ///
    /// Of an unknown number it must be read when no byte follows.
    var error: SessionError? {
        guard missing ?? 0 == 0 else { return nil }
        if let digest {
            found = try? digest.finalValue()
            self.digest = nil
        }
        guard let found, found != announced.digest else { return nil }
        let message = ResponseErrors.announcedDigest(
            announced.algorithm.rawValue, found: ByteText.hexadecimal(found), ByteText.hexadecimal(announced.digest))
        return SessionError(.checksum, message)
    }
}

@available(*, unavailable)
extension DigestCheck: Sendable {}

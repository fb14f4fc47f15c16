import CCurl

/// Questions about certificates in DER that need the cryptography library.
enum Certificates {
    /// SHA-256 of a certificate's public key with its algorithm; nil when the bytes are not a certificate.
    static func keyDigest(of certificate: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: Int(CC_KEY_DIGEST_LENGTH))
        return cc_certificate_key_digest(certificate, certificate.count, &digest) ? digest : nil
    }

    /// The certificates from the first on that are each signed by the next.
    ///
    /// What a server shows beyond them proves nothing: anybody can show anybody's certificate.
    static func signedPath(of chain: [[UInt8]]) -> ArraySlice<[UInt8]> {
        let count = withList(chain) { cc_certificates_signed_count($0) }
        return chain.prefix(count)
    }

    /// Whether the first certificate is valid now and leads to one of the anchors.
    static func leads(_ chain: [[UInt8]], to anchors: [[UInt8]]) -> Bool {
        withList(chain) { list in withList(anchors) { cc_certificates_lead_to(list, $0) } }
    }

    private static func withList<Result>(_ list: [[UInt8]], _ body: (cc_certificates) -> Result) -> Result {
        let bytes = list.flatMap { $0 }
        let lengths = list.map(\.count)
        return bytes.withUnsafeBufferPointer { bytes in
            lengths.withUnsafeBufferPointer { lengths in
                body(cc_certificates(bytes: bytes.baseAddress, lengths: lengths.baseAddress, count: lengths.count))
            }
        }
    }
}

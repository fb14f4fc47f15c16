/// A hash function for the digests of a request's body (RFC 9530).
package enum BodyDigestAlgorithm: String, Sendable, CaseIterable {
    case sha256 = "sha-256"
    case sha512 = "sha-512"
}

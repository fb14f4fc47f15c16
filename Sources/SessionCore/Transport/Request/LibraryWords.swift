/// Messages of libcurl and OpenSSL for failures without a code.
enum LibraryWords {
    static let proxyHeadTooLong = "response too large"
    static let headTooLong = "Too large response headers"
    static let inChunks = "in chunked-encoding"
    static let outOfMemory = "Out of memory"
    /// Messages about bytes that are no record of TLS.
    static let plainAnswers = ["wrong version number", "http request", "packet length too long"]
    /// Of peers without a version of TLS in common.
    static let otherVersions = ["alert protocol version", "unsupported protocol", "no protocols available"]
    static let certificateRequired = "alert certificate required"
    /// Messages about a certificate that a server does not take (RFC 8446, 6.2).
    static let certificateRefusals = [
        "alert unknown ca", "alert bad certificate", "alert unsupported certificate", "alert certificate revoked",
        "alert certificate expired", "alert certificate unknown", "alert access denied",
    ]
}

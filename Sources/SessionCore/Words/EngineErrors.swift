/// Errors about lacking memory, descriptors and libraries.
enum EngineErrors {
    static let noURLMemory = "Out of memory for a URL"
    static let noHeaderMemory = "Out of memory for the request header"
    static let noOptionsMemory = "Out of memory for the request options"
    static let noTrustMemory = "Out of memory for the CA certificates"
    static let noSecureMemory = "Out of memory for the TLS connection"
    static let noStart = "Cannot start libcurl; memory may be short"
    static let noHandle = "Cannot make a libcurl handle; memory may be short"
    static let noDescriptor = "Out of file descriptors for the transfer loop"
    static let noInbox = "Transfer loop cannot watch its inbox"
    static func refused(_ reason: String) -> String { "libcurl refused a setting: \(reason)" }
    static func noThread(_ reason: String) -> String { "Cannot start a thread: \(reason)" }
    static func noDigest(_ name: String) -> String { "Digest \(name) is not offered by the system's OpenSSL" }
    static let digestFailed = "OpenSSL failed to compute a digest"
}

/// Names of features that a build of libcurl may lack.
enum EngineLabels {
    static let askedDigest = "asked for by the server"
    static let internationalNames = "international host names"
    static let asynchronousNames = "asynchronous DNS"
}

/// Certificates and credentials that are missing or not accepted.
enum TrustErrors {
    static func notTrusted(_ host: String) -> String { "Certificate of \(host) not trusted" }
    static func notTrusted(_ host: String, _ reason: String) -> String {
        "Certificate of \(host) not trusted: \(reason)"
    }
    static let emptyCAFile = "CA file contains no readable certificate"
    static let pinUnreadable = "A pinned certificate cannot be read; use DER or PEM"
    static func folderNotURL(_ url: String) -> String { "Certificate folder is not a file URL: \(url)" }
    static func folderUnreadable(_ path: String) -> String { "Cannot read folder \(path)" }
    static func certificateUnreadable(_ path: String) -> String { "\(path) contains no readable certificate" }

    // MARK: - Of the client

    static func clientCertificateRequired(_ host: String) -> String { "\(host) requires a client certificate" }
    static func clientCertificateRefused(_ host: String) -> String { "Client certificate refused by \(host)" }
    static let clientCertificateUnreadable = "Client certificate or key is unreadable, or the two do not match"
    static func passphraseMissing(_ host: String) -> String { "Client key for \(host) needs a passphrase" }
    static func passphraseWrong(_ host: String) -> String { "Wrong passphrase for the client key for \(host)" }
    static func noTicket(_ host: String, _ reason: String) -> String {
        "No Kerberos ticket for \(host) (see klist and kinit): \(reason)"
    }
}

/// Errors in a certificate, a ticket or a file of credentials.
enum TrustReasons {
    static let selfSigned = "self-signed"
    static let expired = "expired"
    static let notYetValid = "not valid yet"
    static func byClock(_ reason: String, _ date: String) -> String { "\(reason) (system date \(date))" }
    static let revoked = "revoked"
    static let namesNoHost = "no subjectAltName"
    static let otherHost = "host name mismatch"
    static let unknownIssuer = "unknown issuer"
    static let notPinned = "does not match any pin"
    static let noPins = "no pins are set"
    static let needsPins = "accepting invalid certificates needs pins"
    static let needsPinningMode = "pins are set, but no pinning mode"
    static func lacks(_ problem: String, _ need: String) -> String { "\(problem); \(need)" }
    static let keyNotPinned = "key does not match any pin"

    // MARK: - Kerberos

    static let outOfMemory = "out of memory"
    static let noGSSAPI = "libgssapi_krb5.so.2 missing; install libgssapi-krb5-2"
    static let noReason = "no reason given by GSS-API"

    // MARK: - .netrc

    static func netrcValue(_ word: String) -> String { "\"\(word)\" has no value" }
    static func netrcOrder(_ word: String) -> String { "\"\(word)\" comes before the first machine" }
    static let netrcWord = "unknown word, expected machine, login or password"
    static let netrcQuote = "a quotation mark is not closed on its line"
}

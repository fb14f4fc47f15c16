/// What protects the connection of an attempt, and who its server says it is.
public struct SecureConnection: Sendable, Equatable {
    /// The protocol, such as `TLSv1.3`.
    public var version: String
    /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`.
    public var cipher: String
    /// Whom the server's certificate names, as `CN=example.org,O=Example`; empty when it shows none.
    public var subject: String
    /// Who has signed the certificate.
    public var issuer: String
    /// When the certificate ends, in seconds since 1970; nil when it shows none.
    public var expiry: Int64?

    /// Facts of a connection.
    public init(version: String, cipher: String, subject: String = "", issuer: String = "", expiry: Int64? = nil) {
        self.version = version
        self.cipher = cipher
        self.subject = subject
        self.issuer = issuer
        self.expiry = expiry
    }
}

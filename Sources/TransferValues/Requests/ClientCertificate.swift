/// A certificate for a server that asks for one: the certificate, its private key and the key's password.
///
/// What cannot be read, or does not belong together, is a ``SessionError/Code/tls`` of the task that shows it.
///
/// ```swift
/// var options = RequestOptions()
/// options.clientCertificate = ClientCertificate(file: "me.pem", keyFile: "key.pem")
/// ```
public struct ClientCertificate: Sendable, Equatable {
    /// Where a certificate or a key is.
    package enum Source: Sendable, Equatable {
        /// The path of a file, which is read for each connection.
        case file(String)
        /// The bytes that such a file would have.
        case bytes([UInt8])
    }

    /// The form in which a certificate is kept.
    ///
    /// ```swift
    /// print(ClientCertificate(file: "me.p12", password: "secret", format: .pkcs12))
    /// ```
    public enum Format: String, Sendable, CaseIterable {
        /// Texts between `-----BEGIN` and `-----END` lines.
        case pem = "PEM"
        /// One file of certificate and key, `.p12` or `.pfx`.
        case pkcs12 = "P12"
    }

    /// The certificate, those that lead to its authority behind it.
    package var certificate: Source
    /// Its private key, in PEM form; nil where that is in the same place as the certificate.
    package var key: Source?
    /// The password of the key; nil for none.
    package var password: String?
    /// The form of the certificate.
    package var format: Format

    /// A certificate from files.
    public init(file: String, keyFile: String? = nil, password: String? = nil, format: Format = .pem) {
        (certificate, key) = (.file(file), keyFile.map { .file($0) })
        (self.password, self.format) = (password, format)
    }

    /// A certificate from bytes in memory.
    public init(bytes: [UInt8], keyBytes: [UInt8]? = nil, password: String? = nil, format: Format = .pem) {
        (certificate, key) = (.bytes(bytes), keyBytes.map { .bytes($0) })
        (self.password, self.format) = (password, format)
    }

    /// Where the key is.
    package var keySource: Source { key ?? certificate }
}

extension ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// Where it is: neither key nor password belongs on a screen.
    public var description: String {
        switch certificate {
        case .file(let path): RequestLabels.clientCertificate(path)
        case .bytes: RequestLabels.clientCertificate
        }
    }

    /// Nothing beside the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

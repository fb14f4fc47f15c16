/// A client certificate with its private key and the key's password.
///
/// A certificate that cannot be read, or does not match its key, fails its task with ``SessionError/Code/tls``.
///
/// ```swift
/// var options = RequestOptions()
/// options.clientCertificate = ClientCertificate(file: "me.pem", keyFile: "key.pem")
/// ```
public struct ClientCertificate: Sendable, Equatable {
    /// The source of a certificate or a key.
    package enum Source: Sendable, Equatable {
        /// The path of a file, which is read for each connection.
        case file(String)
        /// The bytes that such a file would have.
        case bytes([UInt8])
    }

    /// The file format of a certificate.
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

    /// The certificate, followed by its chain.
    package var certificate: Source
    /// Its private key, in PEM form; nil where the certificate's file contains it.
    package var key: Source?
    /// The password of the key; nil for none.
    package var password: String?
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

    package var keySource: Source { key ?? certificate }
}

extension ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// Names the file; neither key nor password belongs on a screen.
    public var description: String {
        switch certificate {
        case .file(let path): RequestLabels.clientCertificate(path)
        case .bytes: RequestLabels.clientCertificate
        }
    }

    /// Nothing beside the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

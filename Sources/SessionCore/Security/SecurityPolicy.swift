import CCurl
public import Foundation
import SessionSupport

/// The rules by which servers have to prove who they are.
///
/// A value that a session manager holds; the transport reads it whenever it connects. The default is the system's trust
/// with the host's name checked and nothing pinned.
///
/// ```swift
/// var policy = try SecurityPolicy(pinningMode: .certificate)
/// try policy.pin([Data(contentsOf: file)])
/// manager.securityPolicy = policy
/// ```
public struct SecurityPolicy: Sendable, Equatable, Codable {
    /// The part of a certificate that is compared with the pins.
    ///
    /// ```swift
    /// print(try SecurityPolicy(pinningMode: .publicKey).pinningMode == .publicKey)
    /// ```
    public enum PinningMode: Int, Sendable, Codable, CaseIterable {
        /// Pins nothing: the system's trust decides.
        case none = 0
        /// The public key of any certificate of the chain.
        case publicKey = 1
        /// Any certificate of the chain; the pins are then the only authorities.
        case certificate = 2
    }

    /// What is compared with the pins.
    public var pinningMode: PinningMode
    /// The pins, DER-encoded; change them with ``pin(_:)``.
    public private(set) var pinnedCertificates: Set<Data>
    /// Whether a chain the system does not trust is accepted when a pin matches.
    ///
    /// Without pins it accepts any server, and only when ``validatesDomainName`` is off too.
    public var allowsInvalidCertificates = false
    /// Whether the certificate has to name the host.
    ///
    /// Independent of pinning.
    public var validatesDomainName = true
    /// Digests of the pins' public keys.
    private var pinnedKeys: Set<[UInt8]>

    /// The strict policy without pins.
    package init() {
        pinningMode = .none
        pinnedCertificates = []
        pinnedKeys = []
    }

    /// A strict policy with pins, in DER or PEM form.
    ///
    /// Throws ``SessionError/Code/certificate`` for a pin that is not a certificate.
    public init(pinningMode: PinningMode, pinnedCertificates: Set<Data> = []) throws(SessionError) {
        self.init()
        self.pinningMode = pinningMode
        try pin(pinnedCertificates)
    }

    /// The strict policy without pins.
    public static var `default`: SecurityPolicy { SecurityPolicy() }

    /// Replaces the pins: certificates in DER form, or texts in PEM form with one or more.
    ///
    /// Throws ``SessionError/Code/certificate``, and changes nothing, when one of them is not a certificate.
    public mutating func pin(_ certificates: Set<Data>) throws(SessionError) {
        var keys: Set<[UInt8]> = []
        var pins: Set<Data> = []
        for text in certificates {
            let found = Self.certificates(in: text)
            let digests = found.map { Certificates.keyDigest(of: [UInt8]($0)) }
            guard !digests.isEmpty, !digests.contains(nil) else {
                throw SessionError(.certificate, TrustErrors.pinUnreadable)
            }
            pins.formUnion(found)
            keys.formUnion(digests.compactMap { $0 })
        }
        pinnedCertificates = pins
        pinnedKeys = keys
    }

    // MARK: - Evaluation

    /// Whether a server is who it has to be.
    ///
    /// A function of its arguments and of today's date alone. It never blocks.
    public func evaluate(_ trust: ServerTrust) -> Bool {
        guard !validatesDomainName || trust.namesHost else { return false }
        switch pinningMode {
        case .none:
            // Who accepts any certificate for a name that is checked believes to be safe and is not.
            if allowsInvalidCertificates { return !validatesDomainName }
            return trust.isTrustedBySystem
        case .publicKey:
            guard allowsInvalidCertificates || trust.isTrustedBySystem else { return false }
            return path(of: trust).contains { certificate in
                Certificates.keyDigest(of: certificate).map { pinnedKeys.contains($0) } ?? false
            }
        case .certificate:
            guard allowsInvalidCertificates || trust.isTrustedBySystem, !pinnedCertificates.isEmpty else {
                return false
            }
            // Only a path that ends in a pin is accepted, so that some certificate of it is pinned.
            return Certificates.leads(
                trust.certificates.map { [UInt8]($0) }, to: pinnedCertificates.map { [UInt8]($0) })
        }
    }

    /// The part of the chain that proves something.
    private func path(of trust: ServerTrust) -> ArraySlice<[UInt8]> {
        Certificates.signedPath(of: trust.certificates.map { [UInt8]($0) })
    }

    // MARK: - Coding

    private enum CodingKeys: String, CodingKey {
        case pinningMode, pinnedCertificates, allowsInvalidCertificates, validatesDomainName
    }

    /// Reads a policy; fails for a pin that is not a certificate.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            pinningMode: values.decode(PinningMode.self, forKey: .pinningMode),
            pinnedCertificates: values.decode(Set<Data>.self, forKey: .pinnedCertificates))
        allowsInvalidCertificates = try values.decode(Bool.self, forKey: .allowsInvalidCertificates)
        validatesDomainName = try values.decode(Bool.self, forKey: .validatesDomainName)
    }
}

/// Pins from files.
extension SecurityPolicy {
    /// The certificates in the files of a folder that end in `.cer`, `.der` or `.pem`, DER-encoded.
    ///
    /// Throws ``SessionError/Code/notFound`` for a folder that cannot be read, and for what is not a file URL, and ``SessionError/Code/certificate`` for
    /// a file without a certificate.
    public static func certificates(in folder: URL) throws(SessionError) -> Set<Data> {
        guard folder.isFileURL else {
            throw SessionError(.notFound, TrustErrors.folderNotURL(Redaction.url(folder.absoluteString)))
        }
        let files: [URL]
        do {
            files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        } catch {
            throw SessionError(.notFound, TrustErrors.folderUnreadable(folder.path))
        }
        var result: Set<Data> = []
        for file in files.sorted(by: { $0.path < $1.path }) {
            guard ["cer", "der", "pem"].contains(file.pathExtension.lowercased()) else { continue }
            let found = FileManager.default.contents(atPath: file.path).map(certificates(in:)) ?? []
            guard !found.isEmpty, found.allSatisfy({ Certificates.keyDigest(of: [UInt8]($0)) != nil }) else {
                throw SessionError(.certificate, TrustErrors.certificateUnreadable(file.path))
            }
            result.formUnion(found)
        }
        return result
    }

    /// The certificates of one file: as it is, or between the lines of the PEM form.
    ///
    /// A section that is cut off or no Base64 stays as an empty certificate, which nothing accepts.
    fileprivate static func certificates(in data: Data) -> [Data] {
        guard let text = String(data: data, encoding: .utf8), text.contains("-----BEGIN CERTIFICATE-----") else {
            return [data]
        }
        let sections = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        return sections.map { section in
            let parts = section.components(separatedBy: "-----END CERTIFICATE-----")
            guard parts.count > 1 else { return Data() }
            return Data(base64Encoded: parts[0], options: .ignoreUnknownCharacters) ?? Data()
        }
    }
}

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

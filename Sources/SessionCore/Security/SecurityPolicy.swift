import CCurl
public import Foundation
import SessionSupport

/// The rules for the certificates that servers must present.
///
/// A value that a session manager keeps; the transport reads it for each connection. The default is the system's trust,
/// with a check of the host's name and without pins.
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
        /// No pins: the system's trust decides.
        case none = 0
        /// Compares the public key of any certificate in the chain.
        case publicKey = 1
        /// Compares any certificate in the chain; the pins are then the only authorities.
        case certificate = 2
    }

    /// The part of a certificate that is compared with the pins.
    public var pinningMode: PinningMode
    /// The pins, DER-encoded; change them with ``pin(_:)``.
    public private(set) var pinnedCertificates: Set<Data>
    /// Accepts a chain that the system does not trust if a pin matches.
    ///
    /// With ``PinningMode/certificate`` the chain has to be valid now nevertheless, as in AFNetworking: an expired
    /// certificate passes only with ``PinningMode/publicKey``. With ``PinningMode/none`` pins do not count; any server
    /// passes then, and only when ``validatesDomainName`` is off too.
    public var allowsInvalidCertificates = false
    /// Requires that the certificate names the host.
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

    /// Returns whether a server's certificate satisfies the policy.
    ///
    /// Depends only on its arguments and today's date. It never blocks.
    public func evaluate(_ trust: ServerTrust) -> Bool {
        guard !validatesDomainName || trust.namesHost else { return false }
        switch pinningMode {
        case .none:
            // Accepting any certificate while checking its name would only look safe, so it is refused.
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
            // Only a path that ends in a pin is accepted, so one of its certificates is pinned.
            return Certificates.leads(
                trust.certificates.map { [UInt8]($0) }, to: pinnedCertificates.map { [UInt8]($0) })
        }
    }

    /// Returns why no pin accepts a chain, in words.
    func pinProblem(of chain: [[UInt8]]) -> String {
        guard !pinnedCertificates.isEmpty else { return TrustReasons.noPins }
        guard pinningMode == .certificate, chain.contains(where: { pinnedCertificates.contains(Data($0)) }) else {
            return TrustReasons.notPinned
        }
        // A pin matches, and only a chain that is valid now is accepted.
        let pins = pinnedCertificates.map { [UInt8]($0) }
        return CertificateProblem.words(Certificates.verification(of: chain, to: pins)) ?? TrustReasons.notPinned
    }

    /// Returns the certificates of the chain that are proven by signatures.
    private func path(of trust: ServerTrust) -> ArraySlice<[UInt8]> {
        Certificates.signedPath(of: trust.certificates.map { [UInt8]($0) })
    }

    // MARK: - Coding

    private enum CodingKeys: String, CodingKey {
        case pinningMode, pinnedCertificates, allowsInvalidCertificates, validatesDomainName
    }

    /// Decodes a policy; throws for a pin that is not a certificate.
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
    /// Returns the certificates in a folder's files that end in `.cer`, `.der` or `.pem`, DER-encoded.
    ///
    /// Throws ``SessionError/Code/notFound`` for an unreadable folder or a URL that is not a file's, and
    /// ``SessionError/Code/certificate`` for a file without a certificate.
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

    /// Returns the certificates of one file: its DER bytes, or the sections of the PEM form.
    ///
    /// A section that is truncated or not Base64 becomes an empty certificate, which every caller refuses.
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

/// Checks of DER certificates that need the cryptography library.
enum Certificates {
    /// Returns SHA-256 of a certificate's public key with its algorithm; nil if the bytes are not a certificate.
    static func keyDigest(of certificate: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: Int(CC_KEY_DIGEST_LENGTH))
        return cc_certificate_key_digest(certificate, certificate.count, &digest) ? digest : nil
    }

    /// Returns the certificates from the first on that are each signed by the next.
    ///
    /// Later certificates prove nothing: any server can send any certificate.
    static func signedPath(of chain: [[UInt8]]) -> ArraySlice<[UInt8]> {
        let count = withList(chain) { cc_certificates_signed_count($0) }
        return chain.prefix(count)
    }

    /// Returns whether the first certificate is valid now and leads to one of the anchors.
    static func leads(_ chain: [[UInt8]], to anchors: [[UInt8]]) -> Bool { verification(of: chain, to: anchors) == 0 }

    /// Returns OpenSSL's result of that verification.
    static func verification(of chain: [[UInt8]], to anchors: [[UInt8]]) -> Int {
        withList(chain) { list in withList(anchors) { cc_certificates_verification(list, $0) } }
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

import CCurl
import Glibc
import SessionSupport

/// A request's options, applied to the connection of one attempt.
///
/// A class, because attempt and handle share it, and nearly all attempts have none. Confined to the transfer loop.
final class ConnectionSettings {
    /// The proxy; nil for a direct connection.
    let proxy: Proxy?
    /// The request's options, which its attempts share.
    private let shared: SharedOptions
    /// Whether the attempt goes to the request's original server, not to the target of a redirect.
    let isOwnServer: Bool
    /// The certificate the caller has given for this server, which has requested one.
    var givenCertificate: ClientCertificate?
    /// The credentials for the proxy; nil for none, or for the ones libcurl sends by itself.
    var proxyAnswer: ProxyCredentials.Shown?
    /// Whether the caller would be asked for the proxy's credentials.
    var asksForProxy = false
    /// How many endpoints have already failed.
    private let turn: Int
    /// Where the connection goes instead of to the URL's server; nil for that.
    private let stead: (targets: [String], port: Int)?

    init(_ shared: SharedOptions, url: String, hasLeftOrigin: Bool, turn: Int) throws(SessionError) {
        self.shared = shared
        self.turn = turn
        isOwnServer = !hasLeftOrigin
        let options = shared.values
        // A Unix socket needs no proxy.
        let proxies = options.unixSocket == nil ? options.proxies : nil
        let server = try proxies == nil && options.connections.isEmpty ? nil : Origin(url)
        let proxy = server.flatMap { proxies?.proxy(for: $0) }
        stead = server.flatMap { options.stead(of: $0, resolvesElsewhere: proxy?.resolvesNames == true) }
        self.proxy = proxy
    }

    var options: RequestOptions { shared.values }
    /// Whether any certificate of the server is accepted.
    var acceptsAnyCertificate: Bool { isOwnServer && options.acceptsAnyCertificate }
    /// The certificate for a server that requests one.
    var clientCertificate: ClientCertificate? { givenCertificate ?? (isOwnServer ? options.clientCertificate : nil) }
    /// Whether the connection is a CONNECT tunnel of an HTTP proxy, which reports by itself whether it was made.
    func isTunnel(encrypted: Bool) -> Bool { encrypted && proxy?.readsRequests == true }

    /// Distinguishes connections with different rules in the pool; nil for the default ones.
    ///
    /// libcurl compares certificate files but no keys, and does not see the certificate authorities it is given.
    var poolKey: String? {
        let certificate = clientCertificate
        let words = [
            options.authorities?.file, options.authorities?.folder, certificate?.certificate.poolKey,
            certificate?.key?.poolKey, acceptsAnyCertificate ? "any" : nil, proxyAnswer?.poolKey,
        ]
        guard words.contains(where: { $0 != nil }) else { return nil }
        return words.map { $0 ?? "" }.joined(separator: "\n")
    }

    /// How many endpoints there are for the server.
    var endpointCount: Int { stead?.targets.count ?? 1 }

    /// The endpoint that stands in for the server, in the format of CURLOPT_CONNECT_TO; nil for the server itself.
    var endpoint: String? {
        // After the last one has failed it stays.
        stead.map { "::\($0.targets[min(turn, $0.targets.count - 1)]):\($0.port)" }
    }
}

/// Local failures, which another attempt does not change.
extension ConnectionSettings {
    /// Whether the failure lies with this machine's Unix socket or interface.
    func hasFailedHere(_ result: CURLcode) -> Bool {
        result == CURLE_INTERFACE_FAILED || (result == CURLE_COULDNT_CONNECT && options.unixSocket != nil)
    }

    /// Names the local socket, interface or file in an error from libcurl.
    ///
    /// May read the key's file.
    func describe(_ error: inout SessionError, _ result: CURLcode, host: String) {
        if result == CURLE_INTERFACE_FAILED {
            error.code = .invalidRequest
            error.message =
                options.interface.map(TransportErrors.interfaceUnknown) ?? TransportErrors.interfaceUnknown
        } else if hasFailedHere(result), let socket = options.unixSocket {
            error.message =
                switch error.errno {
                case ECONNREFUSED: TransportErrors.socketUnused(socket)
                case let number?: TransportErrors.socketFailed(socket, SystemWords.text(number))
                case nil: TransportErrors.socketFailed(socket)
                }
        } else if result == CURLE_COULDNT_RESOLVE_HOST, let service = options.transport.nameService {
            error.message = TransportErrors.hostUnknown(host, to: Origin.label(of: service))
        } else if result == CURLE_SSL_CERTPROBLEM, let certificate = clientCertificate, certificate.lacksPassword {
            error.message =
                certificate.password?.isEmpty ?? true
                ? TrustErrors.passphraseMissing(host) : TrustErrors.passphraseWrong(host)
            error.advice = .givePassphrase
        }
    }
}

extension EasyHandle {
    /// Applies the options for the connection.
    ///
    /// Called after trust was configured, because it overrides that where any certificate is accepted.
    func configure(_ settings: ConnectionSettings) throws(SessionError) {
        if let proxy = settings.proxy { try configure(proxy, settings) }
        let options = settings.options
        if let endpoint = settings.endpoint { try set(CURLOPT_CONNECT_TO, try StringList([endpoint])) }
        if let interface = options.interface { try set(CURLOPT_INTERFACE, interface, naming: SettingLabels.interface) }
        if let socket = options.unixSocket { try set(CURLOPT_UNIX_SOCKET_PATH, socket, naming: SettingLabels.socket) }
        switch options.addressFamily {
        case .ipv4: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .ipv6: try set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        case .any, nil: break
        }
        if !options.keyPins.isEmpty {
            try set(CURLOPT_PINNEDPUBLICKEY, options.keyPins.joined(separator: ";"), naming: SettingLabels.pins)
        }
        if let certificate = settings.clientCertificate {
            try set(certificate.certificate, CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB, naming: SettingLabels.certificate)
            try set(CURLOPT_SSLCERTTYPE, certificate.format.rawValue, naming: SettingLabels.certificateFormat)
            if certificate.format == .pem {
                try set(certificate.keySource, CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB, naming: SettingLabels.key)
            }
            // Without a password OpenSSL would ask on the terminal.
            try set(CURLOPT_KEYPASSWD, certificate.password ?? "", naming: SettingLabels.keyPassword)
        }
        try configure(options.transport)
        if settings.acceptsAnyCertificate {
            try set(CURLOPT_SSL_VERIFYPEER, 0)
            try set(CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    private func set(
        _ source: ClientCertificate.Source, _ file: CURLoption, _ blob: CURLoption, naming subject: String
    ) throws(SessionError) {
        switch source {
        case .file(let path): try set(file, path, naming: subject)
        case .bytes(let bytes):
            let result = bytes.withUnsafeBytes { cc_set_blob(raw, blob, $0.baseAddress, $0.count) }
            guard result == CURLE_OK else {
                throw SessionError(.invalidRequest, RequestErrors.other(subject), curlCode: Int(result.rawValue))
            }
        }
    }

    private func configure(_ proxy: Proxy, _ settings: ConnectionSettings) throws(SessionError) {
        try set(CURLOPT_PROXY, proxy.endpoint, naming: SettingLabels.proxy)
        // The exceptions are decided already; libcurl would otherwise read the environment.
        try set(CURLOPT_NOPROXY, "", naming: SettingLabels.proxyExceptions)
        // The head of the response to CONNECT does not come from the server; it is kept only for the proxy's challenge.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, settings.asksForProxy ? 0 : 1)
        // Fields for the proxy are sent to it alone; without this option all fields would go to both.
        try set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        if let answer = settings.proxyAnswer {
            let list = try StringList(["Proxy-Authorization: " + answer.field])
            return try set(CURLOPT_PROXYHEADER, list)
        }
        guard proxy.user != nil || proxy.password != nil else { return }
        try set(CURLOPT_PROXYUSERNAME, proxy.user ?? "", naming: SettingLabels.proxyUser)
        try set(CURLOPT_PROXYPASSWORD, proxy.password ?? "", naming: SettingLabels.proxyPassword)
    }

    private func set(_ option: CURLoption, _ text: String, naming subject: String) throws(SessionError) {
        let result = cc_set_string(raw, option, text)
        guard result == CURLE_OK else {
            throw SessionError(.invalidRequest, RequestErrors.other(subject), curlCode: Int(result.rawValue))
        }
    }

    private func set(_ option: CURLoption, _ value: Int) throws(SessionError) {
        try check(cc_set_long(raw, option, value))
    }
}

extension ClientCertificate {
    /// Whether its key is encrypted and the password does not open it.
    ///
    /// May read the key's file.
    fileprivate var lacksPassword: Bool {
        let isPKCS12 = format == .pkcs12
        return switch isPKCS12 ? certificate : keySource {
        case .file(let path):
            isPKCS12 ? cc_pkcs12_wants_password(path, password) : cc_key_wants_password(path, password)
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                isPKCS12
                    ? cc_pkcs12_bytes_want_password($0.baseAddress, $0.count, password)
                    : cc_key_bytes_want_password($0.baseAddress, $0.count, password)
            }
        }
    }
}

/// A list of texts in libcurl's format.
final class StringList {
    private(set) var raw: UnsafeMutablePointer<curl_slist>?

    init(_ texts: [String]) throws(SessionError) {
        for text in texts {
            guard let longer = curl_slist_append(raw, text) else {
                throw SessionError(.internal, EngineErrors.noOptionsMemory)
            }
            raw = longer
        }
    }

    deinit { curl_slist_free_all(raw) }
}

import SessionSupport

/// The options of a request beside its URL, method, fields and body: the route to its server, the authorities it
/// trusts, and credentials.
///
/// A session's options apply to each of its requests that leaves them unset. Secrets in them go only to the request's
/// own server, never to a redirect's target, and are never stored.
///
/// ```swift
/// var request = request
/// request.options = RequestOptions()
/// request.options?.timeLimit = 60
/// _ = try await manager.data(for: request)
/// ```
public struct RequestOptions: Sendable, Equatable {
    /// The proxies; nil for the session's, and none where that has none.
    public var proxies: ProxySettings?
    /// The hosts without a proxy, replacing the proxies' own list; nil for that list.
    ///
    /// It changes the session's proxies for one request.
    package var proxyExceptions: String?
    /// Replacements for the hosts that URLs name; the first match applies.
    package var connections: [ConnectionEndpoint]
    /// The local network interface, address or host name of connections.
    public var interface: String?
    /// The path of a Unix socket that replaces every server.
    public var unixSocket: String?
    /// The address family of connections; nil for the session's, and both where that has none.
    package var addressFamily: AddressFamily?
    /// The authorities to trust instead of the system's.
    public var authorities: AuthorityFiles?
    /// The certificate for a server that requests one.
    public var clientCertificate: ClientCertificate?
    /// Public keys of which the server's certificate must have one, each as `sha256//` and the digest of its
    /// SubjectPublicKeyInfo in Base64.
    ///
    /// They are checked in addition to everything else, also at the targets of redirects.
    public var keyPins: [String]
    /// Whether any certificate of the request's server is accepted: an attacker on the network can then read and change
    /// everything.
    ///
    /// Targets of redirects are still checked.
    public var acceptsAnyCertificate: Bool
    /// The credentials for the request's server.
    public var credentials: RequestCredentials?
    /// The scheme of credentials in a URL, also in a mirror's; nil for the scheme of ``credentials``, or Basic without
    /// them.
    package var urlScheme: RequestCredentials.Scheme?
    /// The credentials of other servers, which are used where a redirect leads to them; nil for none.
    package var hostCredentials: HostCredentials?
    /// How requests are signed with the credentials, which are then not sent; nil for no signature.
    ///
    /// Requests that a redirect sends to another server are not signed.
    package var signing: RequestSigning?
    /// The store of cookies; nil for none.
    public var cookies: (any CookieStore)?
    /// The most seconds from the first byte of a request, including repetitions but not pauses; nil for no limit.
    public var timeLimit: Double?
    /// The most seconds between the complete request and the response; nil, the default, for no limit.
    ///
    /// A longer wait fails the attempt with ``SessionError/Code/stalled``. Pauses do not count.
    public var answerTimeout: Double?
    /// Whether a request is repeated after the server has received its body without a response, where its method allows
    /// that.
    ///
    /// Otherwise it fails, because the server may have stored the body, and would store it again each time.
    public var repeatsUnansweredBodies: Bool
    /// The hash function of the digests that requests with a body announce (RFC 9530); nil for none.
    ///
    /// A body that can be read only once has no digest before it is sent, so such a request fails.
    package var bodyDigest: BodyDigestAlgorithm?
    /// The bytes of a part of an upload to an object store; nil for a number that suits the file.
    package var partSize: Int64?
    /// The most bytes of a response's body; nil for no limit.
    ///
    /// A larger announced length fails with ``SessionError/Code/bodyTooLarge`` before the first byte; without an
    /// announced length the body fails when it exceeds the limit, and what was written of it is removed.
    public var sizeLimit: Int64?
    /// The least speed of an attempt; nil for none, so that an occasional byte is enough.
    package var leastSpeed: LeastSpeed?
    /// Statuses that are retried in addition to 408, 425, 429 and most from 500 on.
    package var retriedStatuses: [ClosedRange<Int>] = []
    /// Statuses that are never retried, because the caller expects them.
    package var expectedStatuses: [ClosedRange<Int>] = []
    /// Whether a failed attempt is never retried, because the caller decides when to ask again.
    package var isTriedOnce = false
    /// Whether a redirect is the response, in place of the request that it leads to.
    package var keepsRedirects = false
    /// Whether a redirect from https to http is followed, without credentials and private fields.
    package var allowsPlainRedirects = false
    /// The most redirects that are followed in a row; nil for the engine's limit.
    package var redirectLimit: Int?
    /// What becomes of the method after a redirect.
    package var redirectMethods = RedirectMethods()
    /// The names of fields that are sent only if the request itself has them.
    package var withheldFields: [String] = []
    /// How connections are made below HTTP.
    package var transport = TransportTerms()

    /// Creates options without any set.
    public init() {
        (connections, keyPins, acceptsAnyCertificate, repeatsUnansweredBodies) = ([], [], false, false)
    }

    /// Whether they contain credentials or cookies.
    package var identifies: Bool {
        credentials != nil || urlScheme != nil || cookies != nil || hostCredentials != nil
    }

    /// Whether they may change the route to servers.
    package var leadsElsewhere: Bool {
        proxies != nil || !connections.isEmpty || interface != nil || unixSocket != nil || addressFamily != nil
            || transport.nameService != nil
    }

    /// Whether a request to a URL is signed for an object store.
    package func signsForStore(_ url: String) -> Bool {
        guard let signing, credentials != nil else { return false }
        if let service = signing.service { return service == "s3" }
        return URLScan(url).host.map { url[$0].hasPrefix("s3.") } ?? false
    }

    /// These options, completed with a session's.
    package func completed(by session: RequestOptions) -> RequestOptions {
        var result = self
        result.proxies = proxies ?? session.proxies
        if let exceptions = proxyExceptions ?? session.proxyExceptions { result.proxies?.exceptions = exceptions }
        if connections.isEmpty { result.connections = session.connections }
        result.interface = interface ?? session.interface
        result.unixSocket = unixSocket ?? session.unixSocket
        result.addressFamily = addressFamily ?? session.addressFamily
        result.authorities = authorities ?? session.authorities
        result.clientCertificate = clientCertificate ?? session.clientCertificate
        if keyPins.isEmpty { result.keyPins = session.keyPins }
        result.acceptsAnyCertificate = acceptsAnyCertificate || session.acceptsAnyCertificate
        result.credentials = credentials ?? session.credentials
        result.urlScheme = urlScheme ?? session.urlScheme
        result.hostCredentials = hostCredentials ?? session.hostCredentials
        result.signing = signing ?? session.signing
        result.cookies = cookies ?? session.cookies
        result.timeLimit = timeLimit ?? session.timeLimit
        result.answerTimeout = answerTimeout ?? session.answerTimeout
        result.repeatsUnansweredBodies = repeatsUnansweredBodies || session.repeatsUnansweredBodies
        result.bodyDigest = bodyDigest ?? session.bodyDigest
        result.partSize = partSize ?? session.partSize
        result.sizeLimit = sizeLimit ?? session.sizeLimit
        result.leastSpeed = leastSpeed ?? session.leastSpeed
        if retriedStatuses.isEmpty { result.retriedStatuses = session.retriedStatuses }
        if expectedStatuses.isEmpty { result.expectedStatuses = session.expectedStatuses }
        result.isTriedOnce = isTriedOnce || session.isTriedOnce
        result.keepsRedirects = keepsRedirects || session.keepsRedirects
        result.allowsPlainRedirects = allowsPlainRedirects || session.allowsPlainRedirects
        result.redirectLimit = redirectLimit ?? session.redirectLimit
        result.redirectMethods = redirectMethods.completed(by: session.redirectMethods)
        if withheldFields.isEmpty { result.withheldFields = session.withheldFields }
        result.transport = transport.completed(by: session.transport)
        return result
    }

    /// Compares two sets of options; cookie stores are equal when they are the same object.
    public static func == (left: RequestOptions, right: RequestOptions) -> Bool {
        left.proxies == right.proxies && left.proxyExceptions == right.proxyExceptions
            && left.connections == right.connections && left.interface == right.interface
            && left.unixSocket == right.unixSocket && left.addressFamily == right.addressFamily
            && left.authorities == right.authorities && left.clientCertificate == right.clientCertificate
            && left.keyPins == right.keyPins && left.acceptsAnyCertificate == right.acceptsAnyCertificate
            && left.credentials == right.credentials && left.urlScheme == right.urlScheme
            && left.hostCredentials == right.hostCredentials
            && left.signing == right.signing && left.cookies === right.cookies
            && left.timeLimit == right.timeLimit && left.sizeLimit == right.sizeLimit
            && left.answerTimeout == right.answerTimeout
            && left.repeatsUnansweredBodies == right.repeatsUnansweredBodies && left.bodyDigest == right.bodyDigest
            && left.partSize == right.partSize
            && left.leastSpeed == right.leastSpeed && left.retriedStatuses == right.retriedStatuses
            && left.expectedStatuses == right.expectedStatuses && left.isTriedOnce == right.isTriedOnce
            && left.allowsPlainRedirects == right.allowsPlainRedirects
            && left.keepsRedirects == right.keepsRedirects && left.redirectLimit == right.redirectLimit
            && left.redirectMethods == right.redirectMethods
            && left.withheldFields == right.withheldFields && left.transport == right.transport
    }
}

/// A minimum speed, and the time below it after which an attempt counts as stalled.
///
/// Pauses do not count.
package struct LeastSpeed: Sendable, Equatable {
    /// Bytes per second, in both directions together.
    package var bytesPerSecond: Int64
    /// Seconds over which the speed is measured.
    package var seconds: Double

    package init(bytesPerSecond: Int64, seconds: Double = 30) {
        (self.bytesPerSecond, self.seconds) = (bytesPerSecond, seconds)
    }
}

/// The family of addresses for connections.
package enum AddressFamily: Int, Sendable {
    /// Both, also in a session of one.
    case any = 0
    /// Addresses of four bytes.
    case ipv4 = 4
    /// Addresses of sixteen bytes.
    case ipv6 = 6
}

/// A replacement for the host that a URL names.
///
/// Certificates, fields and cookies stay the ones of the URL's host.
package struct ConnectionEndpoint: Sendable, Equatable {
    /// The URL's host; empty for every one.
    package var host: String
    /// The URL's port; nil for every one.
    package var port: Int?
    /// The host or address to connect to, IPv6 in brackets; empty for the URL's own.
    package var target: String
    /// The port to connect to; nil for the URL's own.
    package var targetPort: Int?
    /// Whether it only replaces name resolution: a proxy that resolves names itself does not get it.
    package var isAddressOnly: Bool
    /// Further hosts or addresses, tried in order when a connection to the ones before fails.
    package var furtherTargets: [String]

    package init(
        host: String, port: Int?, target: String, targetPort: Int? = nil, isAddressOnly: Bool = false,
        furtherTargets: [String] = []
    ) {
        (self.host, self.port, self.target, self.targetPort) = (host, port, target, targetPort)
        (self.isAddressOnly, self.furtherTargets) = (isAddressOnly, furtherTargets)
    }
}

/// The files of the certificate authorities that a request trusts.
///
/// ```swift
/// var options = RequestOptions()
/// options.authorities = AuthorityFiles(file: "authority.pem")
/// ```
public struct AuthorityFiles: Sendable, Equatable, Hashable {
    /// A file of certificates in PEM form.
    package var file: String?
    /// A folder of such files with hashed names, as `openssl rehash` makes them.
    package var folder: String?

    /// Creates authorities from a file, a folder or both.
    public init(file: String? = nil, folder: String? = nil) { (self.file, self.folder) = (file, folder) }
}

/// A name and a password for the server of a request.
///
/// ```swift
/// var options = RequestOptions()
/// options.credentials = RequestCredentials(user: "name", password: "password", scheme: .digest)
/// ```
public struct RequestCredentials: Sendable, Equatable {
    /// The authentication scheme.
    ///
    /// ```swift
    /// print(RequestCredentials.Scheme.allCases.map(\.rawValue))
    /// ```
    public enum Scheme: String, Sendable, CaseIterable {
        /// Sent at once, and readable on the connection; a server that requests Digest gets Digest.
        case basic
        /// Sent on request, and never in clear text.
        case digest
        /// Sent on request, with a Kerberos ticket of the process's user (RFC 4559); name and password are ignored. See
        /// ``negotiate``.
        case negotiate
        /// Sent on request by NTLM, in several messages on one connection; the name may be `DOMAIN\user`.
        ///
        /// It needs a libcurl that was built with NTLM.
        case ntlm
        /// Sent on request, as Digest to a server that offers it, otherwise as Basic.
        case any
    }

    /// The Kerberos ticket of the process's user, as `kinit` gets it.
    ///
    /// It needs the GSS-API library, which Debian's libcurl depends on.
    public static let negotiate = RequestCredentials(user: "", password: "", scheme: .negotiate)

    package var user: String
    package var password: String
    package var scheme: Scheme

    /// Creates credentials.
    public init(user: String, password: String, scheme: Scheme = .basic) {
        (self.user, self.password, self.scheme) = (user, password, scheme)
    }
}

extension RequestCredentials {
    /// The percent-decoded credentials in a URL; nil without a name.
    ///
    /// A missing password is empty.
    package init?(url: String) {
        guard let (user, password) = Self.named(in: url) else { return nil }
        self.init(user: user, password: password ?? "")
    }

    /// The name and the password in a URL; the latter is nil when the URL has only a name.
    package static func named(in url: String) -> (user: String, password: String?)? {
        guard ByteText.contains(UInt8(ascii: "@"), in: url), let info = URLScan(url).userInfo.map({ url[$0] }) else {
            return nil
        }
        let parts = info.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: ByteText.percentDecoded($0), as: UTF8.self) }
        guard let user = parts.first, info != "" else { return nil }
        return (user, parts.count > 1 ? parts[1] : nil)
    }
}

extension RequestCredentials: CustomStringConvertible, CustomReflectable {
    /// The scheme alone: neither name nor password belongs on a screen.
    public var description: String { RequestLabels.credentials(scheme.rawValue) }

    /// Nothing beside the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// How requests are signed: AWS Signature Version 4, which other object stores have adopted.
///
/// The name and the password of ``RequestOptions/credentials`` are the two keys.
package struct RequestSigning: Sendable, Equatable {
    /// The first word of the signature's name, `aws`.
    package var provider: String
    /// The word in the names of its fields, `amz`.
    package var vendor: String
    /// The region, such as `us-east-1`; nil to derive it from the host's name.
    package var region: String?
    /// The service, such as `s3`; nil to derive it from the host's name.
    package var service: String?

    package init(provider: String = "aws", vendor: String = "amz", region: String? = nil, service: String? = nil) {
        (self.provider, self.vendor, self.region, self.service) = (provider, vendor, region, service)
    }
}

/// Stores the cookies of responses and sends them back.
///
/// Called on the transfers' thread for each request and response, so it must return at once.
///
/// ```swift
/// final class OneCookie: CookieStore {
///     func field(for url: String) -> String? { "theme=dark" }
///     func store(_ fields: [String], from url: String) {}
/// }
/// var options = RequestOptions()
/// options.cookies = OneCookie()
/// ```
public protocol CookieStore: AnyObject, Sendable {
    /// The value of the `Cookie` field for a request; nil for none.
    func field(for url: String) -> String?
    /// Stores the `Set-Cookie` fields of a response.
    func store(_ fields: [String], from url: String)
}

/// Shares options by reference, because most requests have none and lists share theirs.
package final class SharedOptions: Sendable, Equatable {
    package let values: RequestOptions
    // Read three times per transfer: computing it each time took 1,800 of a small file's 213,000 instructions.
    /// See ``RequestOptions/identifies``.
    package let identifies: Bool
    /// See ``RequestOptions/leadsElsewhere``.
    package let leadsElsewhere: Bool
    /// See ``TransportTerms/shapesPlainConnections``.
    package let shapesPlainConnections: Bool

    package init(_ values: RequestOptions) {
        self.values = values
        identifies = values.identifies
        leadsElsewhere = values.leadsElsewhere
        shapesPlainConnections = values.transport.shapesPlainConnections
    }

    package static func == (left: SharedOptions, right: SharedOptions) -> Bool {
        left === right || left.values == right.values
    }
}

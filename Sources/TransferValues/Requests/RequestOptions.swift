import SessionSupport

/// The options of a request beside its URL, method, fields and body: the route to its server, the authorities it
/// trusts, and who asks.
///
/// Those of a session hold for each of its requests that says nothing of its own about the same matter. Secrets in them
/// are shown to the server of the request alone, never to one that a redirect leads to, and are never stored.
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
    /// The hosts that are reached without a proxy, in the place of those that the proxies have; nil for theirs.
    ///
    /// It changes the session's proxies for one request.
    package var proxyExceptions: String?
    /// Places that are connected to instead of those that URLs name; the first that fits counts.
    package var connections: [ConnectionEndpoint]
    /// The network interface, address or host name of this machine that connections begin at.
    public var interface: String?
    /// The path of a socket of this machine that stands for every server.
    public var unixSocket: String?
    /// The kind of addresses that are connected to; nil for both.
    package var addressFamily: AddressFamily?
    /// Whom to believe instead of the system's authorities.
    public var authorities: AuthorityFiles?
    /// What this side shows to a server that asks for a certificate.
    public var clientCertificate: ClientCertificate?
    /// Public keys of which the server's certificate has to have one, each as `sha256//` and the digest of its
    /// SubjectPublicKeyInfo in Base64.
    ///
    /// They are checked beside everything else, at every server that the request is led to.
    public var keyPins: [String]
    /// Whether the server of the request is believed whatever certificate it shows: anybody on the way can then read and
    /// change everything.
    ///
    /// Servers that a redirect leads to are checked.
    public var acceptsAnyCertificate: Bool
    /// The name and the password for the server of the request.
    public var credentials: RequestCredentials?
    /// How a name and a password are shown that stand in a URL, also in that of a mirror; nil for the scheme of
    /// ``credentials``, and for Basic without those.
    package var urlScheme: RequestCredentials.Scheme?
    /// How requests are signed with the name and the password, which are then shown to nobody; nil for not at all.
    ///
    /// Requests that a redirect sends to another server are not signed.
    package var signing: RequestSigning?
    /// What keeps cookies and sends them back; nil for nobody.
    public var cookies: (any CookieStore)?
    /// The most seconds from the first byte of a request on, repetitions included and pauses not; nil for no limit.
    public var timeLimit: Double?
    /// The most seconds for which an answer is waited for once the server has the whole request; nil, the default, for as
    /// long as it takes.
    ///
    /// An attempt that has waited longer ends as ``SessionError/Code/stalled``. Pauses do not count.
    public var answerTimeout: Double?
    /// Whether a request is repeated by itself whose body the server has taken and not answered, where its method allows that.
    ///
    /// Otherwise it fails, because the server may have stored what it got, and would store it again each time.
    public var repeatsUnansweredBodies: Bool
    /// The most bytes that the body of an answer may have; nil for no limit.
    ///
    /// One that announces more fails with ``SessionError/Code/bodyTooLarge`` before a byte of it is taken; one that
    /// announces nothing fails when it has gone beyond, and what was written of it is removed.
    public var sizeLimit: Int64?
    /// The least speed of an attempt; nil for none, so that any byte from time to time is enough.
    package var leastSpeed: LeastSpeed?
    /// Statuses after which a request is sent again too, besides 408, 425, 429 and most from 500 on.
    package var retriedStatuses: [ClosedRange<Int>] = []

    /// Options of which none is set.
    public init() {
        (connections, keyPins, acceptsAnyCertificate, repeatsUnansweredBodies) = ([], [], false, false)
    }

    /// Whether they say who asks.
    package var identifies: Bool { credentials != nil || urlScheme != nil || cookies != nil }

    /// Whether they may say by which way servers are reached.
    package var leadsElsewhere: Bool {
        proxies != nil || !connections.isEmpty || interface != nil || unixSocket != nil || addressFamily != nil
    }

    /// These options, with those of a session where they say nothing.
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
        result.signing = signing ?? session.signing
        result.cookies = cookies ?? session.cookies
        result.timeLimit = timeLimit ?? session.timeLimit
        result.answerTimeout = answerTimeout ?? session.answerTimeout
        result.repeatsUnansweredBodies = repeatsUnansweredBodies || session.repeatsUnansweredBodies
        result.sizeLimit = sizeLimit ?? session.sizeLimit
        result.leastSpeed = leastSpeed ?? session.leastSpeed
        if retriedStatuses.isEmpty { result.retriedStatuses = session.retriedStatuses }
        return result
    }

    /// Whether two sets of options say the same, cookies kept in the same place included.
    public static func == (left: RequestOptions, right: RequestOptions) -> Bool {
        left.proxies == right.proxies && left.proxyExceptions == right.proxyExceptions
            && left.connections == right.connections && left.interface == right.interface
            && left.unixSocket == right.unixSocket && left.addressFamily == right.addressFamily
            && left.authorities == right.authorities && left.clientCertificate == right.clientCertificate
            && left.keyPins == right.keyPins && left.acceptsAnyCertificate == right.acceptsAnyCertificate
            && left.credentials == right.credentials && left.urlScheme == right.urlScheme
            && left.signing == right.signing && left.cookies === right.cookies
            && left.timeLimit == right.timeLimit && left.sizeLimit == right.sizeLimit
            && left.answerTimeout == right.answerTimeout
            && left.repeatsUnansweredBodies == right.repeatsUnansweredBodies
            && left.leastSpeed == right.leastSpeed && left.retriedStatuses == right.retriedStatuses
    }
}

/// A speed, and for how long an attempt may be slower than that before it counts as stalled.
///
/// Time in which the transfer is paused does not count.
package struct LeastSpeed: Sendable, Equatable {
    /// Bytes a second, in both directions together.
    package var bytesPerSecond: Int64
    /// Seconds over which the speed is looked at.
    package var seconds: Double

    /// A speed over a time.
    package init(bytesPerSecond: Int64, seconds: Double = 30) {
        (self.bytesPerSecond, self.seconds) = (bytesPerSecond, seconds)
    }
}

/// The kind of addresses that are connected to.
package enum AddressFamily: Int, Sendable {
    /// Addresses of four bytes.
    case ipv4 = 4
    /// Addresses of sixteen bytes.
    case ipv6 = 6
}

/// A place that is connected to instead of the one that a URL names.
///
/// Certificates, fields and cookies stay those of the URL's host.
package struct ConnectionEndpoint: Sendable, Equatable {
    /// The URL's host; empty for every one.
    package var host: String
    /// The URL's port; nil for every one.
    package var port: Int?
    /// The host or address that is connected to, IPv6 in brackets; empty for the URL's own.
    package var target: String
    /// The port that is connected to; nil for the URL's own.
    package var targetPort: Int?
    /// Whether it answers the question where a name is found: a proxy that looks names up by itself is not told.
    package var isAddressOnly: Bool
    /// Further hosts or addresses, which are tried in their order where no connection to those before can be made.
    package var furtherTargets: [String]

    /// A place in the stead of another one.
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

    /// Authorities from a file, a folder or both.
    public init(file: String? = nil, folder: String? = nil) { (self.file, self.folder) = (file, folder) }
}

/// A name and a password for the server of a request.
///
/// ```swift
/// var options = RequestOptions()
/// options.credentials = RequestCredentials(user: "name", password: "password", scheme: .digest)
/// ```
public struct RequestCredentials: Sendable, Equatable {
    /// The scheme by which a name and password are shown.
    ///
    /// ```swift
    /// print(RequestCredentials.Scheme.allCases.map(\.rawValue))
    /// ```
    public enum Scheme: String, Sendable, CaseIterable {
        /// At once, readable for whoever reads the connection; a server that asks for Digest gets that.
        case basic
        /// When the server asks, and never in clear.
        case digest
        /// When the server asks, by a Kerberos ticket of the process's user (RFC 4559); name and password are not looked
        /// at. See ``negotiate``.
        case negotiate
    }

    /// The Kerberos ticket that the process's user has, as `kinit` gets it.
    ///
    /// Its use needs the library of GSS-API, which Debian's libcurl brings along.
    public static let negotiate = RequestCredentials(user: "", password: "", scheme: .negotiate)

    /// The name.
    package var user: String
    /// The password.
    package var password: String
    /// The way in which they are shown.
    package var scheme: Scheme

    /// A name and a password.
    public init(user: String, password: String, scheme: Scheme = .basic) {
        (self.user, self.password, self.scheme) = (user, password, scheme)
    }
}

extension RequestCredentials {
    /// The name and the password that a URL has in front of its host, without their percent signs; nil without a name.
    ///
    /// A password that the URL leaves out is empty.
    package init?(url: String) {
        guard let (user, password) = Self.named(in: url) else { return nil }
        self.init(user: user, password: password ?? "")
    }

    /// The name and the password in a URL; the latter is nil where there is only a name.
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

/// How requests are signed: the way of Amazon's services, which other stores of objects have taken over (AWS Signature
/// Version 4).
///
/// The name and the password of ``RequestOptions/credentials`` are the two keys.
package struct RequestSigning: Sendable, Equatable {
    /// The first word of the signature's name, `aws`.
    package var provider: String
    /// The word in the names of its fields, `amz`.
    package var vendor: String
    /// The region, such as `us-east-1`; nil for what the host's name says.
    package var region: String?
    /// The service, such as `s3`; nil for what the host's name says.
    package var service: String?

    /// A way of signing.
    package init(provider: String = "aws", vendor: String = "amz", region: String? = nil, service: String? = nil) {
        (self.provider, self.vendor, self.region, self.service) = (provider, vendor, region, service)
    }
}

/// A store that keeps the cookies of answers and sends them back.
///
/// Asked on the thread of the transfers for each request and each answer, so it returns at once.
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
    /// Keeps what the `Set-Cookie` fields of an answer say.
    func store(_ fields: [String], from url: String)
}

/// Options behind a reference, because most requests have none and lists share those that they have.
package final class SharedOptions: Sendable, Equatable {
    package let values: RequestOptions
    // Asked three times for each transfer: to find it out anew took 1,800 instructions of a small file's 213,000.
    /// See ``RequestOptions/identifies``.
    package let identifies: Bool
    /// See ``RequestOptions/leadsElsewhere``.
    package let leadsElsewhere: Bool

    package init(_ values: RequestOptions) {
        self.values = values
        identifies = values.identifies
        leadsElsewhere = values.leadsElsewhere
    }

    package static func == (left: SharedOptions, right: SharedOptions) -> Bool {
        left === right || left.values == right.values
    }
}

/// The times of the last attempt of a transfer.
///
/// Durations are seconds from the attempt's start; zero where a step did not take place, as on a reused connection.
///
/// ```swift
/// manager.onMetrics = { task, metrics in print(task.id, metrics.firstByte, metrics.total) }
/// ```
public struct TransferMetrics: Sendable, Equatable {
    /// Seconds until the name was resolved.
    public var nameLookup: Double = 0
    /// Seconds until the connection was established.
    public var connect: Double = 0
    /// Seconds until the TLS handshake was complete.
    public var secureConnect: Double = 0
    /// Seconds until the request was sent.
    public var requestSent: Double = 0
    /// Seconds until the first byte of the response.
    public var firstByte: Double = 0
    /// The attempt's whole length.
    public var total: Double = 0
    /// When the attempt that is under way began, in milliseconds of the monotonic clock; nil while there is none.
    ///
    /// ``total`` is known at moments only: when the response began, at a pause, and at the attempt's end.
    package var attemptStartedAt: Int64?
    /// When the first attempt of this process began, in milliseconds of the monotonic clock; nil before.
    public private(set) var startedAt: Int64?
    /// How many redirects were followed before it.
    public var redirects: Int = 0
    /// Whether an existing connection was used.
    public var reusedConnection: Bool = false
    /// The peer's address and port, as text.
    public var peer: String = ""
    /// The local address and port, as text.
    package var localAddress: String = ""
    /// Version of HTTP of the response.
    public var version: HTTPVersion?
    /// The fields of the attempt's request as they were sent, all but `Host`; a mask stands for the value of a secret
    /// one.
    public var requestHeaders: HeaderFields = [:]
    /// What few transfers have; nil while it is empty.
    private var particulars: TransferParticulars?

    /// Creates metrics without figures.
    package init() {}

    /// Whole lengths of the attempts before it that failed and were tried again, oldest first.
    ///
    /// The latest twenty are kept.
    package var earlierAttempts: [Double] {
        get { particulars?.earlierAttempts ?? [] }
        set { change { $0.earlierAttempts = newValue } }
    }

    /// What protects the connection; nil for one that nothing does.
    public var secureConnection: SecureConnection? {
        get { particulars?.secureConnection }
        set { change { $0.secureConnection = newValue } }
    }

    /// The answers before the final one, oldest first.
    ///
    /// They are interim (1xx) ones, redirects that were followed, and those that asked for credentials. Of the interim
    /// ones of a response the first ten are kept, and of all heads the latest hundred.
    package var earlierHeads: [ResponseHead] {
        get { particulars?.earlierHeads ?? [] }
        set { change { $0.earlierHeads = newValue } }
    }

    /// Adds answers; a server decides how many there are.
    package mutating func recordEarlier(_ heads: [ResponseHead]) { earlierHeads = (earlierHeads + heads).suffix(100) }

    private mutating func change(_ body: (inout TransferParticulars.Values) -> Void) {
        var values = particulars?.values ?? TransferParticulars.Values()
        body(&values)
        particulars = values == TransferParticulars.Values() ? nil : TransferParticulars(values)
    }

    /// Resets the figures for an attempt that begins.
    package mutating func beginAttempt(at time: Int64) {
        nameLookup = 0
        connect = 0
        secureConnect = 0
        requestSent = 0
        firstByte = 0
        total = 0
        attemptStartedAt = time
        startedAt = startedAt ?? time
    }

    /// Records the time of an attempt that has failed and is followed by another.
    package mutating func recordFailedAttempt() { earlierAttempts = earlierAttempts.suffix(19) + [total] }
}

/// The part of a transfer's metrics that most transfers do not have, behind one pointer: metrics are copied for each.
private final class TransferParticulars: Sendable, Equatable {
    /// What there is.
    struct Values: Sendable, Equatable {
        var earlierAttempts: [Double] = []
        var secureConnection: SecureConnection?
        var earlierHeads: [ResponseHead] = []
    }

    let values: Values

    init(_ values: Values) {
        self.values = values
    }

    var earlierAttempts: [Double] { values.earlierAttempts }
    var secureConnection: SecureConnection? { values.secureConnection }
    var earlierHeads: [ResponseHead] { values.earlierHeads }

    static func == (left: TransferParticulars, right: TransferParticulars) -> Bool {
        left === right || left.values == right.values
    }
}

/// The protection of an attempt's connection, and who its server says it is.
///
/// ```swift
/// if let connection = task.metrics.secureConnection { print(connection.version, connection.issuer) }
/// ```
public struct SecureConnection: Sendable, Equatable {
    /// The protocol, such as `TLSv1.3`.
    public var version: String
    /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`.
    public var cipher: String
    /// Whom the server's certificate names, as `CN=example.org,O=Example`; empty when it shows none.
    public var subject: String
    /// The name of the certificate's issuer.
    public var issuer: String
    /// When the certificate ends, in seconds since 1970; nil when it shows none.
    public var expiry: Int64?

    /// Facts of a connection.
    package init(version: String, cipher: String, subject: String = "", issuer: String = "", expiry: Int64? = nil) {
        self.version = version
        self.cipher = cipher
        self.subject = subject
        self.issuer = issuer
        self.expiry = expiry
    }
}

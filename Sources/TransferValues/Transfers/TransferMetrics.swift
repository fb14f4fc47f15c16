/// The times of the last attempt of a transfer.
///
/// Durations are seconds from the attempt's start; zero for a skipped step, as on a reused connection.
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
    /// The attempt's duration.
    public var total: Double = 0
    /// The start of the current attempt, moved by its pauses, in milliseconds of the monotonic clock; nil between
    /// attempts.
    ///
    /// ``total`` is updated only when the response begins, at a pause, and at the attempt's end.
    package var attemptStartedAt: Int64?
    /// The start of this process's first attempt in milliseconds of the monotonic clock; nil before.
    public private(set) var startedAt: Int64?
    /// The start moved by the pauses since then and the waits for a slot after them, so that the time from it to `end`
    /// is active time; nil before the first attempt.
    package func activeStart(endingAt end: Int64) -> Int64? {
        guard let startedAt, let pauses = particulars?.values.pauses else { return startedAt }
        return startedAt + pauses.total + (pauses.since.map { max(end - $0, 0) } ?? 0)
    }

    /// When the present pause began; nil while the task is active.
    package var pausedSince: Int64? { particulars?.values.pauses.since }

    /// Stops or starts the count of active time; the start of an attempt that goes on moves by its pause.
    package mutating func keepTime(isStopped: Bool, at time: Int64) {
        guard startedAt != nil else { return }
        let since = pausedSince
        guard (since != nil) != isStopped else { return }
        change { values in
            if let since { values.pauses.total += max(time - since, 0) }
            values.pauses.since = isStopped ? time : nil
        }
        if let since { attemptStartedAt = attemptStartedAt.map { $0 + max(time - max(since, $0), 0) } }
    }

    /// The number of redirects that were followed before it.
    public var redirects: Int = 0
    /// Whether an existing connection was used.
    public var reusedConnection: Bool = false
    /// The peer's address and port, as text.
    public var peer: String = ""
    /// The local address and port, as text.
    package var localAddress: String = ""
    /// The HTTP version of the response.
    public var version: HTTPVersion?
    /// The header fields of the attempt's request as sent, except `Host`; secret values are masked.
    public var requestHeaders: HeaderFields = [:]
    /// Data that few transfers have; nil while it is empty.
    private var particulars: TransferParticulars?

    package init() {}

    /// Durations of the failed attempts before it, oldest first.
    ///
    /// The latest twenty are kept.
    package var earlierAttempts: [Double] {
        get { particulars?.earlierAttempts ?? [] }
        set { change { $0.earlierAttempts = newValue } }
    }

    /// The TLS connection; nil for an unprotected one.
    public var secureConnection: SecureConnection? {
        get { particulars?.secureConnection }
        set { change { $0.secureConnection = newValue } }
    }

    /// The responses before the final one, oldest first.
    ///
    /// They are interim (1xx) responses, followed redirects, and requests for credentials. The first ten interim
    /// responses per response are kept, and the latest hundred of all.
    package var earlierHeads: [ResponseHead] {
        get { particulars?.earlierHeads ?? [] }
        set { change { $0.earlierHeads = newValue } }
    }

    /// Adds responses, bounded because the server decides their number.
    package mutating func recordEarlier(_ heads: [ResponseHead]) { earlierHeads = (earlierHeads + heads).suffix(100) }

    private mutating func change(_ body: (inout TransferParticulars.Values) -> Void) {
        var values = particulars?.values ?? TransferParticulars.Values()
        body(&values)
        particulars = values == TransferParticulars.Values() ? nil : TransferParticulars(values)
    }

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

    package mutating func recordFailedAttempt() { earlierAttempts = earlierAttempts.suffix(19) + [total] }
}

/// The part of the metrics that most transfers lack, in one pointer: metrics are copied for each.
private final class TransferParticulars: Sendable, Equatable {
    struct Values: Sendable, Equatable {
        var earlierAttempts: [Double] = []
        var secureConnection: SecureConnection?
        var earlierHeads: [ResponseHead] = []
        var pauses = Pauses()
    }

    /// Milliseconds of the ended pauses, and the beginning of the present one.
    struct Pauses: Sendable, Equatable {
        var total: Int64 = 0
        var since: Int64?
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

/// The TLS facts of an attempt's connection, and its server's certificate.
///
/// ```swift
/// if let connection = task.metrics.secureConnection { print(connection.version, connection.issuer) }
/// ```
public struct SecureConnection: Sendable, Equatable {
    /// The protocol, such as `TLSv1.3`.
    public var version: String
    /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`.
    public var cipher: String
    /// The certificate's subject, as `CN=example.org,O=Example`; empty without a certificate.
    public var subject: String
    /// The name of the certificate's issuer.
    public var issuer: String
    /// The certificate's expiry in seconds since 1970; nil without a certificate.
    public var expiry: Int64?

    package init(version: String, cipher: String, subject: String = "", issuer: String = "", expiry: Int64? = nil) {
        self.version = version
        self.cipher = cipher
        self.subject = subject
        self.issuer = issuer
        self.expiry = expiry
    }
}

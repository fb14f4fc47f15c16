import SessionSupport

/// Whether a failed attempt is followed by another, and when.
struct RetryPolicy: Sendable, Equatable {
    /// Further attempts in a row without a byte of progress before a transfer fails; with none an attempt that made
    /// progress is not followed by another either.
    var maximumRetries: Int
    /// Milliseconds for which a server that is away is waited for, however many tries that takes.
    var outagePatience: Int64 = 0
    /// Milliseconds for which a network that is gone is waited for; nil for as long as it takes.
    var networkPatience: Int64?
    /// Milliseconds after a transfer's first failure in a row after which no try begins; nil for no such limit.
    var timeLimit: Int64?

    /// Further attempts for a server that was never reached, where one that is away is waited for: most often its name or its
    /// port is wrong, and a user waits to hear so.
    private static let firstContactRetries = 2
    /// The longest wait that back-off alone leads to, in milliseconds.
    private static let longestDelay: Double = 60_000
    /// The first wait of back-off, in milliseconds; it doubles with each attempt.
    static let firstDelay: Double = 1_000
    /// The longest wait after an attempt that made progress, in milliseconds: the path works, so go on.
    private static let progressDelay: Double = 100

    init(maximumRetries: Int) {
        self.maximumRetries = maximumRetries
    }

    /// What follows a failed attempt.
    enum Decision: Sendable, Equatable {
        case retry(afterMilliseconds: Int64)
        case giveUp
    }

    /// A failed attempt, as far as this policy looks at it.
    struct Failure: Sendable {
        /// Attempts in a row that ended without a new byte, this one included; 0 when this one made progress.
        var attemptsWithoutProgress: Int
        var error: SessionError
        var request: TransferRequest
        /// Whether no byte of the request can have reached the server, so that repeating it repeats nothing.
        var nothingWasSent = false
        /// Whether a body that cannot be read a second time can be made anew.
        var canReplaceBody = false
        /// What the server asked for, see ``RetryAfter``.
        var retryAfterMilliseconds: Int64?
        /// Milliseconds since the first of the attempts that failed in a row.
        var age: Int64 = 0
        /// Milliseconds for which the host has been away, where the failure is the host's.
        var outage: Int64?
        /// Milliseconds for which there has been no network, where the failure is that.
        var offline: Int64?
        /// Whether the transfer has had anything of its server, or the server has answered another one.
        var wasReached = false

        init(attemptsWithoutProgress: Int = 0, error: SessionError, request: TransferRequest) {
            self.attemptsWithoutProgress = attemptsWithoutProgress
            self.error = error
            self.request = request
        }
    }

    /// Decides whether an attempt follows, and when.
    ///
    /// The wait is drawn with full jitter, so that many transfers do not come back at one moment.
    /// - Parameter random: drawn by the caller, from 0 up to but not including 1.
    func decide(_ failure: Failure, random: Double) -> Decision {
        guard Self.isTransient(failure.error, of: failure.request), maximumRetries > 0,
            hasPatience(with: failure, failures: failure.attemptsWithoutProgress),
            hasPatience(offline: failure.offline),
            failure.request.body.isReplayable || failure.canReplaceBody || failure.nothingWasSent,
            failure.request.isIdempotent || failure.nothingWasSent
        else { return .giveUp }
        let jitter = min(max(random, 0), 1)
        var delay = Self.progressDelay * jitter
        if failure.attemptsWithoutProgress > 0 {
            var ceiling = Self.firstDelay
            for _ in 1..<failure.attemptsWithoutProgress where ceiling < Self.longestDelay { ceiling *= 2 }
            delay = min(ceiling, Self.longestDelay) * jitter
        }
        let asked = failure.retryAfterMilliseconds ?? 0
        let wait = asked + Int64(delay)
        guard let rest = timeLeft(at: failure.age) else { return .retry(afterMilliseconds: wait) }
        return rest > 0 && asked <= rest ? .retry(afterMilliseconds: min(wait, rest)) : .giveUp
    }

    /// Whether so many failures in a row, and the time for which the server has been away, are no reason to give up.
    func hasPatience(with failure: Failure, failures: Int) -> Bool {
        if outagePatience > 0, Self.isFirstContact(failure), failure.offline == nil {
            return failures <= min(maximumRetries, Self.firstContactRetries)
        }
        return failures <= maximumRetries || outage(of: failure).map { $0 < outagePatience } ?? false
    }

    /// Whether nothing shows that there is a server at all.
    private static func isFirstContact(_ failure: Failure) -> Bool {
        switch failure.error.code {
        case .unknownHost, .connectionRefused, .networkUnreachable: !failure.wasReached
        default: false
        }
    }

    /// Whether so many milliseconds without a network are no reason to give up.
    func hasPatience(offline: Int64?) -> Bool {
        guard let offline, let networkPatience else { return true }
        return offline < networkPatience
    }

    /// Milliseconds in which another try may begin, so many after the first failure; nil without a limit.
    func timeLeft(at age: Int64) -> Int64? { timeLimit.map { $0 - age } }

    /// How long the server has been away; nil where it is not.
    ///
    /// What stands in front of a server says with these statuses that it is away.
    private func outage(of failure: Failure) -> Int64? {
        if let outage = failure.outage { return outage }
        guard failure.error.code == .http, let status = failure.error.statusCode else { return nil }
        return (502...504).contains(status) ? failure.age : nil
    }

    /// Whether the same request may well succeed a little later.
    static func isTransient(_ error: SessionError, of request: TransferRequest? = nil) -> Bool {
        switch error.code {
        case .unknownHost, .connectionRefused, .networkUnreachable, .connectionLost, .timedOut, .stalled, .truncated:
            true
        // A record that was damaged on the way; a certificate that is not trusted has a code of its own.
        case .tls:
            true
        case .http:
            isTransient(status: error.statusCode ?? 0, of: request)
        case .cancelled, .invalidURL, .unsupportedScheme, .invalidHeader, .invalidRequest, .bodyUnreadable,
            .certificate, .badResponse, .tooManyRedirects, .redirectRefused, .authenticationRequired, .noContent,
            .resourceChanged, .unexpectedContent, .partChanged, .bodyTooLarge, .notReplayable, .checksum,
            .destinationExists, .destinationIsFolder,
            .permission, .notFound, .diskFull, .readOnly, .fileTooLarge, .partInUse, .storage, .sessionInvalidated,
            .sessionInUse, .internal:
            false
        }
    }

    /// Whether a status asks to come back later; what a server cannot do at all (501, 505) it cannot do later either.
    ///
    /// A request may name further statuses.
    static func isTransient(status: Int, of request: TransferRequest? = nil) -> Bool {
        switch status {
        case 408, 425, 429, 500, 502...504, 506...599: true
        default: request?.options?.retriedStatuses.contains { $0.contains(status) } == true
        }
    }
}

/// The places of tries that follow failures of one host: a value without a clock.
///
/// Jitter alone spreads a first wait over one second, however many wait: hundreds that were cut at one moment would come
/// back within the next. So each gets a place behind the one before.
struct RetrySpacing: Sendable {
    /// Milliseconds from a place to the next: five hundred come back over seven seconds, and the few of an ordinary run at
    /// about the times they would have had.
    static let interval: Int64 = 15
    /// Hosts beyond so many are looked through for places that are past.
    private static let capacity = 64

    /// The next free place of each host, in milliseconds of the monotonic clock.
    private var next: [String: Int64] = [:]

    /// Takes the next place of a host; answers how many milliseconds from now it is.
    mutating func takePlace(at host: String, now: Int64) -> Int64 {
        if next.count >= Self.capacity { next = next.filter { $0.value > now } }
        let place = max(next[host] ?? now, now)
        next[host] = place + Self.interval
        return place - now
    }
}

/// How long a server asks to be left alone (RFC 9110, 10.2.3).
enum RetryAfter {
    /// A server cannot hold a transfer back for longer than this with one answer: one hour.
    static let limit: Int64 = 3_600_000

    /// The wait in milliseconds, at most ``limit``; nil when the answer names none or nonsense.
    ///
    /// A date is measured against the answer's own Date field, so that a wrong clock on either side does no harm.
    /// - Parameter now: seconds since 1970, used when the answer has no valid Date.
    static func milliseconds(_ head: ResponseHead, now: Int64) -> Int64? {
        guard let value = head.headers.values(named: "Retry-After").first.map(ByteText.trimmed(_:)) else { return nil }
        if let seconds = ByteText.decimal(value) {
            return seconds > limit / 1000 ? limit : seconds * 1000
        }
        if !value.isEmpty, value.utf8.allSatisfy(ByteText.isDigit) { return limit }
        guard let moment = HTTPDate.seconds(value) else { return nil }
        let reference = head.headers["Date"].flatMap(HTTPDate.seconds) ?? now
        return min(max(moment - reference, 0), limit / 1000) * 1000
    }
}

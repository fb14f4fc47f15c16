import SessionSupport

/// The decision whether and when a failed attempt is retried.
struct RetryPolicy: Sendable, Equatable {
    /// Further attempts in a row without a byte of progress before a transfer fails; with 0, even an attempt with
    /// progress is not retried.
    var maximumRetries: Int
    /// Milliseconds to wait for an unreachable server, however many tries that takes.
    var outagePatience: Int64 = 0
    /// Milliseconds to wait for a missing network; nil for no limit.
    var networkPatience: Int64?
    /// Milliseconds after the first of consecutive failures in which retries may start; nil for no limit.
    var timeLimit: Int64?

    /// Further attempts for a server that was never reached, if `outagePatience` is set: most often its name or port is
    /// wrong, and the user should learn that soon.
    private static let firstContactRetries = 2
    /// The longest backoff, in milliseconds.
    private static let longestDelay: Double = 60_000
    /// Milliseconds to wait for a descriptor of this process, which its other work may give back at any time, and the
    /// longest backoff meanwhile.
    private static let (descriptorPatience, longestDescriptorDelay): (Int64, Double) = (600_000, 5_000)
    /// The first backoff, in milliseconds; it doubles with each attempt.
    static let firstDelay: Double = 1_000
    /// The longest backoff after an attempt with progress, in milliseconds: the network path works, so retry at once.
    private static let progressDelay: Double = 100

    init(maximumRetries: Int) {
        self.maximumRetries = maximumRetries
    }

    /// The step after a failed attempt.
    enum Decision: Sendable, Equatable {
        case retry(afterMilliseconds: Int64)
        case giveUp
    }

    /// The properties of a failed attempt that this policy uses.
    struct Failure: Sendable {
        /// Consecutive attempts without a new byte, including this one; 0 if this one made progress.
        var attemptsWithoutProgress: Int
        var error: SessionError
        var request: TransferRequest
        /// True if no byte of the request can have reached the server, so that a retry repeats nothing.
        var nothingWasSent = false
        /// True if this process, or this machine, has as many open files as it may have.
        var lacksDescriptor = false
        /// True if a fresh body can replace one that cannot be read twice.
        var canReplaceBody = false
        /// The server's wait, see ``RetryAfter``.
        var retryAfterMilliseconds: Int64?
        /// Milliseconds since the first of the consecutive failures.
        var age: Int64 = 0
        /// Milliseconds since the host became unavailable; nil if the host is not the cause.
        var outage: Int64?
        /// Milliseconds without a network; nil if that is not the cause.
        var offline: Int64?
        /// True if the server has sent this transfer any data, or has answered another transfer.
        var wasReached = false

        init(attemptsWithoutProgress: Int = 0, error: SessionError, request: TransferRequest) {
            self.attemptsWithoutProgress = attemptsWithoutProgress
            self.error = error
            self.request = request
        }
    }

    /// Decides whether and when a retry follows.
    ///
    /// The backoff has full jitter, so that many transfers do not retry at the same time.
    /// - Parameter random: drawn by the caller, from 0 up to but not including 1.
    func decide(_ failure: Failure, random: Double) -> Decision {
        guard failure.lacksDescriptor || Self.isTransient(failure.error, of: failure.request), maximumRetries > 0,
            hasPatience(with: failure, failures: failure.attemptsWithoutProgress),
            hasPatience(offline: failure.offline),
            failure.request.body.isReplayable || failure.canReplaceBody || failure.nothingWasSent,
            failure.request.isIdempotent || failure.nothingWasSent
        else { return .giveUp }
        let jitter = min(max(random, 0), 1)
        var delay = Self.progressDelay * jitter
        if failure.attemptsWithoutProgress > 0 {
            let longest = failure.lacksDescriptor ? Self.longestDescriptorDelay : Self.longestDelay
            var ceiling = Self.firstDelay
            for _ in 1..<failure.attemptsWithoutProgress where ceiling < longest { ceiling *= 2 }
            delay = min(ceiling, longest) * jitter
        }
        let asked = failure.retryAfterMilliseconds ?? 0
        let wait = asked + Int64(delay)
        guard let rest = timeLeft(at: failure.age) else { return .retry(afterMilliseconds: wait) }
        return rest > 0 && asked <= rest ? .retry(afterMilliseconds: min(wait, rest)) : .giveUp
    }

    /// Returns whether the consecutive failures and the server's outage still allow a retry.
    func hasPatience(with failure: Failure, failures: Int) -> Bool {
        if failure.lacksDescriptor { return failure.age < Self.descriptorPatience }
        if outagePatience > 0, Self.isFirstContact(failure), failure.offline == nil {
            return failures <= min(maximumRetries, Self.firstContactRetries)
        }
        return failures <= maximumRetries || outage(of: failure).map { $0 < outagePatience } ?? false
    }

    /// Returns whether no evidence of the server's existence has been seen.
    private static func isFirstContact(_ failure: Failure) -> Bool {
        switch failure.error.code {
        case .unknownHost, .connectionRefused, .networkUnreachable: !failure.wasReached
        default: false
        }
    }

    /// Returns whether the milliseconds without a network still allow a retry.
    func hasPatience(offline: Int64?) -> Bool {
        guard let offline, let networkPatience else { return true }
        return offline < networkPatience
    }

    /// Returns the milliseconds in which another try may start at this age; nil without a limit.
    func timeLeft(at age: Int64) -> Int64? { timeLimit.map { $0 - age } }

    /// Returns the milliseconds of the server's outage; nil for none.
    ///
    /// A proxy in front of a server reports an outage with 502, 503 or 504.
    private func outage(of failure: Failure) -> Int64? {
        if let outage = failure.outage { return outage }
        guard failure.error.code == .http, let status = failure.error.statusCode else { return nil }
        return (502...504).contains(status) ? failure.age : nil
    }

    /// Returns whether the same request may succeed a little later.
    static func isTransient(_ error: SessionError, of request: TransferRequest? = nil) -> Bool {
        switch error.code {
        case .unknownHost, .connectionRefused, .networkUnreachable, .connectionLost, .timedOut, .stalled, .truncated:
            true
        // TLS covers a record damaged in transit; an untrusted certificate has its own code.
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

    /// Returns whether a status asks to retry later; what a server does not support (501, 505) it will not support
    /// later.
    ///
    /// A request may name further statuses, and the ones that it expects.
    static func isTransient(status: Int, of request: TransferRequest? = nil) -> Bool {
        let options = request?.sharedOptions
        if options?.values.expectedStatuses.contains(where: { $0.contains(status) }) == true { return false }
        return switch status {
        case 408, 425, 429, 500, 502...504, 506...599: true
        default: options?.values.retriedStatuses.contains { $0.contains(status) } == true
        }
    }
}

extension SessionError {
    /// Whether the same request may succeed a little later.
    package var isTransient: Bool { RetryPolicy.isTransient(self) }
}

/// The spacing of retries after failures of one host; callers supply the time.
///
/// Jitter alone spreads the first backoff over one second for any number of transfers, so hundreds cut at one moment
/// would all return within the next second. Each therefore gets a slot after the previous one.
struct RetrySpacing: Sendable {
    /// Milliseconds between slots: five hundred retries take seven seconds, and the few of an ordinary run keep about
    /// their own times.
    ///
    /// Of 500 downloads cut at one moment, about 75 instead of 495 return within one second.
    static let interval: Int64 = 15
    /// With this many hosts, expired slots are removed.
    private static let capacity = 64

    /// The next free slot of each host, in milliseconds of the monotonic clock.
    private var next: [String: Int64] = [:]

    /// Takes a host's next slot and returns its delay from now in milliseconds.
    mutating func takeSlot(at host: String, now: Int64) -> Int64 {
        if next.count >= Self.capacity { next = next.filter { $0.value > now } }
        let slot = max(next[host] ?? now, now)
        next[host] = slot + Self.interval
        return slot - now
    }
}

/// The wait that a server asks for (RFC 9110, 10.2.3).
enum RetryAfter {
    /// Milliseconds that one response can delay a transfer at most: one hour.
    static let limit: Int64 = 3_600_000

    /// Returns the wait in milliseconds, at most ``limit``; nil if the response has no valid one.
    ///
    /// A date is compared with the response's own Date field, so that a wrong clock on either side does no harm.
    /// - Parameter now: seconds since 1970, used when the response has no valid Date.
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

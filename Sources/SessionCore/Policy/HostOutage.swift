/// What a failed attempt says about its host, and so about every other transfer that wants something of it.
struct HostOutage: Sendable, Equatable {
    var reason: HostBackoff.Reason
    var cause: SessionError.Code
    var statusCode: Int?
    /// Milliseconds for which the host asked to be left alone.
    var askedWait: Int64?
    /// The address that there is no way to, where it is known.
    var address: String?
    /// Who could not be connected to in the server's stead: a proxy, or a place that options name; nil where it is the server.
    var unreached: String?

    init(_ reason: HostBackoff.Reason, _ cause: SessionError.Code, statusCode: Int? = nil, askedWait: Int64? = nil) {
        self.reason = reason
        self.cause = cause
        self.statusCode = statusCode
        self.askedWait = askedWait
    }

    /// Nil for a failure that is the attempt's own: an answer that broke off, a bad page, a certificate.
    ///
    /// - Parameters:
    ///   - isAnswered: whether anything of an answer had come, which a host that is away does not send.
    ///   - hasRoute: whether this machine has a way to where the attempt went. Only asked about after a failure that the
    ///     lack of one explains.
    init?(_ error: SessionError, isAnswered: Bool, askedWait: Int64?, hasRoute: () -> Bool) {
        switch error.code {
        case .connectionRefused:
            self.init(.unreachable, error.code)
        case .unknownHost, .networkUnreachable, .timedOut:
            self.init(hasRoute() ? .unreachable : .noNetwork, error.code)
        case .stalled, .connectionLost:
            if !hasRoute() {
                self.init(.noNetwork, error.code)
            } else if error.code == .stalled, !isAnswered {
                self.init(.silent, error.code)
            } else {
                return nil
            }
        case .http where error.statusCode == 429 || error.statusCode == 503 && askedWait != nil:
            self.init(.busy, error.code, statusCode: error.statusCode, askedWait: askedWait)
        default:
            return nil
        }
    }
}

/// A failed attempt's meaning for its host, and so for every other transfer to that host.
struct HostOutage: Sendable, Equatable {
    var reason: HostBackoff.Reason
    var cause: SessionError.Code
    var statusCode: Int?
    /// Milliseconds that the host asked clients to wait.
    var askedWait: Int64?
    /// The address without a network route, if known.
    var address: String?
    /// The endpoint that could not be connected to instead of the server: a proxy, or an address from the options; nil
    /// for the server.
    var unreached: String?

    init(_ reason: HostBackoff.Reason, _ cause: SessionError.Code, statusCode: Int? = nil, askedWait: Int64? = nil) {
        self.reason = reason
        self.cause = cause
        self.statusCode = statusCode
        self.askedWait = askedWait
    }

    /// Judges a failure; nil for one that concerns only the attempt: a truncated response, a bad page, a certificate.
    ///
    /// - Parameters:
    ///   - isAnswered: true if any byte of a response had arrived, which an unreachable host does not send.
    ///   - hasRoute: returns whether this machine has a network route to the endpoint. Called only after a failure that
    ///     a missing route explains.
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

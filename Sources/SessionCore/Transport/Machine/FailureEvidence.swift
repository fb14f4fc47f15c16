/// The evidence of a failed attempt about its host.
struct FailureEvidence: Sendable {
    var error: SessionError
    /// Whether a head has arrived.
    var isAnswered = false
    /// Whether it had connected, to the server or to a proxy.
    var isConnected = false
    /// Whether a connection was made for it: a reused one may have been closed for having been idle.
    var hasOwnConnection = false
    /// Whether it ended by a limit that other transfers need not have.
    var exceededOwnLimit = false
    /// Whether it went to the host whose slot its transfer has.
    var asksItsHost = true
    /// Whether the file has other sources.
    var hasOtherSources = false
    /// Whether it stayed on this machine, so that it needs no network.
    var isLocal = false
    /// The peer's address in digits; nil where only a name is known.
    var address: String?
    /// The endpoint that stands in for the server; nil without one.
    var stead: String?
    /// Milliseconds of the server's `Retry-After`.
    var askedWait: Int64?

    init(_ error: SessionError) { self.error = error }

    /// Whether the host is overloaded: a 429 or 503, or a connection closed without a response.
    ///
    /// A disconnect after the response has begun says this about the network instead.
    var isRefusal: Bool {
        guard asksItsHost else { return false }
        if error.code == .http { return error.statusCode == 429 || error.statusCode == 503 }
        return error.code == .connectionLost && !isAnswered && hasOwnConnection
    }

    /// Returns the host's trouble; nil where the failure says nothing about it, or went to another host.
    ///
    /// - Parameter hasRoute: whether this machine has a network route to an address, or to the internet if nil.
    func trouble(hasRoute: (String?) -> Bool) -> HostOutage? {
        guard asksItsHost else { return missingNetwork(hasRoute) }
        var trouble = HostOutage(error, isAnswered: isAnswered, askedWait: askedWait) { isLocal || hasRoute(address) }
        // The host may answer others, who wait longer.
        if exceededOwnLimit, trouble?.reason == .silent { return nil }
        trouble?.address = address
        trouble?.unreached = unreached
        return trouble
    }

    /// The endpoint that could not be connected to instead of the server; nil for any other failure.
    private var unreached: String? {
        guard !isConnected, [.unknownHost, .connectionRefused, .networkUnreachable, .timedOut].contains(error.code)
        else { return nil }
        return stead
    }

    /// Returns the trouble of another source's failure if this machine has no network, so that no host is blamed.
    private func missingNetwork(_ hasRoute: (String?) -> Bool) -> HostOutage? {
        guard hasOtherSources, !isLocal else { return nil }
        let trouble = HostOutage(error, isAnswered: isAnswered, askedWait: nil) { hasRoute(nil) }
        return trouble?.reason == .noNetwork ? trouble : nil
    }
}

/// What a final head says about its host: it is up, unless it answers 429, or 503 with `Retry-After`.
struct HeadEvidence: Sendable, Equatable {
    /// Whether the host asks for patience.
    let isBusy: Bool
    /// Whether the host serves what was asked.
    let isServed: Bool
    /// Whether the host shows that it can take more requests.
    let isWelcoming: Bool

    init(_ head: ResponseHead) {
        let status = head.statusCode
        isBusy = status == 429 || status == 503 && head.headers["Retry-After"] != nil
        isServed = status < 400
        isWelcoming = !isBusy && status != 503
    }

    var evidence: HostAvailability.Evidence { isBusy ? .moving : isServed ? .served : .answered }
}

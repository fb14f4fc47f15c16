/// Decides which origins' HTTP/1 connections may be reused.
///
/// In HTTP/1 only the order of responses says which request one belongs to, so surplus bytes of a server would be taken
/// for the next response. A connection is therefore reused only after the server was silent behind its first response,
/// and a server that was not gets a new connection for every request.
struct ConnectionReuse {
    /// The milliseconds for which an origin's first kept connections have to stay silent.
    ///
    /// Surplus bytes nearly always arrive with the response or with the server's next action. A list of files waits
    /// this long once. Of files from a server with surplus bytes, 600 of 600 were right with it, and 301 of 320 without.
    static let probation: Int64 = 10
    /// The milliseconds after which a probation ends even if further connections have just had their first responses.
    static let longestProbation: Int64 = 50

    private struct Probation {
        var start: Int64
        var end: Int64
    }

    /// Probations by the origin's name, kept after they are over.
    private var probations: [String: Probation] = [:]
    private var unsound: Set<String> = []
    /// The origin whose probation was last seen to be over: most lists have one, and comparing two names costs less
    /// than a look-up.
    private var settled = ""

    /// Records that a connection was kept open after a complete response, its first or a later one.
    mutating func answered(_ origin: String, isFirst: Bool, now: Int64) {
        if origin == settled { return }
        guard let known = probations[origin] else {
            probations[origin] = Probation(start: now, end: now + Self.probation)
            return
        }
        guard isFirst, now < known.end else { return }
        probations[origin]?.end = min(now + Self.probation, known.start + Self.longestProbation)
    }

    /// Records that an origin has sent unrequested bytes.
    mutating func distrust(_ origin: String) {
        unsound.insert(origin)
        probations[origin] = Probation(start: .min, end: .min)
    }

    /// Whether each request to an origin gets a new connection.
    func isUnsound(_ origin: String) -> Bool { !unsound.isEmpty && unsound.contains(origin) }

    /// Returns the time from which a request to an origin may start; nil when it may start now.
    mutating func start(of origin: String, now: Int64) -> Int64? {
        if origin == settled { return nil }
        guard let end = probations[origin]?.end else { return nil }
        if end > now { return end }
        settled = origin
        return nil
    }
}

/// Which origins' connections of HTTP/1 may be used for another request.
///
/// Only the order of answers tells there which request one belongs to. A server that sends more than it said would have
/// the rest taken for the next answer, so nobody asks a second time before it is seen that a server falls silent behind
/// its first answer, and one that did not gets a connection for each request from then on.
struct ConnectionReuse {
    /// The milliseconds that an origin's first kept connections have to be silent.
    ///
    /// What follows an answer by mistake nearly always comes with it or with the next thing that its server does. A
    /// list of files waits so long once.
    static let probation: Int64 = 10
    /// The milliseconds after which a probation ends although further connections have just had their first answers.
    static let longestProbation: Int64 = 50

    private struct Probation {
        var start: Int64
        var end: Int64
    }

    /// By the origin's name; it stays when it is over.
    private var probations: [String: Probation] = [:]
    private var unsound: Set<String> = []
    /// The origin whose probation was last seen to be over: a list mostly has one, and comparing two names costs less
    /// than looking one up.
    private var settled = ""

    /// A connection has been left open behind a whole answer, its first or a later one.
    mutating func answered(_ origin: String, isFirst: Bool, now: Int64) {
        if origin == settled { return }
        guard let known = probations[origin] else {
            probations[origin] = Probation(start: now, end: now + Self.probation)
            return
        }
        guard isFirst, now < known.end else { return }
        probations[origin]?.end = min(now + Self.probation, known.start + Self.longestProbation)
    }

    /// An origin has sent bytes that nobody asked for.
    mutating func distrust(_ origin: String) {
        unsound.insert(origin)
        probations[origin] = Probation(start: .min, end: .min)
    }

    /// Whether each request to an origin gets a connection of its own.
    func isUnsound(_ origin: String) -> Bool { !unsound.isEmpty && unsound.contains(origin) }

    /// The moment from which on a request to an origin may start; nil when it may do so now.
    mutating func start(of origin: String, now: Int64) -> Int64? {
        if origin == settled { return nil }
        guard let end = probations[origin]?.end else { return nil }
        if end > now { return end }
        settled = origin
        return nil
    }
}

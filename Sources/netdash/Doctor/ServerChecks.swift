import Dashboard

/// Judges the facts about a named server.
enum ServerChecks {
    /// The seconds that a clock may be wrong before certificates and signatures fail.
    private static let tolerance: Int64 = 60

    static func findings(_ facts: ServerFacts, now: Int64) -> [Finding] {
        let server = Finding(topic: "server", fact: fact(facts))
        guard let failure = facts.failure else { return [server] + clock(facts, now: now) }
        return [
            .wrong("server", ServerFindings.server(SafeText(untrusted: facts.url), failure), advice: advice(facts))
        ]
    }

    private static func fact(_ facts: ServerFacts) -> SafeText {
        let words: [SafeText?] = [
            facts.statusLine, ServerFindings.from(facts.peer), facts.tls,
            facts.nameLookup.map { ServerFindings.resolved($0) }, facts.connect.map { ServerFindings.connected($0) },
            facts.secureConnect.map { ServerFindings.secured($0) }, facts.firstByte.map { ServerFindings.answered($0) },
        ]
        let url = SafeText(untrusted: facts.url)
        return ServerFindings.server(
            facts.target.isEmpty ? url : ServerFindings.redirected(url, facts.target),
            words.compactMap(\.self).joined(by: ", "))
    }

    /// The meaning of its failure, by the step it reached.
    private static func advice(_ facts: ServerFacts) -> SafeText {
        if facts.status != nil { return ServerFindings.openLastURL }
        if facts.nameLookup == nil {
            return ServerFindings.notResolved
        }
        // A failed handshake may leave the connection without a time.
        if facts.isEncrypted, facts.cause == .tls || facts.cause == .badResponse && facts.secureConnect == nil {
            return ServerFindings.notTLS
        }
        // A plain http port accepts the connection and does not respond to a handshake.
        if facts.isEncrypted, facts.cause == .timedOut, facts.secureConnect == nil {
            return ServerFindings.tlsTimedOut
        }
        if facts.connect == nil, facts.cause != .certificate {
            return ServerFindings.notConnected
        }
        if facts.isEncrypted, facts.secureConnect == nil {
            return ServerFindings.tlsFailed
        }
        return ServerFindings.notAnswered
    }

    private static func clock(_ facts: ServerFacts, now: Int64) -> [Finding] {
        guard let date = facts.date else { return [] }
        let difference = now - date
        guard abs(difference) > tolerance else { return [] }
        let fact =
            difference > 0 ? ServerFindings.clockAhead(difference) : ServerFindings.clockBehind(-difference)
        return [.note("clock", fact, advice: ServerFindings.oneClockIsWrong)]
    }
}

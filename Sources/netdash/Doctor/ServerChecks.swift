import Dashboard

/// Judges the facts about a named server.
enum ServerChecks {
    /// The seconds that a clock may be wrong before certificates and signatures fail.
    private static let tolerance: Int64 = 60

    static func findings(_ facts: ServerFacts, now: Int64) -> [Finding] {
        let server = Finding(topic: "server", fact: fact(facts))
        guard let failure = facts.failure else { return [server] + clock(facts, now: now) }
        return [
            .wrong("server", SafeText(untrusted: facts.url) + ": " + failure, advice: advice(facts))
        ]
    }

    private static func fact(_ facts: ServerFacts) -> SafeText {
        var words: [SafeText] = [facts.statusLine, "from " + facts.peer]
        if !facts.tls.isEmpty { words.append(facts.tls) }
        let steps: [(SafeText, Int?)] = [
            ("name", facts.nameLookup), ("connection", facts.connect), ("TLS", facts.secureConnect),
            ("answer", facts.firstByte),
        ]
        let times = steps.compactMap { step in step.1.map { step.0 + " after " + SafeText($0) + " ms" } }
        return SafeText(untrusted: facts.url) + ": " + (words + times).joined(by: ", ")
    }

    /// The meaning of its failure, by the step it reached.
    private static func advice(_ facts: ServerFacts) -> SafeText {
        if facts.nameLookup == nil {
            return "It ended while its name was looked up: see names, network and proxy above"
        }
        // A failed handshake may leave the connection without a time.
        if facts.isEncrypted, facts.cause == .tls || facts.cause == .badResponse && facts.secureConnect == nil {
            return "It answers, but not in TLS that can be used here: if the port speaks plain http, write http://"
        }
        // A plain http port accepts the connection and does not respond to a handshake.
        if facts.isEncrypted, facts.cause == .timedOut, facts.secureConnect == nil {
            return "No connection in TLS came about in time: see network above; for a port of plain http, write http://"
        }
        if facts.connect == nil, facts.cause != .certificate {
            return "Its name was found and nobody answers there: see network and proxy above"
        }
        if facts.isEncrypted, facts.secureConnect == nil {
            return "It answers, and no secure connection came about: see clock and certificates above"
        }
        return "A connection came about, and no answer; try again, or ask who runs it"
    }

    private static func clock(_ facts: ServerFacts, now: Int64) -> [Finding] {
        guard let date = facts.date else { return [] }
        let difference = now - date
        guard abs(difference) > tolerance else { return [] }
        let words: SafeText = difference > 0 ? " seconds ahead of that server's" : " seconds behind that server's"
        return [
            .note(
                "clock", "this clock is " + SafeText(abs(difference)) + words,
                advice: "One of the two is wrong; a wrong clock makes certificates seem expired")
        ]
    }
}

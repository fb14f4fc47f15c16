import Dashboard

/// Judges the facts about a named server.
enum ServerChecks {
    /// The seconds that a clock may be wrong before certificates and signatures fail.
    private static let tolerance: Int64 = 60

    static func findings(_ report: ServerReport, now: Int64) -> [Finding] {
        let server = Finding(topic: "server", fact: fact(report))
        guard let failure = report.failure else { return [server] + clock(report, now: now) }
        return [
            .wrong("server", ServerFindings.server(SafeText(maskedURL: report.url), failure), advice: advice(report))
        ]
    }

    private static func fact(_ report: ServerReport) -> SafeText {
        let words: [SafeText?] = [
            report.statusLine, report.httpVersion, ServerFindings.from(report.peer), report.tls,
            report.nameLookup.map { ServerFindings.resolved($0) }, report.connect.map { ServerFindings.connected($0) },
            report.secureConnect.map { ServerFindings.secured($0) },
            report.firstByte.map { ServerFindings.answered($0) },
        ]
        let url = SafeText(maskedURL: report.url)
        return ServerFindings.server(
            report.target.isEmpty ? url : ServerFindings.redirected(url, report.target),
            words.compactMap(\.self).joined(by: ", "))
    }

    /// The meaning of its failure, by the step it reached.
    private static func advice(_ report: ServerReport) -> SafeText {
        if report.status != nil { return ServerFindings.openLastURL }
        if report.nameLookup == nil {
            return ServerFindings.notResolved
        }
        // A failed handshake may leave the connection without a time.
        if report.isEncrypted, report.cause == .tls || report.cause == .badResponse && report.secureConnect == nil {
            return ServerFindings.notTLS
        }
        // A plain http port accepts the connection and does not respond to a handshake.
        if report.isEncrypted, report.cause == .timedOut, report.secureConnect == nil {
            return ServerFindings.tlsTimedOut
        }
        if report.connect == nil, report.cause != .certificate {
            return ServerFindings.notConnected
        }
        if report.isEncrypted, report.secureConnect == nil {
            return ServerFindings.tlsFailed
        }
        return ServerFindings.notAnswered
    }

    private static func clock(_ report: ServerReport, now: Int64) -> [Finding] {
        guard let date = report.date else { return [] }
        let difference = now - date
        guard abs(difference) > tolerance else { return [] }
        let fact =
            difference > 0 ? ServerFindings.clockAhead(difference) : ServerFindings.clockBehind(-difference)
        return [.note("clock", fact, advice: ServerFindings.oneClockIsWrong)]
    }
}

import Dashboard

/// Judges the status of a server's response: one that asks for credentials is no success.
enum StatusChecks {
    /// The findings about a server, where the first one is about its response.
    static func judged(_ findings: [Finding], _ report: ServerReport) -> [Finding] {
        guard var server = findings.first, let (verdict, advice) = judgement(report) else { return findings }
        (server.verdict, server.advice) = (verdict, advice)
        return [server] + findings.dropFirst()
    }

    /// Whether further requests can find out more: HEAD was answered well, or is a method that the server lacks.
    static func isWorthTrying(_ report: ServerReport) -> Bool {
        report.failure == nil && report.status.map { (200..<300).contains($0) || lacksMethod($0) } ?? false
    }

    private static func judgement(_ report: ServerReport) -> (Finding.Verdict, SafeText)? {
        switch report.status {
        case 407: (.wrong, ServerTrialFindings.giveProxyCredentials)
        case 401: (.wrong, ServerTrialFindings.giveCredentials)
        case nil: withoutResponse(report.cause)
        case let status? where status >= 400 && !lacksMethod(status): (.note, ServerTrialFindings.checkURL)
        default: nil
        }
    }

    /// A proxy that opens no tunnel leaves its status in the failure alone.
    private static func withoutResponse(_ cause: Cause?) -> (Finding.Verdict, SafeText)? {
        switch cause {
        case .authenticationRequired: (.wrong, ServerTrialFindings.giveProxyCredentials)
        case .http: (.wrong, ServerTrialFindings.proxyRefuses)
        default: nil
        }
    }

    private static func lacksMethod(_ status: Int) -> Bool { status == 405 || status == 501 }
}

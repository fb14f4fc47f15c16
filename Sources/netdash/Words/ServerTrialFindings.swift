import Dashboard

/// Findings of `doctor` about a server that sent ranges of a file.
enum ServerTrialFindings {
    // MARK: - Status

    static let giveCredentials: SafeText = "Give credentials: --user NAME:PASSWORD, --bearer TOKEN or --netrc"
    static let giveProxyCredentials: SafeText = "Give the proxy's credentials: --proxy-user NAME:PASSWORD"
    static let proxyRefuses: SafeText = "The proxy refuses; credentials for it: --proxy-user NAME:PASSWORD"
    static let credentialsRefused: SafeText =
        "The server refuses these credentials; check name and password, or --digest"
    static let forbidden: SafeText = "The server denies access; give other credentials, or check the URL"
    static let tooMany: SafeText = "The server limits requests; retry later"
    static let serverFails: SafeText = "The server fails; retry later, or contact the operator"
    static let checkURL: SafeText = "Check the URL; the server refuses this request"

    // MARK: - Ranges

    static let emptyFile: SafeText = "empty file"
    static let noAnswer: SafeText = "no response to a range request"
    static let noRanges: SafeText = "not supported"
    static let startsAgain: SafeText = "Interrupted downloads start again from zero"
    static let noValidator: SafeText = "supported, no strong ETag or Last-Modified"
    static let verifyOverlap: SafeText = "Interrupted downloads resume with --verify-overlap only"
    static let ignoresCondition: SafeText = "supported, If-Range ignored"
    static let comparesItself: SafeText = "netdash compares the validator itself; other programs may mix two versions"
    static let refusesCondition: SafeText = "supported, but If-Range with the current validator gets the full file"

    static func status(_ status: Int) -> SafeText { "HTTP \(status) for a range request" }

    static func supported(_ validator: SafeText) -> SafeText { "supported, with If-Range (\(validator))" }

    // MARK: - Speed

    static let noSample: SafeText = "no data received"
    static let tryAgain: SafeText = "Retry, or measure with a larger file"

    static func tooShort(_ bytes: SafeText) -> SafeText { "\(bytes) received, too short to measure" }

    static func speed(_ rate: SafeText, _ bytes: SafeText) -> SafeText { "\(rate) over one connection (\(bytes))" }

    static func rate(_ connections: Int, _ rate: SafeText) -> SafeText { "\(connections): \(rate)" }

    static func fastest(_ connections: Int, _ rates: SafeText) -> SafeText {
        "\(connections, "connection is", "connections are") enough (\(rates))"
    }

    static func refused(_ failures: Int, of connections: Int) -> SafeText {
        "\(failures) of \(connections) connections refused"
    }

    static func limit(_ connections: Int) -> SafeText { "Limit the connections for this server: -x \(connections)" }
}

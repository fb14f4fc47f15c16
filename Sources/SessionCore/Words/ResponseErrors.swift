import SessionSupport

/// Responses that are no success, or not what was asked for.
enum ResponseErrors {
    static func status(_ phrase: String, _ host: String) -> String { "\(phrase) from \(host)" }
    static func unexpectedStatus(_ code: Int) -> String { "Unexpected status \(code)" }
    static func collectionRefused(_ path: String, _ status: String) -> String {
        "Could not make WebDAV collection \(path): \(status)"
    }
    static func noContent(_ phrase: String) -> String { "\(phrase): no content to save" }
    static func credentials(_ phrase: String) -> String { "\(phrase): credentials missing or wrong" }
    static func proxyCredentials(_ phrase: String) -> String { "\(phrase): proxy credentials missing or wrong" }
    static func unreadableChallenge(_ host: String) -> String { "Invalid NTLM challenge from \(host)" }
    static func credentialsRefused(_ host: String) -> String { "Credentials refused by \(host)" }
    static let unaskedPart = "Partial response (206) to a request for the full file"
    static let notModified = "304 Not Modified: empty response"
    static let missing = "Transfer ended without a response"
    static let cacheMiss = "Response not cached, and the request allows only the cache"

    // MARK: - Sizes

    static func tooLarge(_ host: String) -> String { "Response larger than allowed from \(host)" }
    static func tooLarge(_ bytes: Int64, limit: Int64) -> String {
        let sizes = SizeWords.pair(bytes, limit)
        return "Too large: \(sizes.first), limit \(sizes.second)"
    }
    static func overLimit(_ limit: Int64) -> String { "Too large: over the limit of \(SizeWords.text(limit))" }
    static func overDataLimit(_ limit: Int) -> String {
        "Response larger than the \(SizeWords.text(Int64(limit))) that a data task may hold; download it instead"
    }
    static let outOfMemory = "Out of memory for the response; download it instead"
    static let lineTooLong = "Line of the body longer than 16 MiB"
    static let unreadableLength = "Content-Length is no valid number"
    static func twoLengths(_ first: Int64, _ second: Int64) -> String {
        "Two different lengths announced (\(first) B and \(second) B); try another server"
    }
    static func incomplete(_ received: Int64, of expected: Int64) -> String {
        let sizes = SizeWords.pair(received, expected)
        return "Incomplete body: \(sizes.first) of \(sizes.second)"
    }
    static func overhead(_ host: String, body: Int64) -> String {
        "More than 64 MiB around \(SizeWords.text(body)) of body from \(host)"
    }

    // MARK: - What came instead of the file

    static let pageCame = "Got an HTML page instead of the file (maybe a login page)"
    static func typeCame(_ type: String) -> String { "Got \(type) instead of the file (maybe a login page)" }
    static func shortBodyCame(_ bytes: Int64) -> String { "Got \(SizeWords.text(bytes)), less than the partial file" }
    static func logIn(_ fact: String) -> String { "\(fact); log in and retry" }
    static func logInOrRestart(_ fact: String) -> String { "\(fact); log in and retry, or restart from zero" }
    static func logInOrSave(_ fact: String) -> String { "\(fact); log in and retry, or save it as *.html" }
    static func retryOrRestart(_ fact: String) -> String { "\(fact); retry, or restart from zero" }
    static let otherChecksum = "Announced checksum differs from the expected one"

    // MARK: - Going on with a body that was passed on

    static func lost(_ reason: String) -> String { "\(reason); data already delivered cannot be replaced" }
    static let restElsewhere = "Rest of the body is on another server"
    static let sentTwice = "Server sent bytes that were already received"
    static let sentAgain = "Server sent the full body again"
    static let uncounted = "Length of the response unknown"
    static let moreThanRest = "More data than requested"
    static let falseRest = "Body differs from its Content-Range"
    static func announcedDigest(_ digest: String, found: String, _ expected: String) -> String {
        "\(digest) checksum mismatch: got \(found), server announced \(expected)"
    }

    // MARK: - Codings

    static func unknownCoding(_ name: String) -> String { "Unsupported Content-Encoding: \(name)" }
    static func tooManyCodings(_ limit: Int) -> String { "More than \(limit) content codings" }
    static func undecodable(_ name: String) -> String { "No decoder for Content-Encoding: \(name)" }
    static func invalidCoding(_ name: String) -> String { "Body is no valid \(name) data" }
    static func expanded(_ mebibytes: Int64, _ ratio: Int64) -> String {
        "Body expands to over \(mebibytes) MiB (\(ratio) times); send Accept-Encoding: identity"
    }
    static func unaskedCoding(_ name: String) -> String {
        "Unrequested Transfer-Encoding: \(name); try another server"
    }

    // MARK: - Framing

    static func noHTTP(_ host: String) -> String { "\(host) is not an HTTP server" }
    static func invalid(_ host: String) -> String { "Invalid HTTP response from \(host)" }
    static func unsolicited(_ host: String) -> String { "Unsolicited response from \(host)" }
    static let unreadableStatusLine = "Invalid status line"
    static func unreadableLine(_ host: String) -> String { "Invalid header line from \(host)" }
    static func lineTooLong(_ peer: String, kilobytes: Int) -> String {
        "Header line over \(kilobytes) KB from \(peer)"
    }
    static func headTooLong(_ peer: String) -> String { "Response header over 300 KB from \(peer)" }
    static let headTooLong = "Response header over 300 KB; try another server"
    static let tooManyFields = "More than 1,000 header fields; try another server"
    static let tooManyInterim = "More than 100 interim responses"
    static func tooManyTrailers(_ limit: Int) -> String { "More than \(limit) trailer fields, or over 64 KB of them" }
    static func trailerTooLong(_ host: String) -> String { "Trailer field over 4 KB from \(host)" }
    static func invalidChunks(_ host: String) -> String { "Invalid chunked encoding from \(host)" }
    static func foldedField(_ name: String) -> String {
        "Ambiguous header: \(name) folded over two lines; try another server"
    }
}

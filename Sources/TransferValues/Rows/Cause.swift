/// The reason why a transfer failed or waits for a retry, as one word in the table.
///
/// The raw values are the stable words of failures in logs and in JSON, so no other table maps errors to words on the
/// screen.
package enum Cause: String, Sendable, CaseIterable, Codable {
    // MARK: - Route to the server
    case noNetwork, unknownHost, connectionRefused, networkUnreachable, connectionLost, timedOut, stalled, tls,
        certificate

    // MARK: - Response
    case http, authenticationRequired, badResponse, tooManyRedirects, redirectRefused, noContent, truncated
    case resourceChanged, unexpectedContent, bodyTooLarge

    // MARK: - File and disk
    case checksum, diskFull, readOnly, permission, notFound, fileTooLarge, destinationExists, destinationIsFolder
    case partChanged, partInUse, storage

    // MARK: - Request, and the reader of the body
    case invalidURL, unsupportedScheme, invalidHeader, invalidRequest, bodyUnreadable, notReplayable
    case readerGone, notText

    // MARK: - Program
    case cancelled, sessionInvalidated, sessionInUse, `internal`

    /// The longest word that fits into `cells`; the status itself where the response is the reason.
    ///
    /// Empty where no word fits.
    package func word(status: Int?, cells: Int) -> SafeText {
        if let status, status >= 400, self == .http || self == .authenticationRequired {
            return cells >= 3 ? SafeText(status) : .empty
        }
        return words.first { $0.string.utf8.count <= cells } ?? .empty
    }

    /// ASCII words of at most 11 cells, of at most 7 for the time's column, and of at most 5.
    package var words: [SafeText] {
        switch self {
        case .noNetwork: ["no network", "no net", "net"]
        case .unknownHost: ["no host", "host"]
        case .connectionRefused: ["refused", "conn"]
        case .networkUnreachable: ["unreachable", "no net", "net"]
        case .connectionLost: ["hung up", "lost"]
        case .timedOut: ["timed out", "timeout", "time"]
        case .stalled: ["stalled", "stall"]
        case .tls: ["TLS"]
        case .certificate: ["certificate", "cert"]
        case .http: ["status", "HTTP"]
        case .authenticationRequired: ["password", "auth"]
        case .badResponse: ["bad answer", "not HTTP", "bad"]
        case .tooManyRedirects: ["redirects", "loop"]
        case .redirectRefused: ["redirect", "redir"]
        case .noContent: ["no content", "empty"]
        case .truncated: ["cut short", "short"]
        case .resourceChanged: ["new version", "changed", "new"]
        case .unexpectedContent: ["wrong type", "type"]
        case .bodyTooLarge: ["too large", "large"]
        case .checksum: ["checksum", "sum"]
        case .diskFull: ["disk full", "full"]
        case .readOnly: ["read-only", "ro"]
        case .permission: ["permission", "denied", "perm"]
        case .notFound: ["no file", "file"]
        case .fileTooLarge: ["too large", "large"]
        case .destinationExists: ["file exists", "exists", "file"]
        case .destinationIsFolder: ["is a folder", "folder", "dir"]
        case .partChanged: ["part edited", "part"]
        case .partInUse: ["part in use", "in use", "busy"]
        case .storage: ["disk error", "disk"]
        case .invalidURL: ["URL"]
        case .unsupportedScheme: ["scheme", "URL"]
        case .invalidHeader: ["header", "field"]
        case .invalidRequest: ["request", "req"]
        case .bodyUnreadable: ["body unread", "body"]
        case .notReplayable: ["sent once", "body"]
        case .readerGone: ["no reader", "pipe"]
        case .notText: ["not text", "text"]
        case .cancelled: ["cancelled", "cancel", "off"]
        case .sessionInvalidated: ["closed"]
        case .sessionInUse: ["session", "busy"]
        case .internal: ["internal", "error"]
        }
    }
}

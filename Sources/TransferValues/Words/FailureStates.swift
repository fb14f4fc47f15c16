/// The reason of a failure as the column STATE tells it: of at most 11 cells, of at most 7 for the time's column, and of at
/// most 5.
package enum FailureStates {
    // MARK: - Connection

    package static let noNetwork: [SafeText] = ["no network", "no net", "net"]
    package static let unknownHost: [SafeText] = ["DNS error", "DNS"]
    package static let connectionRefused: [SafeText] = ["refused", "conn"]
    package static let networkUnreachable: [SafeText] = ["unreachable", "no net", "net"]
    package static let connectionLost: [SafeText] = ["conn lost", "lost"]
    package static let timedOut: [SafeText] = ["timed out", "timeout", "time"]
    package static let stalled: [SafeText] = ["stalled", "stall"]
    package static let tls: [SafeText] = ["TLS error", "TLS"]
    package static let certificate: [SafeText] = ["certificate", "cert"]

    // MARK: - Response

    package static let http: [SafeText] = ["status", "HTTP"]
    package static let authenticationRequired: [SafeText] = ["password", "auth"]
    package static let badResponse: [SafeText] = ["bad reply", "invalid", "bad"]
    package static let tooManyRedirects: [SafeText] = ["redirects", "loop"]
    package static let redirectRefused: [SafeText] = ["redirect", "redir"]
    package static let noContent: [SafeText] = ["no content", "empty"]
    package static let truncated: [SafeText] = ["truncated", "short"]
    package static let resourceChanged: [SafeText] = ["new version", "changed", "new"]
    package static let unexpectedContent: [SafeText] = ["wrong file", "wrong"]
    package static let tooLarge: [SafeText] = ["too large", "large"]

    // MARK: - Disk

    package static let checksum: [SafeText] = ["checksum", "sum"]
    package static let diskFull: [SafeText] = ["disk full", "full"]
    package static let readOnly: [SafeText] = ["read-only", "ro"]
    package static let permission: [SafeText] = ["permission", "denied", "perm"]
    package static let notFound: [SafeText] = ["no file", "file"]
    package static let destinationExists: [SafeText] = ["file exists", "exists", "file"]
    package static let destinationIsFolder: [SafeText] = ["is a folder", "folder", "dir"]
    package static let partChanged: [SafeText] = ["part edited", "part"]
    package static let partInUse: [SafeText] = ["part in use", "in use", "busy"]
    package static let storage: [SafeText] = ["disk error", "disk"]

    // MARK: - Request and reader

    package static let invalidURL: [SafeText] = ["bad URL", "URL"]
    package static let unsupportedScheme: [SafeText] = ["scheme", "URL"]
    package static let invalidHeader: [SafeText] = ["bad header", "header", "field"]
    package static let invalidRequest: [SafeText] = ["bad request", "request", "req"]
    package static let bodyUnreadable: [SafeText] = ["body unread", "body"]
    package static let notReplayable: [SafeText] = ["no replay", "body"]
    package static let readerGone: [SafeText] = ["no reader", "pipe"]
    package static let notText: [SafeText] = ["not text", "text"]

    // MARK: - Secrets that a saved session does not have

    package static let cookieNotSaved: [SafeText] = ["cookie", "auth"]
    package static let headerNotSaved: [SafeText] = ["header", "field"]
    package static let tokenNotSaved: [SafeText] = ["token"]
    package static let proxyPasswordNotSaved: [SafeText] = ["proxy login", "proxy"]
    package static let keyPasswordNotSaved: [SafeText] = ["key pass", "key"]
    package static let linkNotSaved: [SafeText] = ["link"]
    package static let bodyNotSaved: [SafeText] = ["body"]
    package static let secretsNotSaved: [SafeText] = ["secrets", "auth"]

    // MARK: - Program

    package static let cancelled: [SafeText] = ["cancelled", "cancel", "off"]
    package static let sessionInvalidated: [SafeText] = ["closed"]
    package static let sessionInUse: [SafeText] = ["session", "busy"]
    package static let predecessor: [SafeText] = ["predecessor", "after"]
    package static let `internal`: [SafeText] = ["internal", "error"]
}

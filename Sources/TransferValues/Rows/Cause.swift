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

    // MARK: - Secrets that a saved session does not have
    case passwordNotSaved, cookieNotSaved, headerNotSaved, tokenNotSaved, proxyPasswordNotSaved, keyPasswordNotSaved
    case linkNotSaved, bodyNotSaved, secretsNotSaved

    // MARK: - Program
    case cancelled, sessionInvalidated, sessionInUse, predecessor, `internal`

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
        case .noNetwork: FailureStates.noNetwork
        case .unknownHost: FailureStates.unknownHost
        case .connectionRefused: FailureStates.connectionRefused
        case .networkUnreachable: FailureStates.networkUnreachable
        case .connectionLost: FailureStates.connectionLost
        case .timedOut: FailureStates.timedOut
        case .stalled: FailureStates.stalled
        case .tls: FailureStates.tls
        case .certificate: FailureStates.certificate
        case .http: FailureStates.http
        case .authenticationRequired: FailureStates.authenticationRequired
        case .badResponse: FailureStates.badResponse
        case .tooManyRedirects: FailureStates.tooManyRedirects
        case .redirectRefused: FailureStates.redirectRefused
        case .noContent: FailureStates.noContent
        case .truncated: FailureStates.truncated
        case .resourceChanged: FailureStates.resourceChanged
        case .unexpectedContent: FailureStates.unexpectedContent
        case .bodyTooLarge: FailureStates.tooLarge
        case .checksum: FailureStates.checksum
        case .diskFull: FailureStates.diskFull
        case .readOnly: FailureStates.readOnly
        case .permission: FailureStates.permission
        case .notFound: FailureStates.notFound
        case .fileTooLarge: FailureStates.tooLarge
        case .destinationExists: FailureStates.destinationExists
        case .destinationIsFolder: FailureStates.destinationIsFolder
        case .partChanged: FailureStates.partChanged
        case .partInUse: FailureStates.partInUse
        case .storage: FailureStates.storage
        case .invalidURL: FailureStates.invalidURL
        case .unsupportedScheme: FailureStates.unsupportedScheme
        case .invalidHeader: FailureStates.invalidHeader
        case .invalidRequest: FailureStates.invalidRequest
        case .bodyUnreadable: FailureStates.bodyUnreadable
        case .notReplayable: FailureStates.notReplayable
        case .readerGone: FailureStates.readerGone
        case .notText: FailureStates.notText
        case .passwordNotSaved: FailureStates.authenticationRequired
        case .cookieNotSaved: FailureStates.cookieNotSaved
        case .headerNotSaved: FailureStates.headerNotSaved
        case .tokenNotSaved: FailureStates.tokenNotSaved
        case .proxyPasswordNotSaved: FailureStates.proxyPasswordNotSaved
        case .keyPasswordNotSaved: FailureStates.keyPasswordNotSaved
        case .linkNotSaved: FailureStates.linkNotSaved
        case .bodyNotSaved: FailureStates.bodyNotSaved
        case .secretsNotSaved: FailureStates.secretsNotSaved
        case .cancelled: FailureStates.cancelled
        case .sessionInvalidated: FailureStates.sessionInvalidated
        case .sessionInUse: FailureStates.sessionInUse
        case .predecessor: FailureStates.predecessor
        case .internal: FailureStates.internal
        }
    }
}

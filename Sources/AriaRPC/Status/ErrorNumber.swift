package import TransferValues

/// aria2's numbers of failures.
package enum ErrorNumber {
    static let none = 0
    static let unknown = 1
    static let removed = 31

    /// The number of a row that has ended.
    static func of(_ row: RowFigures) -> Int {
        switch row.phase {
        case .removed: removed
        case .error: of(row.cause, status: row.statusCode)
        case .active, .waiting, .paused, .complete: none
        }
    }

    /// The number of a failure, which aria2c exits with too.
    package static func of(_ cause: Cause?, status: Int?) -> Int {
        switch cause {
        // Most stalls are connections without a byte, which aria2 counts as timeouts too.
        case .timedOut, .stalled: 2
        case .noNetwork, .networkUnreachable, .connectionLost, .truncated: 6
        case .sessionInvalidated: 7
        case .resourceChanged: 8
        case .diskFull: 9
        case .partInUse: 11
        case .destinationExists: 13
        case .notFound, .bodyUnreadable: 15
        case .readOnly, .permission, .destinationIsFolder: 16
        case .fileTooLarge, .partChanged, .storage, .readerGone, .notText: 17
        case .unknownHost: 19
        case .http: ofStatus(status)
        case .badResponse, .noContent, .unexpectedContent: 22
        case .tooManyRedirects, .redirectRefused: 23
        case .authenticationRequired, .passwordNotSaved, .cookieNotSaved, .headerNotSaved, .tokenNotSaved,
            .proxyPasswordNotSaved, .keyPasswordNotSaved, .linkNotSaved, .bodyNotSaved, .secretsNotSaved:
            24
        case .invalidHeader, .invalidRequest: 28
        case .cancelled: removed
        case .checksum: 32
        case .connectionRefused, .tls, .certificate, .bodyTooLarge, .invalidURL, .unsupportedScheme, .notReplayable,
            .sessionInUse, .predecessor, .internal, nil:
            unknown
        }
    }

    private static func ofStatus(_ status: Int?) -> Int {
        switch status {
        case 404: 3
        case 401, 407: 24
        case 503: 29
        default: 22
        }
    }
}

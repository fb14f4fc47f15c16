import SessionCore
import SessionSupport

/// Translates the library's errors into failures.
extension TransferFailure {
    init(_ error: any Error) {
        guard let error = error as? SessionError else {
            self.init(kind: "internal", category: .ordinary, message: "\(error)")
            return
        }
        self.init(
            kind: error.code.rawValue, category: Self.category(of: error.code),
            message: error.message + Self.nextStep(error.advice), httpStatus: error.statusCode,
            partPath: error.partPath)
    }

    /// The option that helps, for the end of a sentence.
    private static func nextStep(_ advice: SessionError.Advice?) -> String {
        switch advice {
        case .proveContent: "; with --checksum or --verify-overlap it goes on by the bytes themselves"
        case .beginAgain: "; with --retries 10 or more it begins again as often"
        case .keepCookies: "; --cookie-jar FILE keeps them"
        case nil: ""
        }
    }

    init(head: ResponseHead) {
        let words = head.reasonPhrase.isEmpty ? "" : " " + head.reasonPhrase
        self.init(
            kind: SessionError.Code.http.rawValue, category: .ordinary,
            message: "The server answered \(head.statusCode)\(words)" + Self.advice(head), httpStatus: head.statusCode)
    }

    /// An explanation of a status, and what helps.
    private static func advice(_ head: ResponseHead) -> String {
        switch head.statusCode {
        case 300..<400:
            head.headers["Location"] == nil
                ? ", which leads elsewhere without saying where to" : " and names a place that cannot be asked"
        case 411: ": it takes no body of unknown length; write it to a file and send that"
        default: ""
        }
    }

    init(_ failure: BodyOutput.Failure, path: String?) {
        let place = path ?? "standard output"
        switch failure {
        case .readerGone:
            self.init(kind: "readerGone", category: .ordinary, message: "Nobody reads standard output any more")
        case .notAFile:
            self.init(
                kind: SessionError.Code.destinationExists.rawValue, category: .ordinary,
                message: "\(place) is a folder, pipe, socket or disk, which a file cannot replace")
        case .notText:
            self.init(
                kind: "notText", category: .ordinary,
                message: "The body is not text, which a terminal could obey; write it to a file with -o FILE")
        case .otherFile(let words):
            self.init(kind: SessionError.Code.checksum.rawValue, category: .check, message: words)
        case .system(let number):
            self.init(
                kind: SessionError.Code.storage.rawValue,
                category: SystemWords.isDiskRefusal(number) ? .disk : .ordinary,
                message: "\(place) cannot be written: \(SystemWords.text(number))")
        }
    }

    private static func category(of code: SessionError.Code) -> Category {
        switch code {
        case .diskFull, .readOnly: .disk
        case .unknownHost, .connectionRefused, .networkUnreachable: .network
        case .checksum, .certificate: .check
        case .cancelled, .invalidURL, .unsupportedScheme, .invalidHeader, .invalidRequest, .bodyUnreadable,
            .connectionLost, .timedOut, .stalled, .tls, .badResponse, .tooManyRedirects, .redirectRefused, .http,
            .authenticationRequired, .noContent, .truncated, .resourceChanged, .unexpectedContent, .partChanged,
            .bodyTooLarge, .notReplayable,
            .destinationExists, .destinationIsFolder, .permission, .notFound, .fileTooLarge, .partInUse, .storage,
            .sessionInvalidated, .sessionInUse, .internal:
            .ordinary
        }
    }
}

extension ResponseHead {
    /// Whether the response is an error, or a redirect without a usable target.
    var isFailure: Bool { statusCode >= 400 || [301, 302, 303, 307, 308].contains(statusCode) }
}

/// The reason why a saved session cannot be used.
package struct SessionRefusal: Error, Sendable, Equatable {
    /// One sentence, without a trailing full stop.
    package let message: String
    package let category: TransferFailure.Category
    /// Whether another process uses it.
    package let isInUse: Bool

    init(_ name: String, _ error: SessionError) {
        isInUse = error.code == .sessionInUse
        if isInUse {
            let process = error.holdingProcess.map { " (process \($0))" } ?? ""
            message =
                "the session \"\(name)\" is in use by another netdash\(process); leave that one or name another session"
            category = .ordinary
        } else {
            let failure = TransferFailure(error)
            message = "the session \"\(name)\" cannot be opened: \(failure.message)"
            category = failure.category
        }
    }
}

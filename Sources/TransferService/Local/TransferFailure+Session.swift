import SessionCore
import SessionSupport

/// Translates the library's errors into failures.
extension TransferFailure {
    init(_ error: any Error) {
        guard let error = error as? SessionError else {
            self.init(kind: "internal", category: .ordinary, message: error.sentence)
            return
        }
        self.init(
            kind: error.code.rawValue, category: Self.category(of: error.code),
            message: Self.advised(error), httpStatus: error.statusCode,
            partPath: error.partPath)
    }

    /// The sentence of an error, with the option that helps.
    private static func advised(_ error: SessionError) -> String {
        switch error.advice {
        case .proveContent: FailureHints.proveContent(error.message)
        case .beginAgain: FailureHints.beginAgain(error.message)
        case .keepCookies: FailureHints.keepCookies(error.message)
        case .giveFile: FailureHints.giveFile(error.message)
        case .allowPlainHTTP: FailureHints.allowPlainHTTP(error.message)
        case .sendThere: FailureHints.sendThere(error.message)
        case .giveCertificate: FailureHints.giveCertificate(error.message)
        case .givePassphrase: FailureHints.givePassphrase(error.message)
        case .giveProxyCredentials: FailureHints.giveProxyCredentials(error.message)
        case .nameService: FailureHints.nameService(error.message)
        case nil: error.message
        }
    }

    init(head: ResponseHead) {
        guard head.statusCode != 407 else {
            self.init(head.proxyRefusal)
            return
        }
        self.init(
            kind: SessionError.Code.http.rawValue, category: .ordinary, message: Self.sentence(head),
            httpStatus: head.statusCode)
    }

    /// An explanation of a status, and what helps.
    private static func sentence(_ head: ResponseHead) -> String {
        switch head.statusCode {
        case let status where ResponseHead.redirects.contains(status):
            head.headers["Location"] == nil
                ? ServiceErrors.redirectWithoutTarget(head.statusSentence)
                : ServiceErrors.redirectUnusable(head.statusSentence)
        case 411: ServiceErrors.lengthRequired(head.statusSentence)
        default: head.statusSentence
        }
    }

    init(_ failure: BodyOutput.Failure, path: String?) {
        let output = path ?? ServiceLabels.standardOutput
        switch failure {
        case .readerGone:
            self.init(kind: "readerGone", category: .ordinary, message: ServiceErrors.readerGone)
        case .notAFile:
            self.init(
                kind: SessionError.Code.destinationExists.rawValue, category: .ordinary,
                message: ServiceErrors.notReplaceable(output))
        case .notText:
            self.init(
                kind: "notText", category: .ordinary,
                message: FailureHints.writeToFile(ServiceErrors.binaryBody))
        case .otherFile(let words):
            self.init(kind: SessionError.Code.checksum.rawValue, category: .check, message: words)
        case .system(let number):
            self.init(
                kind: SessionError.Code.storage.rawValue,
                category: SystemWords.isDiskRefusal(number) ? .disk : .ordinary,
                message: ServiceErrors.unwritable(output, SystemWords.text(number)))
        }
    }
}

extension ResponseHead {
    fileprivate static let redirects = [301, 302, 303, 307, 308]

    /// Whether the response is an error, or a redirect without a usable target.
    var isFailure: Bool { Self.isFailure(statusCode, of: .download) }

    /// Whether a task fails by a status: an error, a redirect without a usable target, or another protocol (101).
    ///
    /// Only 2xx says that a server has taken an upload's body (RFC 9110, 15.3).
    ///
    /// - Parameter keepsRedirects: whether redirects are responses like others.
    static func isFailure(_ status: Int, of kind: Job.Kind, keepsRedirects: Bool = false) -> Bool {
        if status < 200 { return true }
        if kind == .upload { return status >= 300 }
        return status >= 400 || !keepsRedirects && redirects.contains(status)
    }
}

/// The reason why a saved session cannot be used.
package struct SessionRefusal: Error, Sendable, Equatable {
    /// One sentence, without a trailing full stop.
    package let message: String
    package let category: TransferFailure.Category
    /// Whether another process uses it.
    package let isInUse: Bool
    /// The number of that process, as far as it is known.
    package let process: Int32?

    /// A service that cannot be reached.
    package init(_ message: String) { self.init(message, .network) }

    init(_ name: String, _ error: SessionError) {
        guard error.code != .sessionInUse else {
            self.init(name, heldBy: error.holdingProcess)
            return
        }
        let failure = TransferFailure(error)
        self.init(ServiceErrors.sessionUnusable(name, failure.message), failure.category)
    }

    /// The process that has a session open and that no command reaches; nil where none has.
    package init?(ofHolderOf name: String, environment: [String: String]) {
        guard let folder = UserFolder.sessions(environment: environment),
            let holder = SessionHolder(of: name, in: folder)
        else { return nil }
        self.init(name, heldBy: holder.process, isReached: false)
    }

    private init(_ name: String, heldBy process: Int32?, isReached: Bool = true) {
        let fact = process.map { ServiceErrors.sessionInUse(name, process: $0) } ?? ServiceErrors.sessionInUse(name)
        let hint = isReached ? nil : process.map { FailureHints.otherSession(fact, of: $0) }
        message = hint ?? FailureHints.otherSession(fact, than: name)
        (category, isInUse, self.process) = (.ordinary, true, process)
    }

    private init(_ message: String, _ category: TransferFailure.Category) {
        (self.message, self.category, isInUse, process) = (message, category, false, nil)
    }
}

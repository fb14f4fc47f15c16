import Foundation
import SessionSupport

/// A form is a body like others; the request gets its type where it has none of its own.
extension MultipartForm: BodyProvider {
    /// The form, looked through; one without parts is an empty body.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` for a file that is not there and ``SessionError/Code/invalidRequest`` for a
    /// boundary that cannot be one; ``SessionError/underlying`` has the reason.
    public func makeBody() throws(SessionError) -> BodySpecification {
        guard !parts.isEmpty else { return .bytes([]) }
        do throws(RequestSerializationError) {
            try check()
        } catch {
            throw SessionError(error)
        }
        return body
    }
}

/// Forms as bodies of upload tasks.
extension SessionManager {
    /// A task whose body is a form.
    func uploadTask(
        _ request: TransferRequest, urlRequest: URLRequest?, form: MultipartForm, _ options: TaskOptions,
        closures: consuming TaskRecord.Closures
    ) throws(SessionError) -> SessionTask {
        var (request, form) = (request, form)
        if !form.parts.isEmpty {
            request.headers["Content-Type"] = form.contentType(keeping: request.headers["Content-Type"])
        }
        request.body = try form.makeBody()
        return try uploadTask(request, urlRequest: urlRequest, options, throttle: form.throttle, closures: closures)
    }

    /// A task with the body of its request; another thread writes one that may make its reader wait.
    func uploadTask(
        _ request: TransferRequest, urlRequest: URLRequest?, _ options: TaskOptions,
        throttle: MultipartForm.Throttle? = nil, closures: consuming TaskRecord.Closures
    ) throws(SessionError) -> SessionTask {
        var request = request
        if case .pieces(let pieces) = request.body, throttle != nil || !request.body.isReplayable {
            // Announced, so that a body that turns out otherwise is never a whole request.
            if let length = try FormPipe.length(of: pieces) { request.headers["Content-Length"] = "\(length)" }
            let body = try FormPipe.start(pieces, throttle: throttle)
            if request.body.isReplayable {
                let kept = Locked([body])
                closures.makeBody = { () throws(SessionError) in
                    let body = try FormPipe.start(pieces, throttle: throttle)
                    // Until the task has ended: a thread may still look at the descriptor of the one before.
                    kept.withLock { $0.append(body) }
                    return .descriptor(body.descriptor)
                }
            }
            request.body = .descriptor(body.descriptor)
            closures.body = body
        }
        return try makeTask(
            .upload, request, urlRequest: urlRequest, options: options, route: .memory, closures: closures)
    }
}

extension SessionError {
    /// The error of a request that could not be made, as the factories throw it.
    init(_ error: RequestSerializationError) {
        let code: Code =
            switch error.reason {
            case .unreadablePart: .bodyUnreadable
            case .invalidURL: .invalidURL
            case .notAnObject, .notANumber, .tooDeep, .notEncodable, .invalidJSON, .invalidPropertyList,
                .methodWithoutBody, .invalidBoundary, .queryFailed:
                .invalidRequest
            }
        self.init(code, error.description, failingURL: error.url)
        underlying = UnderlyingError(error)
    }
}

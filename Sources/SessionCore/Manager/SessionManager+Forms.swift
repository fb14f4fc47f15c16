import Foundation
import SessionSupport

/// A form as a request's body; the request gets its type unless it sets its own.
extension MultipartForm: BodyProvider {
    /// Returns the validated form; one without parts is an empty body.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` for a missing file and ``SessionError/Code/invalidRequest`` for an
    /// invalid boundary; ``SessionError/underlying`` has the reason.
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

    /// Makes a task with the body of its request; a body that may make its reader wait is written by another thread.
    func uploadTask(
        _ request: TransferRequest, urlRequest: URLRequest?, _ options: TaskOptions,
        throttle: MultipartForm.Throttle? = nil, closures: consuming TaskRecord.Closures
    ) throws(SessionError) -> SessionTask {
        var request = request
        let body = try SentBody(request.body, throttle: throttle)
        if let piped = body.piped {
            if request.body.isReplayable { closures.makeBody = request.body.makeBody }
            if let length = piped.length { request.headers["Content-Length"] = "\(length)" }
            request.body = body.specification
            (closures.body, closures.throttle) = (piped, throttle)
        }
        return try makeTask(
            .upload, request, urlRequest: urlRequest, options: options, route: .memory, closures: closures)
    }
}

extension SessionError {
    /// The error that the factories throw for a request that could not be made.
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

public import SessionCore

/// Forms with their requests, as bodies of upload tasks.
extension SessionManager {
    /// Makes an upload task whose body is a streamed form: files are read while they are sent.
    ///
    /// Throws as ``SessionCore/SessionManager/uploadTask(with:from:progress:options:completionHandler:)`` does.
    public func uploadTask(
        with multipart: MultipartRequest, progress: ProgressBlock? = nil, options: TaskOptions = TaskOptions(),
        completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try uploadTask(
            with: multipart.request, from: multipart.body, progress: progress, options: options,
            completionHandler: completionHandler)
    }

    /// Sends a form and returns the response's body in the given format; by default the completion.
    public func upload<Value: Sendable>(
        _ multipart: MultipartRequest,
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await upload(for: multipart.request, from: multipart.body, as: format, options: options)
    }
}

extension MultipartRequest {
    /// The form as a body; the request's own body if the form has no parts.
    fileprivate var body: any BodyProvider { form.parts.isEmpty ? request.body : form }
}

public import SessionCore

/// Forms with their requests, as bodies of upload tasks.
extension SessionManager {
    /// An upload task whose body is a form, which is streamed: files are read while they are sent.
    ///
    /// Throws what ``SessionCore/SessionManager/uploadTask(with:from:progress:options:completionHandler:)`` throws.
    public func uploadTask(
        with multipart: MultipartRequest, progress: ProgressBlock? = nil, options: TaskOptions = TaskOptions(),
        completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try uploadTask(
            with: multipart.request, from: multipart.body, progress: progress, options: options,
            completionHandler: completionHandler)
    }

    /// Sends a form and returns what the format makes of the response's body; unless one is given, how the task ended.
    public func upload<Value: Sendable>(
        _ multipart: MultipartRequest,
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await upload(for: multipart.request, from: multipart.body, as: format, options: options)
    }
}

extension MultipartRequest {
    /// The form as a body; what the request has where the form has no parts.
    fileprivate var body: any BodyProvider { form.parts.isEmpty ? request.body : form }
}

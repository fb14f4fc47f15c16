public import SessionCore

/// Methods that have a body, waiting: see ``HTTPManager/send(_:_:parameters:headers:options:)``.
extension HTTPManager {
    /// A POST, and what the format makes of the response's body.
    public func post<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("POST", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// A POST of a value that encodes itself, and what the format makes of the response's body.
    public func post<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("POST", path, body: parameters, headers: headers, as: format, options: options)
    }

    /// A POST of a value that encodes itself, and what the format makes of the response's body.
    public func post<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("POST", path, body: body, headers: headers, as: format, options: options)
    }

    /// A POST of a form, and what the format makes of the response's body.
    nonisolated(nonsending) public func post<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions(),
        build: (inout MultipartForm) throws -> Void
    ) async throws -> Value {
        let multipart = try multipartRequest("POST", path, parameters: parameters, headers: headers, build: build)
        return try await manager.upload(multipart, as: format, options: options)
    }

    /// A PUT, and what the format makes of the response's body.
    public func put<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PUT", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// A PUT of a value that encodes itself, and what the format makes of the response's body.
    public func put<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PUT", path, body: parameters, headers: headers, as: format, options: options)
    }

    /// A PUT of a value that encodes itself, and what the format makes of the response's body.
    public func put<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PUT", path, body: body, headers: headers, as: format, options: options)
    }

    /// A PATCH, and what the format makes of the response's body.
    public func patch<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PATCH", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// A PATCH of a value that encodes itself, and what the format makes of the response's body.
    public func patch<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PATCH", path, body: parameters, headers: headers, as: format, options: options)
    }

    /// A PATCH of a value that encodes itself, and what the format makes of the response's body.
    public func patch<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PATCH", path, body: body, headers: headers, as: format, options: options)
    }
}

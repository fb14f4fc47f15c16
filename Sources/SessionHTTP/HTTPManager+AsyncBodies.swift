public import SessionCore

/// The waiting methods with a body: see ``HTTPManager/send(_:_:parameters:headers:options:)``.
extension HTTPManager {
    /// Sends a POST and returns the response's body in the given format.
    public func post<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("POST", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a POST of an `Encodable` value and returns the response's body in the given format.
    public func post<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("POST", path, body: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a POST of an `Encodable` value and returns the response's body in the given format.
    public func post<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("POST", path, body: body, headers: headers, as: format, options: options)
    }

    /// Sends a POST of a form and returns the response's body in the given format.
    nonisolated(nonsending) public func post<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions(),
        build: (inout MultipartForm) throws -> Void
    ) async throws -> Value {
        let multipart = try multipartRequest("POST", path, parameters: parameters, headers: headers, build: build)
        return try await manager.upload(multipart, as: format, options: options)
    }

    /// Sends a PUT and returns the response's body in the given format.
    public func put<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PUT", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a PUT of an `Encodable` value and returns the response's body in the given format.
    public func put<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PUT", path, body: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a PUT of an `Encodable` value and returns the response's body in the given format.
    public func put<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PUT", path, body: body, headers: headers, as: format, options: options)
    }

    /// Sends a PATCH and returns the response's body in the given format.
    public func patch<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PATCH", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a PATCH of an `Encodable` value and returns the response's body in the given format.
    public func patch<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PATCH", path, body: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a PATCH of an `Encodable` value and returns the response's body in the given format.
    public func patch<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("PATCH", path, body: body, headers: headers, as: format, options: options)
    }
}

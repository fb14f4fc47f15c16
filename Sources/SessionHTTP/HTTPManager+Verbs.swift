public import SessionCore
import SessionSupport

/// AFNetworking's methods, which create a task, resume it and return it.
///
/// Exactly one of the two closures is called, once, on the completion queue: `success` only without an error, so the
/// object of an unacceptable status is not delivered here. For a request that cannot be made, `failure` is called
/// without a task after the method has returned nil.
extension HTTPManager {
    /// Starts a GET with the parameters in the URL.
    @discardableResult
    public func get(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        progress: SessionManager.ProgressBlock? = nil, success: SuccessHandler?,
        failure: FailureHandler?
    ) -> SessionTask? {
        let call = Call("GET", path, parameters, headers, success, failure)
        return start(call) { try self.dataTask(call, downloadProgress: progress) }
    }

    /// Starts a HEAD; `success` gets no object.
    @discardableResult
    public func head(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        success: SuccessHandler?, failure: FailureHandler?
    ) -> SessionTask? {
        let call = Call("HEAD", path, parameters, headers, success, failure)
        return start(call) { try self.dataTask(call) }
    }

    /// Starts a POST; the progress is the upload's.
    @discardableResult
    public func post(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        progress: SessionManager.ProgressBlock? = nil, success: SuccessHandler?,
        failure: FailureHandler?
    ) -> SessionTask? {
        let call = Call("POST", path, parameters, headers, success, failure)
        return start(call) { try self.dataTask(call, uploadProgress: progress) }
    }

    /// Starts a POST of a streamed form: the parameters as parts, then the closure's parts.
    @discardableResult
    public func post(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        build: (inout MultipartForm) throws -> Void, progress: SessionManager.ProgressBlock? = nil,
        success: SuccessHandler?, failure: FailureHandler?
    ) -> SessionTask? {
        let call = Call("POST", path, parameters, headers, success, failure)
        return start(call) {
            let multipart = try multipartRequest(
                "POST", path, parameters: parameters, headers: headers, build: build)
            return try call.follow {
                try manager.uploadTask(with: multipart, progress: progress, completionHandler: $0)
            }
        }
    }

    /// Starts a PUT.
    @discardableResult
    public func put(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        success: SuccessHandler?, failure: FailureHandler?
    ) -> SessionTask? {
        let call = Call("PUT", path, parameters, headers, success, failure)
        return start(call) { try self.dataTask(call) }
    }

    /// Starts a PATCH.
    @discardableResult
    public func patch(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        success: SuccessHandler?, failure: FailureHandler?
    ) -> SessionTask? {
        let call = Call("PATCH", path, parameters, headers, success, failure)
        return start(call) { try self.dataTask(call) }
    }

    /// Starts a DELETE; the parameters go into the URL unless ``RequestSettings/methodsWithParametersInURL`` says
    /// otherwise.
    @discardableResult
    public func delete(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        success: SuccessHandler?, failure: FailureHandler?
    ) -> SessionTask? {
        let call = Call("DELETE", path, parameters, headers, success, failure)
        return start(call) { try self.dataTask(call) }
    }

    /// Makes a task of any method without resuming it.
    ///
    /// Throws a ``RequestSerializationError`` or an error of ``SessionManager``, before a task exists.
    public func dataTask(
        method: String, _ path: String, parameters: ParameterValue? = nil,
        headers: HeaderFields = HeaderFields(),
        uploadProgress: SessionManager.ProgressBlock? = nil,
        downloadProgress: SessionManager.ProgressBlock? = nil,
        success: SuccessHandler?, failure: FailureHandler?
    ) throws -> SessionTask {
        try dataTask(
            Call(method, path, parameters, headers, success, failure), uploadProgress: uploadProgress,
            downloadProgress: downloadProgress)
    }

    // MARK: Making tasks

    private func dataTask(
        _ call: Call, uploadProgress: SessionManager.ProgressBlock? = nil,
        downloadProgress: SessionManager.ProgressBlock? = nil
    ) throws -> SessionTask {
        let request = try request(
            call.method, call.path, parameters: call.parameters, headers: call.headers)
        return try call.follow { handler in
            try manager.dataTask(
                with: request, uploadProgress: uploadProgress, downloadProgress: downloadProgress,
                completionHandler: handler)
        }
    }

    /// Resumes the task a closure makes; its error is reported on the completion queue, after this method has returned.
    private func start(_ call: Call, _ make: () throws -> SessionTask) -> SessionTask? {
        do {
            let task = try make()
            task.resume()
            return task
        } catch {
            guard let failure = call.failure else { return nil }
            let queue = manager.deliveryQueue
            queue.async { failure(nil, error) }
            return nil
        }
    }
}

/// One call of a method, with its closures.
private struct Call: Sendable {
    let method: String
    let path: String
    let parameters: ParameterValue?
    let headers: HeaderFields
    let success: HTTPManager.SuccessHandler?
    let failure: HTTPManager.FailureHandler?

    init(
        _ method: String, _ path: String, _ parameters: ParameterValue?, _ headers: HeaderFields,
        _ success: HTTPManager.SuccessHandler?, _ failure: HTTPManager.FailureHandler?
    ) {
        (self.method, self.path, self.parameters, self.headers) = (method, path, parameters, headers)
        (self.success, self.failure) = (success, failure)
    }

    /// Makes a task with a completion handler that calls the call's own closures.
    ///
    /// The handler has the task weakly: the task has the handler, and a task that is never resumed would keep itself.
    func follow(_ make: (SessionManager.CompletionHandler?) throws -> SessionTask) rethrows
        -> SessionTask
    {
        guard success != nil || failure != nil else { return try make(nil) }
        let reference = Locked<WeakTask?>(nil)
        let hasNoBody = method.uppercased() == "HEAD"
        let (success, failure) = (success, failure)
        let task = try make { _, object, error in
            let task = reference.withLock { $0?.task }
            if let error {
                failure?(task, error)
            } else if let task {
                success?(task, hasNoBody ? nil : object)
            }
        }
        reference.withLock { $0 = WeakTask(task: task) }
        return task
    }
}

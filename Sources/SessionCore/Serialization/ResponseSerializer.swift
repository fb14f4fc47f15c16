public import Foundation

/// A serializer of responses, which turns a body into an object and decides whether the response is acceptable.
///
/// A serializer is a value: every task takes a copy when it is created, so that later changes never reach it. It is
/// called on a concurrent queue, or on the delegate queue if ``isQuick(byteCount:)`` says so.
///
/// ```swift
/// struct Lines: ResponseSerializer {
///     func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
///         SerializedResponse(object: String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init))
///     }
/// }
/// let lines = try await manager.data(for: request, as: ResponseFormat<[String]>(Lines()))
/// print(lines.count)
/// ```
public protocol ResponseSerializer: Sendable {
    /// Makes an object from a body. Both an object and an error may be returned. `data` is empty if there was no body.
    func serialize(head: ResponseHead?, data: Data) -> SerializedResponse

    /// Returns whether a body of this length is serialized too quickly to be worth another queue.
    func isQuick(byteCount: Int) -> Bool
}

extension ResponseSerializer {
    /// Returns false: an unknown serializer never delays the delegate queue.
    public func isQuick(byteCount: Int) -> Bool { false }
}

/// The result of a serializer: an object, an error, or both.
///
/// ```swift
/// let response = JSONResponseSerializer().serialize(head: nil, data: Data("[1]".utf8))
/// print(response.object ?? "nothing", response.error ?? "no error")
/// ```
public struct SerializedResponse: Sendable {
    /// The object; nil if there is none.
    public var object: (any Sendable)?
    /// Why the response is not acceptable; an object may be present too.
    public var error: (any Error)?

    /// A result from its parts.
    public init(object: (any Sendable)? = nil, error: (any Error)? = nil) {
        self.object = object
        self.error = error
    }
}

/// A serializer that accepts every response and returns the body as `Data`.
///
/// ```swift
/// let completion = try await manager.data(
///     for: request, options: TaskOptions(responseSerializer: DataResponseSerializer()))
/// print(completion.data.count)
/// ```
public struct DataResponseSerializer: ResponseSerializer, Codable {
    /// A serializer without conditions.
    public init() {}

    /// Returns the body, unchanged.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        SerializedResponse(object: data)
    }

    /// Returns whether the body is up to 64 KiB, since the bytes are only wrapped.
    public func isQuick(byteCount: Int) -> Bool { byteCount <= 64 << 10 }
}

/// A serializer that checks status code and content type and returns the body as `Data`, also when the check fails.
///
/// ```swift
/// manager.responseSerializer = HTTPResponseSerializer(validation: ResponseValidation(contentTypes: ["image/png"]))
/// ```
public struct HTTPResponseSerializer: ResponseSerializer, Codable {
    /// The accepted status codes and content types.
    public var validation: ResponseValidation

    /// Accepts 2xx and every content type by default.
    public init(validation: ResponseValidation = ResponseValidation()) {
        self.validation = validation
    }

    /// Returns the body, with the error of the validation.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        SerializedResponse(object: data, error: validation.validate(head, data).error)
    }

    /// Returns whether the body is up to 64 KiB, since the bytes are only wrapped.
    public func isQuick(byteCount: Int) -> Bool { byteCount <= 64 << 10 }
}

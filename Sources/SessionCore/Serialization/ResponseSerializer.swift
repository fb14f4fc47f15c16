public import Foundation

/// A serializer of responses, which turns a body into an object and decides whether the response is acceptable.
///
/// A serializer is a value: every task takes a copy when it is created, so that later changes never reach it. It is
/// called on a concurrent queue, or on the delegate queue where ``isQuick(byteCount:)`` says so.
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
    /// Makes an object of a body. An object and an error may both be there. `data` is empty where there was no body.
    func serialize(head: ResponseHead?, data: Data) -> SerializedResponse

    /// Whether a body of this length takes so little time that no hop to another queue is worth it.
    func isQuick(byteCount: Int) -> Bool
}

extension ResponseSerializer {
    /// Refuses every response: a serializer nobody knows never holds up the delegate queue.
    public func isQuick(byteCount: Int) -> Bool { false }
}

/// The result of a serializer: an object, an error, or both.
///
/// ```swift
/// let response = JSONResponseSerializer().serialize(head: nil, data: Data("[1]".utf8))
/// print(response.object ?? "nothing", response.error ?? "no error")
/// ```
public struct SerializedResponse: Sendable {
    /// The object; nil where there is none.
    public var object: (any Sendable)?
    /// Why the response is not acceptable; an object may be there all the same.
    public var error: (any Error)?

    /// A result from its parts.
    public init(object: (any Sendable)? = nil, error: (any Error)? = nil) {
        self.object = object
        self.error = error
    }
}

/// A serializer that accepts every response and hands over the body as `Data`.
///
/// ```swift
/// let completion = try await manager.data(
///     for: request, options: TaskOptions(responseSerializer: DataResponseSerializer()))
/// print(completion.data.count)
/// ```
public struct DataResponseSerializer: ResponseSerializer, Codable {
    /// A serializer without conditions.
    public init() {}

    /// The body, unchanged.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        SerializedResponse(object: data)
    }

    /// Whether a body is short enough: up to 64 KiB, since the bytes are only wrapped.
    public func isQuick(byteCount: Int) -> Bool { byteCount <= 64 << 10 }
}

/// A serializer that checks status code and content type and hands over the body as `Data`, also when the check fails.
///
/// ```swift
/// manager.responseSerializer = HTTPResponseSerializer(validation: ResponseValidation(contentTypes: ["image/png"]))
/// ```
public struct HTTPResponseSerializer: ResponseSerializer, Codable {
    /// What is accepted.
    public var validation: ResponseValidation

    /// Accepts 2xx and every content type unless told otherwise.
    public init(validation: ResponseValidation = ResponseValidation()) {
        self.validation = validation
    }

    /// The body, with the error of the validation.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        SerializedResponse(object: data, error: validation.validate(head, data).error)
    }

    /// Whether a body is short enough: up to 64 KiB, since the bytes are only wrapped.
    public func isQuick(byteCount: Int) -> Bool { byteCount <= 64 << 10 }
}

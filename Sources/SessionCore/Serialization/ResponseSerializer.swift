public import Foundation

/// Turns a response's body into an object and decides whether the response is acceptable.
///
/// A serializer is a value: every task takes a copy when it is created, so that later changes never reach it. It is
/// called on a concurrent queue.
public protocol ResponseSerializer: Sendable {
    /// Makes an object of a body. An object and an error may both be there. `data` is empty where there was no body.
    func serialize(head: ResponseHead?, data: Data) -> SerializedResponse

    /// Whether an empty body with this head is accepted without an object, which saves the hop to another queue.
    func acceptsEmptyBody(head: ResponseHead?) -> Bool
}

extension ResponseSerializer {
    /// Says no, so that ``serialize(head:data:)`` is always asked.
    public func acceptsEmptyBody(head: ResponseHead?) -> Bool { false }
}

public import Foundation

/// Turns a response's body into an object and decides whether the response is acceptable.
///
/// A serializer is a value: every task takes a copy when it is created, so that later changes never reach it. It is
/// called on a concurrent queue, or on the delegate queue where ``isQuick(byteCount:)`` says so.
public protocol ResponseSerializer: Sendable {
    /// Makes an object of a body. An object and an error may both be there. `data` is empty where there was no body.
    func serialize(head: ResponseHead?, data: Data) -> SerializedResponse

    /// Whether a body of this length takes so little time that no hop to another queue is worth it.
    func isQuick(byteCount: Int) -> Bool
}

extension ResponseSerializer {
    /// Says no: a serializer nobody knows never holds up the delegate queue.
    public func isQuick(byteCount: Int) -> Bool { false }
}

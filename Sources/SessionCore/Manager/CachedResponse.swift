public import Foundation

/// A response that may be stored.
public struct CachedResponse: Sendable, Equatable {
    /// The request that was answered.
    public var request: TransferRequest
    /// The head.
    public var head: ResponseHead
    /// The body.
    public var data: Data

    /// A response from its parts.
    public init(request: TransferRequest, head: ResponseHead, data: Data) {
        self.request = request
        self.head = head
        self.data = data
    }
}

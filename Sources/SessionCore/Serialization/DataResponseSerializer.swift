public import Foundation

/// Accepts every response and hands over the body as `Data`.
public struct DataResponseSerializer: ResponseSerializer {
    /// A serializer without conditions.
    public init() {}

    /// The body, unchanged.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        SerializedResponse(object: data)
    }

    /// Up to 64 KiB: the bytes are only wrapped.
    public func isQuick(byteCount: Int) -> Bool { byteCount <= 64 << 10 }
}

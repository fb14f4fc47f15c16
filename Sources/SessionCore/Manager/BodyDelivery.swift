/// Where the body of a data task goes.
public enum BodyDelivery: Sendable {
    /// Collected, serialized and handed to the completion handler; limited by ``SessionConfiguration/dataLimit``.
    case memory
    /// Handed over in chunks on the delegate queue, in order, and not collected. The transfer waits while chunks are
    /// unread, so a slow closure slows the server down instead of filling memory.
    case stream(@Sendable ([UInt8]) -> Void)
}

/// The limits of a server.
public struct ServerConfiguration: Sendable {
    /// The port on 127.0.0.1; 0 takes a free one.
    public var port: UInt16 = 0
    /// The largest request head in bytes; a larger one gets status 431.
    public var headLimit = 65_536
    /// The largest request body in bytes; a larger one gets status 413.
    public var bodyLimit: Int64 = 1 << 40
    /// The most concurrent connections; more wait in the kernel until one ends.
    public var connectionLimit = 4_096
    /// How long a connection may send nothing while the server waits for its bytes.
    public var idleTimeoutMilliseconds: Int64 = 60_000
    /// How many first bytes of each request body are kept.
    public var keptBodyByteCount = 65_536
    /// The least number of newest requests that stay recorded.
    public var recordedRequestLimit = 20_000
    /// The kernel's send buffer of each connection; nil leaves it to the kernel.
    public var sendBufferByteCount: Int?
    /// The kernel's receive buffer of each connection; nil leaves it to the kernel.
    public var receiveBufferByteCount: Int?

    /// Creates the defaults above.
    public init() {}
}

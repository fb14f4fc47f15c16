/// How a session behaves.
///
/// A value: later changes to a caller's copy have no effect on a session.
public struct SessionConfiguration: Sendable, Equatable, Codable {
    /// Transfers at once.
    ///
    /// Paused ones do not count.
    public var maximumConcurrentTransfers: Int = 64
    /// Transfers at once to one origin.
    public var maximumConcurrentTransfersPerHost: Int = 16
    /// Attempts in a row without a byte of progress before a transfer fails.
    public var maximumRetries: Int = 5
    /// Seconds to establish a connection.
    public var connectTimeout: Double = 15
    /// Seconds without a byte moving before an attempt counts as stalled; a request's own value wins.
    public var stallTimeout: Double = 30
    /// Bytes of body a data task collects before it fails.
    public var dataLimit: Int = 64 << 20
    /// Seconds a paused download holds its connection before it is given up.
    public var holdTimeout: Double = 10
    /// Header fields of every request; a request's own field of the same name wins.
    public var additionalHeaders: HeaderFields = ["User-Agent": "netdash/0.1"]
    /// Folder for downloads whose destination is asked for at the end; nil for one in the system's temporary folder.
    public var stagingFolder: String?

    /// The default values.
    public init() {}

    /// The default values (`NSURLSessionConfiguration.defaultSessionConfiguration`).
    public static var `default`: SessionConfiguration { SessionConfiguration() }
}

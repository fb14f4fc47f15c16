/// The number of connections that a download may use at once, and the size from which on.
///
/// Only a file whose server proves its version with a strong validator and sends parts of it is fetched so, over HTTP/1.1;
/// every other gets one connection. Each connection's bytes are proven as those of a resumed download are.
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.segmentation = Segmentation(connections: .exactly(4))
/// let manager = SessionManager(configuration: configuration)
/// ```
public struct Segmentation: Sendable, Hashable, Codable {
    /// The number of connections, or the rule that finds it.
    ///
    /// ```swift
    /// print(Segmentation(connections: .automatic).connections == .exactly(1))
    /// ```
    public enum Connections: Sendable, Hashable, Codable {
        /// One at first, and more only while the whole gets clearly faster by them.
        case automatic
        /// So many at once, from 1 to 16, as far as slots and the file's size allow it.
        case exactly(Int)
    }

    /// The most connections for one file.
    package static let largestCount = 16
    /// The most that are tried where nobody named a number.
    package static let automaticCount = 8

    /// The fewest bytes that are worth a connection.
    package static let smallestSegment: Int64 = 64 << 10

    /// How many connections.
    public var connections: Connections
    /// Bytes that a connection has to be good for, at least 64 KiB.
    public var minimumSegment: Int64

    /// Connections as they are named, for segments of at least 1 MiB.
    public init(connections: Connections = .automatic, minimumSegment: Int64 = 1 << 20) {
        self.connections = connections
        self.minimumSegment = minimumSegment
    }

    /// One connection for each file.
    package static let single = Segmentation(connections: .exactly(1))

    /// The most connections at once.
    package var limit: Int {
        switch connections {
        case .automatic: Self.automaticCount
        case .exactly(let count): min(max(count, 1), Self.largestCount)
        }
    }
}

/// A stretch of a file that is downloaded over several connections.
///
/// All stretches of a download together are the whole file, in order.
package struct DownloadSegment: Sendable, Hashable {
    /// Its bytes in the file.
    package var range: Range<Int64>
    /// How many of them are there, from its beginning.
    package var received: Int64
    /// How fast they come at the moment; nil where no connection works on it.
    package var bytesPerSecond: Int64?
    /// Which of the download's sources the connection goes to, counted from 0; nil where none works on it or there is only one.
    package var source: Int?

    /// A stretch of a file.
    package init(range: Range<Int64>, received: Int64, bytesPerSecond: Int64? = nil, source: Int? = nil) {
        self.range = range
        self.received = received
        self.bytesPerSecond = bytesPerSecond
        self.source = source
    }
}

/// The number of connections that a download may use at once, and the least size per connection.
///
/// Only a file whose server gives a strong validator and supports ranges is split, over HTTP/1.1; every other gets one
/// connection. Each connection's bytes are verified like a resumed download's.
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
        /// One at first, and more only while the download gets clearly faster by them.
        case automatic
        /// This many at once, from 1 to 16, as far as slots and the file's size allow it.
        case exactly(Int)
    }

    package static let largestCount = 16
    /// The most connections without an explicit number.
    package static let automaticCount = 8

    /// The fewest bytes that justify a connection.
    package static let smallestSegment: Int64 = 64 << 10

    /// The number of connections.
    public var connections: Connections
    /// The least bytes per connection, at least 64 KiB.
    public var minimumSegment: Int64

    /// Creates a segmentation, by default with segments of at least 1 MiB.
    public init(connections: Connections = .automatic, minimumSegment: Int64 = 1 << 20) {
        self.connections = connections
        self.minimumSegment = minimumSegment
    }

    /// One connection for each file.
    package static let single = Segmentation(connections: .exactly(1))

    package var limit: Int {
        switch connections {
        case .automatic: Self.automaticCount
        case .exactly(let count): min(max(count, 1), Self.largestCount)
        }
    }
}

/// A segment of a file that is downloaded over several connections.
///
/// All segments of a download together are the complete file, in order.
package struct DownloadSegment: Sendable, Hashable {
    /// Its bytes in the file.
    package var range: Range<Int64>
    /// The bytes from its beginning that have arrived.
    package var received: Int64
    /// Its current speed; nil without a connection.
    package var bytesPerSecond: Int64?
    /// The index of its connection's source; nil without a connection or with one source.
    package var source: Int?

    package init(range: Range<Int64>, received: Int64, bytesPerSecond: Int64? = nil, source: Int? = nil) {
        self.range = range
        self.received = received
        self.bytesPerSecond = bytesPerSecond
        self.source = source
    }
}

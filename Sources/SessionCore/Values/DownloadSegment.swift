/// A stretch of a file that is downloaded over several connections.
///
/// All stretches of a download together are the whole file, in order.
public struct DownloadSegment: Sendable, Hashable {
    /// Its bytes in the file.
    public var range: Range<Int64>
    /// How many of them are there, from its beginning.
    public var received: Int64
    /// How fast they come at the moment; nil where no connection works on it.
    public var bytesPerSecond: Int64?
    /// Which of the download's sources the connection goes to, counted from 0; nil where none works on it or there is only one.
    public var source: Int?

    /// A stretch of a file.
    public init(range: Range<Int64>, received: Int64, bytesPerSecond: Int64? = nil, source: Int? = nil) {
        self.range = range
        self.received = received
        self.bytesPerSecond = bytesPerSecond
        self.source = source
    }
}

/// Further places of the file that a download fetches.
///
/// A mirror is believed only after its file was compared: it has the same length, and the same strong digest, or the same
/// bytes in its first and last block. A mirror at another origin gets neither credentials nor cookies nor header fields that
/// say something about the sender, as after a redirect. The first source is the request's own URL; when it fails, the next
/// one takes its place, also with one connection. With several connections they are spread over all sources.
///
/// ```swift
/// var target = DownloadTarget(folder: folder)
/// target.mirrors = Mirrors(urls: ["https://mirror.example.org/image.iso"])
/// ```
public struct Mirrors: Sendable, Hashable, Codable {
    /// The most mirrors that one download looks at; those behind them are left out.
    package static let limit = 32

    /// The URLs of the same file, http or https, in the order in which they are tried.
    public var urls: [String]
    /// The length that the file must have, where it is known beforehand: a source with another length is dropped.
    public var length: Int64?

    /// The mirrors of a file.
    public init(urls: [String], length: Int64? = nil) {
        self.urls = urls
        self.length = length
    }
}

/// One source of a download that has several: its own URL, or a mirror.
package struct DownloadSource: Sendable, Hashable {
    /// What is known of a source.
    package enum Status: Sendable, Hashable {
        /// Nobody has compared its file yet, or it has to be compared again.
        case unproven
        /// Its file is compared at the moment.
        case probing
        /// Its file is the one that is downloaded.
        case proven
        /// It is not asked any more; the reason is a sentence.
        case dropped(reason: String)
    }

    /// Its URL, as it was given.
    package var url: String
    /// What is known of it.
    package var standing: Status
    /// The connections that bring bytes of it at the moment.
    package var connections: Int
    /// How fast they are together; nil where nothing is known.
    package var bytesPerSecond: Int64?

    /// A source of a download.
    package init(url: String, standing: Status, connections: Int = 0, bytesPerSecond: Int64? = nil) {
        self.url = url
        self.standing = standing
        self.connections = connections
        self.bytesPerSecond = bytesPerSecond
    }
}

/// An event of a source of a download that has several.
///
/// ```swift
/// for await event in task.events {
///     if case .source(.dropped(let url, let reason)) = event { print(url, reason) }
/// }
/// ```
public enum SourceEvent: Sendable, Hashable {
    /// A source is not asked any more, and the download goes on with the others; the reason is a sentence.
    case dropped(url: String, reason: String)
    /// Another source has become the first one; the reason is a sentence on the one before it.
    case turned(to: String, from: String, reason: String)
}

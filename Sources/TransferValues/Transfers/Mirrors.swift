/// Further sources of the file that a download fetches.
///
/// A mirror is used only after its file was verified: it has the same length, and the same strong digest, or the same
/// bytes in its first and last block. A mirror at another origin gets neither credentials nor cookies nor header fields
/// about the sender, as after a redirect. The first source is the request's own URL; when it fails, the next one
/// replaces it, even with one connection. Several connections are spread over all sources.
///
/// ```swift
/// var target = DownloadTarget(folder: folder)
/// target.mirrors = Mirrors(urls: ["https://mirror.example.org/image.iso"])
/// ```
public struct Mirrors: Sendable, Hashable, Codable {
    /// The most mirrors that one download uses; further ones are ignored.
    package static let limit = 32

    /// The URLs of the same file, http or https, in the order in which they are tried.
    public var urls: [String]
    /// The length that the file must have, where it is known beforehand: a source with another length is dropped.
    public var length: Int64?

    /// Creates the mirrors of a file.
    public init(urls: [String], length: Int64? = nil) {
        self.urls = urls
        self.length = length
    }
}

/// One source of a download with several: its own URL, or a mirror.
package struct DownloadSource: Sendable, Hashable {
    /// The state of a source's verification.
    package enum Status: Sendable, Hashable {
        /// Its file has not been verified yet, or must be verified again.
        case unproven
        /// Its file is being verified.
        case probing
        /// Its file is the downloaded one.
        case proven
        /// No longer used; the reason is a sentence.
        case dropped(reason: String)
    }

    /// Its URL, as it was given.
    package var url: String
    package var standing: Status
    /// The connections that download from it now.
    package var connections: Int
    /// The speed of all its connections; nil where unknown.
    package var bytesPerSecond: Int64?

    package init(url: String, standing: Status, connections: Int = 0, bytesPerSecond: Int64? = nil) {
        self.url = url
        self.standing = standing
        self.connections = connections
        self.bytesPerSecond = bytesPerSecond
    }
}

/// An event of a source of a download.
///
/// ```swift
/// for await event in task.events {
///     if case .source(.dropped(let url, let reason)) = event { print(url, reason) }
/// }
/// ```
public enum SourceEvent: Sendable, Hashable {
    /// A source is no longer used, and the download continues with the others; the reason is a sentence.
    case dropped(url: String, reason: String)
    /// Another source has become the first one; the reason is a sentence about the one before it.
    case switched(to: String, from: String, reason: String)
    /// A source has sent other bytes than its response names, so that this many are fetched again; the reason is a
    /// sentence.
    case tookBack(url: String, bytes: Int64, reason: String)
}

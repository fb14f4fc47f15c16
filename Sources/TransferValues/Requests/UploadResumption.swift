import SessionSupport

/// The protocol by which an interrupted upload resumes after the bytes that its server has.
///
/// It applies to uploads of files and of bytes in memory. The server gives the upload its own URL, which a persistent
/// session stores, so that a later run resumes it too. A file that has changed since is sent from the start.
///
/// ```swift
/// var request = request
/// request.uploadResumption = .tus
/// _ = try await manager.upload(for: request, fromFile: file)
/// ```
public enum UploadResumption: String, Sendable, CaseIterable {
    /// An interrupted upload begins again.
    case off
    /// An OPTIONS request asks for the server's protocols, and the upload uses tus or ``draft``.
    ///
    /// Other servers get the request with two fields that they do not know.
    case automatic = "auto"
    /// POST creates the upload and PATCH sends its bytes (tus 1.0), whatever method the request has.
    case tus
    /// The request is sent unchanged; after a server's interim response PATCH sends the rest
    /// (draft-ietf-httpbis-resumable-upload, interop version 8).
    case draft
    /// The request is sent unchanged; after a cut an empty PUT with `Content-Range: bytes */LENGTH` asks what has
    /// arrived, and after a 308 another PUT sends the rest (the resumable sessions of Google's storage).
    ///
    /// A server without it may store the question as an empty file, and gets the complete file again.
    case contentRange = "content-range"
    /// A large file is sent to an object store in parts, and the store joins them (S3 multipart); what is smaller than
    /// two parts is sent as usual.
    case multipart = "s3"
}

/// The URL of an upload at its server, and the bytes it belongs to.
package struct UploadLocation: Sendable, Equatable {
    /// The protocol of the URL.
    package enum Style: String, Sendable {
        case tus, draft
        case contentRange = "content-range"
        case multipart = "s3"
    }

    package var style: Style
    package var url: String
    /// The bytes that are sent there.
    package var content: UploadContent

    /// The text for a session's store; nil where the URL contains a secret, which is never stored.
    package var storedText: String? {
        guard Redaction.url(url, userInfo: .removed) == url else { return nil }
        return "\(style.rawValue) \(content.length) \(content.modified) \(content.changed) \(content.inode) \(url)"
    }

    package init(style: Style, url: String, content: UploadContent) {
        (self.style, self.url, self.content) = (style, url, content)
    }

    /// Reads what ``storedText`` has written; nil for anything else.
    package init?(storedText: some StringProtocol) {
        let words = storedText.split(separator: " ", maxSplits: 5).map { String($0) }
        guard words.count == 6, let style = Style(rawValue: words[0]), let length = ByteText.decimal(words[1]),
            let modified = Int64(words[2]), let changed = Int64(words[3]), let inode = UInt64(words[4]),
            URLScan(words[5]).isRequestable
        else { return nil }
        let content = UploadContent(length: length, modified: modified, changed: changed, inode: inode)
        self.init(style: style, url: words[5], content: content)
    }
}

/// Identifies the bytes of an upload, to notice other ones under the same name.
package struct UploadContent: Sendable, Equatable {
    package var length: Int64
    /// The last modification in nanoseconds since 1970; 0 for bytes in memory.
    package var modified: Int64
    /// The last status change, which no program can set back; 0 for bytes in memory.
    package var changed: Int64 = 0
    /// The inode; 0 for bytes in memory.
    ///
    /// The device is left out, because its number may change with a reboot.
    package var inode: UInt64 = 0

    package init(length: Int64, modified: Int64, changed: Int64 = 0, inode: UInt64 = 0) {
        (self.length, self.modified, self.changed, self.inode) = (length, modified, changed, inode)
    }
}

/// A request's wish for resumption, a reference because few requests have one.
package final class UploadPlan: Sendable, Equatable {
    package let intent: UploadResumption
    /// The URL from an earlier attempt or run.
    package let location: UploadLocation?

    package init(_ intent: UploadResumption, location: UploadLocation? = nil) {
        (self.intent, self.location) = (intent, location)
    }

    package static func == (left: UploadPlan, right: UploadPlan) -> Bool {
        left.intent == right.intent && left.location == right.location
    }
}

extension UploadPlan {
    /// The text for a session's store: the wish, then a blank and the upload's URL.
    package var storedText: String {
        ([intent.rawValue] + [location?.storedText].compactMap(\.self)).joined(separator: " ")
    }

    /// Reads what ``storedText`` has written; nil for anything else.
    package convenience init?(storedText: String) {
        let words = storedText.split(separator: " ", maxSplits: 1)
        guard let intent = words.first.flatMap({ UploadResumption(rawValue: String($0)) }), intent != .off else {
            return nil
        }
        self.init(intent, location: words.count == 2 ? UploadLocation(storedText: words[1]) : nil)
    }
}

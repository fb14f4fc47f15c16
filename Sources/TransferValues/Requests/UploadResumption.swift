import SessionSupport

/// The protocol by which an upload that was cut goes on behind the bytes that its server has.
///
/// It concerns uploads of files and of bytes in memory. A server keeps what it has at a place of its own, which a
/// persistent session stores, so that a later run goes on too. A file that has changed meanwhile is sent anew.
///
/// ```swift
/// var request = request
/// request.uploadResumption = .tus
/// _ = try await manager.upload(for: request, fromFile: file)
/// ```
public enum UploadResumption: String, Sendable, CaseIterable {
    /// An upload that was cut begins again.
    case off
    /// The server is asked what it offers (OPTIONS), and the upload goes out as tus or as ``draft`` has it.
    ///
    /// Servers that offer nothing get the request with two fields that they do not know.
    case automatic = "auto"
    /// The upload is created with POST and its bytes are sent with PATCH (tus 1.0), whatever method the request has.
    case tus
    /// The request goes out as it is, and a server that says so in an interim answer has its rest sent with PATCH
    /// (draft-ietf-httpbis-resumable-upload, interop version 8).
    case draft
}

/// Where a server keeps what it has of an upload, and of which bytes that is.
package struct UploadLocation: Sendable, Equatable {
    /// The protocol that the place speaks.
    package enum Style: String, Sendable {
        case tus, draft
    }

    package var style: Style
    package var url: String
    /// The bytes that are sent there.
    package var content: UploadContent

    /// The place as the store of a session keeps it; nil where its URL has a secret in it, which is never stored.
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

/// What tells the bytes of an upload from others under the same name.
package struct UploadContent: Sendable, Equatable {
    package var length: Int64
    /// When they changed last, in nanoseconds since 1970; 0 for bytes in memory.
    package var modified: Int64
    /// When anything about the file changed last, which no program can set back; 0 for bytes in memory.
    package var changed: Int64 = 0
    /// Which file of its file system it is; 0 for bytes in memory.
    ///
    /// Not the device, whose number may be another after a start of the machine.
    package var inode: UInt64 = 0

    package init(length: Int64, modified: Int64, changed: Int64 = 0, inode: UInt64 = 0) {
        (self.length, self.modified, self.changed, self.inode) = (length, modified, changed, inode)
    }
}

/// What a request says about going on with its upload, behind a reference because nearly none says anything.
package final class UploadPlan: Sendable, Equatable {
    package let intent: UploadResumption
    /// Where an earlier attempt or run has begun.
    package let place: UploadLocation?

    package init(_ intent: UploadResumption, place: UploadLocation? = nil) {
        (self.intent, self.place) = (intent, place)
    }

    package static func == (left: UploadPlan, right: UploadPlan) -> Bool {
        left.intent == right.intent && left.place == right.place
    }
}

extension UploadPlan {
    /// The plan as the store of a session keeps it: the wish, and behind a blank the place.
    package var storedText: String {
        ([intent.rawValue] + [place?.storedText].compactMap(\.self)).joined(separator: " ")
    }

    /// Reads what ``storedText`` has written; nil for anything else.
    package convenience init?(storedText: String) {
        let words = storedText.split(separator: " ", maxSplits: 1)
        guard let intent = words.first.flatMap({ UploadResumption(rawValue: String($0)) }), intent != .off else {
            return nil
        }
        self.init(intent, place: words.count == 2 ? UploadLocation(storedText: words[1]) : nil)
    }
}

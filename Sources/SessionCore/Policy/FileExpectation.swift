import SessionSupport

/// The knowledge about a file before it is received: an earlier response, the size of the part, and the name.
///
/// A captive portal, a sign-in server and a broken gateway send something else than the file with status 200. HTTP does
/// not reveal that, so a response that contradicts the known facts is not taken for the file.
struct FileExpectation: Sendable {
    /// The evidence from the response with the part's bytes, or from the first response of an earlier run; nil for
    /// none.
    var known: DownloadEvidence?
    /// Bytes in the part.
    var partSize: Int64 = 0
    /// The name the user gave the file if it has an extension, else its URL; both may reveal the file's type.
    var name = ""

    /// Returns the reason why a full response is not taken for the file; nil if no fact contradicts it.
    func refusal(of head: ResponseHead, length: BodyLength) -> SessionError? {
        guard let what = contradiction(head, length: length) else { return nil }
        let message =
            if partSize > 0 {
                ResponseErrors.logInOrRestart(what)
            } else if known == nil {
                ResponseErrors.logInOrSave(what)
            } else {
                ResponseErrors.logIn(what)
            }
        return ResumePolicy.error(.unexpectedContent, message, head)
    }

    /// Returns the bytes a body without a length needs to be taken for the file; 0 for any number.
    func leastLength(of head: ResponseHead, length: BodyLength) -> Int64 {
        length.byteCount == nil && !provesItself(head) ? partSize : 0
    }

    /// Returns the error for a body that turned out too short to be the file.
    static func shortBody(_ received: Int64) -> SessionError {
        SessionError(
            .unexpectedContent, ResponseErrors.retryOrRestart(ResponseErrors.shortBodyCame(received)))
    }

    private func contradiction(_ head: ResponseHead, length: BodyLength) -> String? {
        // Nearly every response is the first one, and the only detectable fault is then a page.
        guard known != nil || ContentKind.isPage(head.headers["Content-Type"]) else { return nil }
        let type = head.headers["Content-Type"]
        let came = ContentKind(type)
        let was = known.map { ContentKind($0.contentType) }
        switch came {
        case .page where isNoPage(was, head): return ResponseErrors.pageCame
        case .text where was == .binary:
            return ResponseErrors.typeCame(StoredMetadata.mediaType(type) ?? "")
        case .page, .text, .binary, .unknown: break
        }
        guard partSize > 0, let count = length.byteCount, count < partSize, !provesItself(head) else { return nil }
        return ResponseErrors.shortBodyCame(count)
    }

    /// Returns whether the known facts rule out a page.
    private func isNoPage(_ was: ContentKind?, _ head: ResponseHead) -> Bool {
        switch was {
        case .page: false
        case .text, .binary: true
        // A type without meaning was sent, so the file was not sent as a page.
        case .unknown where known?.contentType != nil: true
        case .unknown, nil: ContentKind.isBinary(name: name) && head.headers["Content-Disposition"] == nil
        }
    }

    /// Returns whether a response carries some proof: a validator, or the file's exact type.
    private func provesItself(_ head: ResponseHead) -> Bool {
        if head.headers["ETag"] != nil || head.headers["Last-Modified"] != nil { return true }
        guard let type = StoredMetadata.mediaType(head.headers["Content-Type"]), ContentKind(type) != .unknown else {
            return false
        }
        return type == StoredMetadata.mediaType(known?.contentType)
    }
}

/// The evidence for a download's bytes: the response they came from, or the facts stored with an earlier run's part.
///
/// Indirect, because the copies for each question cost a small file several thousand instructions
/// (`docs/PERFORMANCE.md`).
indirect enum DownloadEvidence: Sendable {
    case answer(FreshAnswer)
    case stored(StoredMetadata)

    /// The facts to store with a part, built at each call.
    var metadata: StoredMetadata {
        switch self {
        case .answer(let answer): StoredMetadata(answer)
        case .stored(let metadata): metadata
        }
    }

    /// Length of the full file; nil when unknown.
    var length: Int64? {
        switch self {
        case .answer(let answer): answer.length
        case .stored(let metadata): metadata.length
        }
    }

    var contentType: String? {
        switch self {
        case .answer(let answer): answer.contentType
        case .stored(let metadata): metadata.contentType
        }
    }

    /// Returns the reason why a part of this size cannot be resumed; nil if it can.
    func resumeRefusal(partSize: Int64, hasChecksum: Bool = false, comparesOverlap: Bool = false) -> String? {
        let permission =
            switch self {
            case .answer(let answer):
                ResumePolicy.mayResume(
                    answer, partSize: partSize, hasChecksum: hasChecksum, comparesOverlap: comparesOverlap)
            case .stored(let metadata):
                ResumePolicy.mayResume(
                    metadata, partSize: partSize, hasChecksum: hasChecksum, comparesOverlap: comparesOverlap)
            }
        if case .no(let reason) = permission { return reason }
        return nil
    }

    /// Returns whether a part of this size can be resumed, as far as known.
    func resumability(
        partSize: Int64, hasSeenPart: Bool = false, hasChecksum: Bool = false, comparesOverlap: Bool = false
    ) -> Resumability {
        switch self {
        case .answer(let answer):
            ResumePolicy.resumability(
                answer, partSize: partSize, hasSeenPart: hasSeenPart, hasChecksum: hasChecksum,
                comparesOverlap: comparesOverlap)
        case .stored(let metadata):
            ResumePolicy.resumability(
                metadata, partSize: partSize, hasSeenPart: hasSeenPart, hasChecksum: hasChecksum,
                comparesOverlap: comparesOverlap)
        }
    }
}

/// A media type's class, as far as it tells a file from a substitute such as an error page.
private enum ContentKind: Sendable, Equatable {
    /// No type, or one that servers use for unknown files.
    case unknown
    /// A page for readers; captive portals and sign-in servers answer with one.
    case page
    /// Text for readers or programs; servers describe errors with it.
    case text
    /// Any other type: archives, pictures, films, programs.
    case binary

    init(_ field: String?) {
        guard let type = StoredMetadata.mediaType(field), !Self.sayNothing.contains(type) else {
            self = .unknown
            return
        }
        if type == "text/html" || type == "application/xhtml+xml" {
            self = .page
        } else if type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
            || Self.texts.contains(type)
        {
            self = .text
        } else {
            self = .binary
        }
    }

    private static let sayNothing: Set<String> = [
        "application/octet-stream", "binary/octet-stream", "application/x-octet-stream", "application/binary",
        "application/x-binary", "application/download", "application/x-download", "application/force-download",
        "application/x-force-download", "application/unknown", "unknown/unknown", "*/*",
    ]

    private static let texts: Set<String> = [
        "application/javascript", "application/ecmascript", "application/x-javascript", "application/x-sh",
        "application/x-yaml", "application/yaml", "application/toml", "application/x-ndjson", "application/sql",
        "application/x-subrip",
    ]

    /// Returns whether a Content-Type field names a page, without the cost of ``init(_:)``.
    static func isPage(_ field: String?) -> Bool {
        guard let field else { return false }
        return begins(field, with: "text/html") || begins(field, with: "application/xhtml+xml")
    }

    private static func begins(_ field: String, with type: StaticString) -> Bool {
        let bytes = field.utf8Span.span
        guard bytes.count >= type.utf8CodeUnitCount else { return false }
        return type.withUTF8Buffer { letters in
            for index in letters.indices where ByteText.lowercased(bytes[index]) != letters[index] { return false }
            return true
        }
    }

    /// Returns whether a name or a URL's path has an extension of binary files, which pages never have.
    ///
    /// The list has no extension that web applications use for pages, and none of text, which servers often show as a
    /// page.
    static func isBinary(name: String) -> Bool {
        let path = name.utf8.prefix { $0 != 0x3F && $0 != 0x23 }
        guard let last = path.split(separator: 0x2F, omittingEmptySubsequences: false).last,
            let dot = last.lastIndex(of: 0x2E), dot != last.startIndex
        else { return false }
        return binaryExtensions.contains(ByteText.lowercased(String(decoding: last[dot...].dropFirst(), as: UTF8.self)))
    }

    private static let binaryExtensions: Set<String> = [
        "iso", "img", "vhd", "vhdx", "vmdk", "qcow2", "ova", "dmg", "pkg", "msi", "msix", "exe", "deb", "rpm", "apk",
        "ipa", "appimage", "snap", "flatpak", "bin", "zip", "zipx", "7z", "rar", "tar", "tgz", "tbz2", "txz", "gz",
        "bz2", "xz", "zst", "lz", "lz4", "lzma", "br", "cab", "jar", "war", "whl", "crate", "gem", "nupkg", "vsix",
        "mp4", "m4v", "mkv", "webm", "mov", "avi", "wmv", "mpg", "mpeg", "mp3", "m4a", "aac", "flac", "ogg", "oga",
        "ogv", "opus", "wav", "jpg", "jpeg", "png", "gif", "webp", "avif", "heic", "tif", "tiff", "bmp", "psd", "pdf",
        "epub", "mobi", "djvu", "docx", "xlsx", "pptx", "odt", "ods", "odp", "ttf", "otf", "woff", "woff2", "sqlite",
        "parquet", "gguf", "safetensors", "onnx", "npz", "h5", "pcap", "torrent",
    ]
}

import SessionSupport

/// What is known of a file before an answer brings it: what an earlier answer said, how much is here, and its name.
///
/// A captive portal, a server one has to sign in to, and a broken gateway answer with status 200 and something else
/// than the file. Nothing of HTTP tells that, so an answer that contradicts what is known is not taken for the file.
struct FileExpectation: Sendable {
    /// What the answer said that brought the bytes at hand, or that began an earlier run; nil when there was none.
    var known: DownloadEvidence?
    /// Bytes at hand.
    var partSize: Int64 = 0
    /// The name the user gave the file, where it has an ending, else its URL; both may tell what it is.
    var name = ""

    /// Why a whole answer is not taken for the file; nil when nothing speaks against it.
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

    /// The bytes that a body without a length must have to be taken for the file; 0 when any number will do.
    func leastLength(of head: ResponseHead, length: BodyLength) -> Int64 {
        length.byteCount == nil && !provesItself(head) ? partSize : 0
    }

    /// Why a body that turned out short is not taken for the file.
    static func shortBody(_ received: Int64) -> SessionError {
        SessionError(
            .unexpectedContent, ResponseErrors.retryOrRestart(ResponseErrors.shortBodyCame(received)))
    }

    private func contradiction(_ head: ResponseHead, length: BodyLength) -> String? {
        // Nearly every answer is the first one, of which only a page can be told.
        guard known != nil || ContentKind.isPage(head.headers["Content-Type"]) else { return nil }
        let type = head.headers["Content-Type"]
        let came = ContentKind(type)
        let was = known.map { ContentKind($0.contentType) }
        switch came {
        case .page where isNoPage(was, head): return ResponseErrors.pageCame
        case .text where was == .binary:
            return ResponseErrors.typeCame(StoredFacts.mediaType(type) ?? "")
        case .page, .text, .binary, .unknown: break
        }
        guard partSize > 0, let count = length.byteCount, count < partSize, !provesItself(head) else { return nil }
        return ResponseErrors.shortBodyCame(count)
    }

    /// Whether what is known of the file says that it is no page.
    private func isNoPage(_ was: ContentKind?, _ head: ResponseHead) -> Bool {
        switch was {
        case .page: false
        case .text, .binary: true
        // A type was sent that says nothing, and it was not that of a page.
        case .unknown where known?.contentType != nil: true
        case .unknown, nil: ContentKind.isBinary(name: name) && head.headers["Content-Disposition"] == nil
        }
    }

    /// Whether an answer tells more of itself than that it came: a validator, or the very type the file had.
    private func provesItself(_ head: ResponseHead) -> Bool {
        if head.headers["ETag"] != nil || head.headers["Last-Modified"] != nil { return true }
        guard let type = StoredFacts.mediaType(head.headers["Content-Type"]), ContentKind(type) != .unknown else {
            return false
        }
        return type == StoredFacts.mediaType(known?.contentType)
    }
}

/// What the bytes of a download are known by: the answer that brought them, or what was stored with an earlier run's
/// part.
///
/// Indirect: the copies for each question cost a small file several thousand instructions (`docs/PERFORMANCE.md`).
indirect enum DownloadEvidence: Sendable {
    case answer(FreshAnswer)
    case stored(StoredFacts)

    /// What has to be stored with a part, made anew each time.
    var facts: StoredFacts {
        switch self {
        case .answer(let answer): StoredFacts(answer)
        case .stored(let facts): facts
        }
    }

    /// Length of the whole file; nil when unknown.
    var length: Int64? {
        switch self {
        case .answer(let answer): answer.length
        case .stored(let facts): facts.length
        }
    }

    /// The Content-Type field.
    var contentType: String? {
        switch self {
        case .answer(let answer): answer.contentType
        case .stored(let facts): facts.contentType
        }
    }

    /// Why a part of so many bytes cannot be gone on with; nil when it can.
    func resumeRefusal(partSize: Int64, hasChecksum: Bool = false, comparesOverlap: Bool = false) -> String? {
        let permission =
            switch self {
            case .answer(let answer):
                ResumePolicy.mayResume(
                    answer, partSize: partSize, hasChecksum: hasChecksum, comparesOverlap: comparesOverlap)
            case .stored(let facts):
                ResumePolicy.mayResume(
                    facts, partSize: partSize, hasChecksum: hasChecksum, comparesOverlap: comparesOverlap)
            }
        if case .no(let reason) = permission { return reason }
        return nil
    }

    /// What is known of going on with a part of so many bytes.
    func resumability(
        partSize: Int64, hasSeenPart: Bool = false, hasChecksum: Bool = false, comparesOverlap: Bool = false
    ) -> Resumability {
        switch self {
        case .answer(let answer):
            ResumePolicy.resumability(
                answer, partSize: partSize, hasSeenPart: hasSeenPart, hasChecksum: hasChecksum,
                comparesOverlap: comparesOverlap)
        case .stored(let facts):
            ResumePolicy.resumability(
                facts, partSize: partSize, hasSeenPart: hasSeenPart, hasChecksum: hasChecksum,
                comparesOverlap: comparesOverlap)
        }
    }
}

/// What a media type says about the bytes it comes with, as far as it tells a file from something sent in its place.
private enum ContentKind: Sendable, Equatable {
    /// The response names no type, or one that servers give to whatever they do not know.
    case unknown
    /// A page for people to look at, which is what captive portals and sign-in servers answer with.
    case page
    /// Text for people or programs, which is what servers tell of errors with.
    case text
    /// Anything else: archives, pictures, films, programs.
    case binary

    /// The kind of a Content-Type field.
    init(_ field: String?) {
        guard let type = StoredFacts.mediaType(field), !Self.sayNothing.contains(type) else {
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

    /// Whether a Content-Type field names a page: ``init(_:)`` without its cost.
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

    /// Whether a name or the path of a URL ends as those of binary files do, which no page has.
    ///
    /// Only endings that no web application gives to its pages are known, and none of text, which servers like to show
    /// as a page.
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

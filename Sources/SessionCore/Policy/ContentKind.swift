import Support

/// What a media type says about the bytes it comes with, as far as it tells a file from something sent in its place.
enum ContentKind: Sendable, Equatable {
    /// Nothing: no type, or one that servers give to whatever they do not know.
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
        guard let bytes = field?.utf8 else { return false }
        return pages.contains { page in
            bytes.count >= page.count && zip(bytes, page).allSatisfy { ByteText.lowercased($0) == $1 }
        }
    }

    private static let pages = ["text/html", "application/xhtml+xml"].map { Array($0.utf8) }

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

import SessionSupport

/// Finds the media type of a file by its extension.
package enum MediaType {
    /// The type of a name without a known extension.
    package static let unknown = "application/octet-stream"

    /// The media type of a file with this name; ``unknown`` for an unknown extension.
    ///
    /// The table is the library's own, so that a form is the same on every machine.
    package static func ofFile(named name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
        let end = ByteText.lowercased(name[name.index(after: dot)...])
        return types[end] ?? unknown
    }

    private static let types: [String: String] = {
        var types: [String: String] = [:]
        for line in lines {
            let words = line.split(separator: " ")
            for end in words.dropFirst() { types[String(end)] = String(words[0]) }
        }
        return types
    }()

    /// A type and its extensions (IANA media types, and what servers send for the others).
    private static let lines = [
        "application/epub+zip epub", "application/gzip gz tgz", "application/java-archive jar",
        "application/json json map", "application/msword doc", "application/pdf pdf", "application/pkcs10 csr p10",
        "application/pkix-crl crl", "application/rtf rtf",
        "application/sql sql", "application/vnd.debian.binary-package deb", "application/vnd.ms-excel xls",
        "application/vnd.ms-powerpoint ppt", "application/vnd.oasis.opendocument.spreadsheet ods",
        "application/vnd.oasis.opendocument.text odt",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation pptx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document docx",
        "application/wasm wasm", "application/x-7z-compressed 7z", "application/x-bzip2 bz2",
        "application/x-pkcs12 p12 pfx", "application/x-pkcs7-certificates p7b", "application/x-plist plist",
        "application/x-sh sh", "application/x-tar tar", "application/x-x509-ca-cert cer crt der pem",
        "application/x-xz xz",
        "application/xhtml+xml xhtml", "application/xml xml xsd xsl", "application/yaml yaml yml",
        "application/zip zip",
        "application/zstd zst", "audio/aac aac", "audio/flac flac", "audio/midi mid midi", "audio/mp4 m4a",
        "audio/mpeg mp3", "audio/ogg ogg oga opus", "audio/wav wav", "font/otf otf", "font/ttf ttf",
        "font/woff woff", "font/woff2 woff2", "image/avif avif", "image/bmp bmp", "image/gif gif", "image/heic heic",
        "image/jpeg jpg jpeg jpe", "image/png png", "image/svg+xml svg", "image/tiff tif tiff", "image/webp webp",
        "image/x-icon ico", "text/calendar ics", "text/css css", "text/csv csv", "text/html htm html",
        "text/javascript js mjs", "text/markdown md markdown", "text/plain txt text log conf",
        "text/tab-separated-values tsv", "text/vcard vcf", "video/mp4 mp4 m4v", "video/mpeg mpg mpeg",
        "video/ogg ogv", "video/quicktime mov", "video/webm webm", "video/x-matroska mkv", "video/x-msvideo avi",
    ]
}

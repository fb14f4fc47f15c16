import SessionSupport

/// The mark that ends a response's body (RFC 9112, 6.3).
enum BodyLength: Sendable, Equatable {
    case exactly(Int64)
    /// The framing marks the end, so a cut is noticed, but the count is unknown before: chunks, the end of an HTTP/2
    /// stream, or a counted body in a content coding.
    case chunked
    /// The body ends with the connection: a cut cannot be told from the end.
    case untilClose
    case none

    /// The body's length in bytes; nil if unknown.
    var byteCount: Int64? {
        switch self {
        case .exactly(let count): count
        case .none: 0
        case .chunked, .untilClose: nil
        }
    }

    /// Returns whether the end of the body proves that all of it arrived.
    var isVerifiable: Bool { self != .untilClose }

    /// Reads the framing from a response's head.
    ///
    /// Throws `badResponse` when Content-Length fields contradict each other or are not a number, if there is a body.
    ///
    /// A transfer coding overrides Content-Length. A content coding makes the count useless for offsets, but it still
    /// has to be a number: libcurl would silently take the last of several.
    init(_ head: ResponseHead, method: String) throws(SessionError) {
        if method == "HEAD" || (100..<200).contains(head.statusCode) || head.statusCode == 204
            || head.statusCode == 304
        {
            self = .none
            return
        }
        let announced = try Self.contentLength(head)
        if let coding = Self.transferCoding(of: head) {
            let last = coding.split(separator: ",").last.map { ByteText.lowercased(ByteText.trimmed($0)) }
            self = last == "chunked" ? .chunked : .untilClose
        } else if let announced {
            self = Self.isEncoded(head) ? .chunked : .exactly(announced)
        } else {
            self = head.version.hasStreams ? .chunked : .untilClose
        }
    }

    /// Returns the transfer coding of the body, which overrides a Content-Length; nil without one.
    private static func transferCoding(of head: ResponseHead) -> String? {
        head.version.hasStreams ? nil : head.headers["Transfer-Encoding"]
    }

    /// Returns the bytes that a body takes on its connection; nil where the head does not tell.
    ///
    /// A decoded body has others, and a HEAD request's response none.
    static func countOnWire(_ head: ResponseHead) -> Int64? {
        guard transferCoding(of: head) == nil else { return nil }
        return try? contentLength(head)
    }

    /// Returns whether the body is in a content coding, so that its offsets differ from the file's.
    static func isEncoded(_ head: ResponseHead) -> Bool {
        guard let field = head.headers["Content-Encoding"] else { return false }
        return !CodingNames(field).codings.isEmpty
    }

    /// Returns the single value of all Content-Length fields; nil without one.
    static func contentLength(_ head: ResponseHead) throws(SessionError) -> Int64? {
        var found: Int64?
        if let only = head.headers.singleValue(named: "Content-Length"), let count = ByteText.decimal(only) {
            return count
        }
        for value in head.headers.values(named: "Content-Length") {
            for item in value.split(separator: ",", omittingEmptySubsequences: false) {
                guard let count = ByteText.decimal(ByteText.trimmed(item)) else {
                    throw refusal(ResponseErrors.unreadableLength, head)
                }
                if let found, found != count {
                    throw refusal(ResponseErrors.twoLengths(found, count), head)
                }
                found = count
            }
        }
        return found
    }

    private static func refusal(_ message: String, _ head: ResponseHead) -> SessionError {
        SessionError(.badResponse, message, failingURL: head.url, statusCode: head.statusCode)
    }
}

extension ResponseHead {
    /// The content codings of the body, in the order in which they were applied.
    package var contentCodings: [String] { headers["Content-Encoding"].map { CodingNames($0).codings } ?? [] }

    /// The words in the field `Content-Encoding` that are not codings, such as `UTF-8`; they do not change the body.
    package var unknownCodings: [String] { headers["Content-Encoding"].map { CodingNames($0).otherWords } ?? [] }
}

/// The words of a Content-Encoding field, split into codings and other words.
///
/// Servers write charsets, `none` or `binary` there; such words do not change the body.
struct CodingNames: Sendable, Equatable {
    /// Lower-case names, in the order in which the codings were applied.
    private(set) var codings: [String] = []
    /// The other words, as the server wrote them.
    private(set) var otherWords: [String] = []

    /// The registered names (RFC 9110, 16.6.1), and others that servers use.
    private static let known: Set<String> = [
        "aes128gcm", "br", "bzip2", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "lz4", "lzma", "pack200-gzip",
        "sdch", "snappy", "x-bzip2", "x-compress", "x-gzip", "xz", "zstd",
    ]

    init(_ field: String) {
        for item in field.split(separator: ",") {
            let word = ByteText.trimmed(item)
            let name = ByteText.lowercased(word)
            if Self.known.contains(name) {
                codings.append(name == "x-gzip" ? "gzip" : name)
            } else if !name.isEmpty, name != "identity" {
                otherWords.append(word)
            }
        }
    }
}

extension HTTPVersion {
    /// True if messages travel in streams that mark their own end.
    var hasStreams: Bool {
        switch self {
        case .http1_0, .http1_1: false
        case .http2, .http3: true
        }
    }
}

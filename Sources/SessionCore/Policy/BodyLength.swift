import SessionSupport

/// How a response marks the end of its body (RFC 9112, 6.3).
enum BodyLength: Sendable, Equatable {
    /// Exactly this many bytes arrive.
    case exactly(Int64)
    /// The framing marks the end, so a cut is noticed, but the count is not known before: chunks, the end of an HTTP/2
    /// stream, or a counted body in a content coding.
    case chunked
    /// The body ends when the connection does: a cut cannot be told from the end.
    case untilClose
    /// There is no body.
    case none

    /// The count, where it is known.
    var byteCount: Int64? {
        switch self {
        case .exactly(let count): count
        case .none: 0
        case .chunked, .untilClose: nil
        }
    }

    /// Whether the end of the body proves that all of it arrived.
    var isVerifiable: Bool { self != .untilClose }

    /// Reads the framing.
    ///
    /// Throws `badResponse` when Content-Length fields contradict each other or are no number.
    ///
    /// A transfer coding overrides Content-Length. A content coding makes its count useless for offsets, but it still
    /// has to be a number: libcurl would silently take the last of several.
    init(_ head: ResponseHead, method: String) throws(SessionError) {
        let announced = try Self.contentLength(head)
        if method == "HEAD" || (100..<200).contains(head.statusCode) || head.statusCode == 204
            || head.statusCode == 304
        {
            self = .none
        } else if let coding = head.headers["Transfer-Encoding"], !head.version.hasStreams {
            let last = coding.split(separator: ",").last.map { ByteText.lowercased(ByteText.trimmed($0)) }
            self = last == "chunked" ? .chunked : .untilClose
        } else if let announced {
            self = Self.isEncoded(head) ? .chunked : .exactly(announced)
        } else {
            self = head.version.hasStreams ? .chunked : .untilClose
        }
    }

    /// Whether the body is in a content coding, so that its offsets are not those of the file.
    static func isEncoded(_ head: ResponseHead) -> Bool {
        guard let field = head.headers["Content-Encoding"] else { return false }
        return !CodingNames(field).codings.isEmpty
    }

    /// The one value of all Content-Length fields, nil when there is none.
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
    /// The words in the field `Content-Encoding` that are no coding, such as `UTF-8`: the body is not changed for them.
    package var unknownCodings: [String] { headers["Content-Encoding"].map { CodingNames($0).otherWords } ?? [] }
}

/// The words of a Content-Encoding field, told apart by whether a body can be in them.
///
/// Servers write charsets, `none` or `binary` there. What no coding has as its name changes nothing of the body.
struct CodingNames: Sendable, Equatable {
    /// The names of codings in small letters, in the order in which they were applied.
    private(set) var codings: [String] = []
    /// The words that are no coding, as the server wrote them.
    private(set) var otherWords: [String] = []

    /// The names that the registry of codings has (RFC 9110, 16.6.1), and others that servers use.
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
    /// Whether messages travel in streams that mark their own end.
    var hasStreams: Bool {
        switch self {
        case .http1_0, .http1_1: false
        case .http2, .http3: true
        }
    }
}

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
        guard let coding = head.headers["Content-Encoding"].map(ByteText.trimmed(_:)), !coding.isEmpty else {
            return false
        }
        return ByteText.lowercased(coding) != "identity"
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
                    throw refusal("The server announced a length that is not a number this computer can hold", head)
                }
                if let found, found != count {
                    throw refusal("The server announced two different lengths, \(found) and \(count) bytes", head)
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

extension HTTPVersion {
    /// Whether messages travel in streams that mark their own end.
    var hasStreams: Bool {
        switch self {
        case .http1_0, .http1_1: false
        case .http2, .http3: true
        }
    }
}

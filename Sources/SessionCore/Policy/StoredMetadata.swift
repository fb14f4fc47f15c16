import SessionSupport

/// The stored header fields of the response that began a download, which later prove that a range belongs to the same
/// bytes.
///
/// They are stored before the first byte of the body. Text is kept as it was sent, because validators are compared by
/// octets.
struct StoredMetadata: ResponseMetadata, Sendable, Equatable {
    /// The requested URL.
    ///
    /// A resume requests it again, because redirect targets expire.
    var url: String
    /// The URL that sent the response.
    var finalURL: String
    var method: String
    var status: Int
    /// The tag as it was sent.
    var entityTag: String?
    var lastModified: String?
    var date: String?
    /// Length of the full representation; nil when unknown.
    var length: Int64?
    var contentEncoding: String?
    var contentType: String?
    var acceptRanges: String?
    /// True if the user gave ``url`` later, for a part whose bytes came from another URL.
    var isFromAnotherURL = false
    /// SHA-256 of the mirror's URL in hexadecimal, for a mirror's response; nil for the request's own server.
    var mirrorDigest: String?
    /// The digest of the complete file that the server has announced.
    var announced: Checksum?

    var tag: EntityTag? { entityTag.flatMap { EntityTag($0) } }

    init(url: String, finalURL: String, method: String, status: Int) {
        self.url = url
        self.finalURL = finalURL
        self.method = method
        self.status = status
    }

    /// Returns whether a URL names the source of the bytes, as far as known, so that one validator covers both.
    ///
    /// Validators compare versions of one resource (RFC 9110, 8.8.3): an equal tag of another server, or of another URL
    /// from the user, may be chance, so the bytes are compared.
    func isSource(_ url: String) -> Bool {
        isServer(of: url) && (!isFromAnotherURL || ResourceName.text(finalURL) == ResourceName.text(url))
    }

    /// Returns whether a URL's server is the source of the bytes; a different scheme does not matter.
    func isServer(of url: String) -> Bool {
        let (old, new) = (URLScan(finalURL), URLScan(url))
        guard let oldHost = old.host, let newHost = new.host else { return false }
        return ByteText.isSame(String(finalURL[oldHost]), String(url[newHost]))
            && old.port.map { finalURL[$0] } == new.port.map { url[$0] }
    }

    init(_ answer: FreshAnswer) {
        self.init(url: answer.url, finalURL: answer.head.url, method: answer.method, status: answer.status)
        entityTag = answer.tag?.text
        lastModified = answer.lastModified
        date = answer.date
        length = answer.length
        contentEncoding = answer.contentEncoding
        contentType = answer.contentType
        acceptRanges = answer.acceptRanges
    }

    /// Creates the metadata of a fresh response; its length tells where the body ends.
    init(request: TransferRequest, head: ResponseHead, length: BodyLength) {
        self.init(FreshAnswer(request: request, head: head, length: length))
    }

    /// Returns whether the part with these facts is worth more than another one of the same URL: the longer one is,
    /// except that bytes of another URL give way to a different file that the URL itself has sent.
    func isWorthMore(_ byteCount: Int64, than other: StoredMetadata, _ otherCount: Int64) -> Bool {
        if isRefuted(by: other), otherCount > 0 { return false }
        if other.isRefuted(by: self), byteCount > 0 { return true }
        return byteCount > otherCount
    }

    /// Returns whether the bytes came from another URL, and the present one has sent another file.
    func isRefuted(by other: StoredMetadata) -> Bool {
        guard isFromAnotherURL, mirrorDigest == nil, !other.isFromAnotherURL else { return false }
        return strongValidator != other.strongValidator || length != other.length
    }

    /// Returns whether a response's tag, date or length shows another version, even with validators too weak to prove
    /// equality.
    func isOther(_ head: ResponseHead, length new: Int64?) -> Bool {
        if hasOtherValidator(head) { return true }
        guard let length, let new else { return false }
        return length != new
    }

    /// Returns whether a response has a different tag or date.
    func hasOtherValidator(_ head: ResponseHead) -> Bool {
        Self.isOther(entityTag, head.headers.singleValue(named: "ETag")) || hasOtherDate(head)
    }

    /// Returns whether a response has a different date.
    func hasOtherDate(_ head: ResponseHead) -> Bool { Self.isOther(lastModified, head.headers["Last-Modified"]) }

    /// Returns whether both values exist and differ.
    static func isOther(_ old: String?, _ new: String?) -> Bool {
        if let old, let new { !old.utf8.elementsEqual(new.utf8) } else { false }
    }

    /// The value of an If-Range field.
    enum Validator: Sendable, Equatable {
        case entityTag(String)
        case lastModified(String)

        var text: String {
            switch self {
            case .entityTag(let text), .lastModified(let text): text
            }
        }
    }

    /// Seconds between the last change and the response from which on a date is a proof: within less, the file could
    /// have changed again under the same date.
    ///
    /// RFC 9110, 8.8.2.2 demands one second and one clock.
    static let dateMargin: Int64 = 60

    /// Returns type and subtype of a Content-Type field, without parameters, in lower case.
    static func mediaType(_ field: String?) -> String? {
        guard let field, let essence = field.split(separator: ";").first else { return nil }
        let text = ByteText.lowercased(ByteText.trimmed(essence))
        return text.isEmpty ? nil : text
    }
}

/// The header fields that decide whether a partial file may be resumed.
protocol ResponseMetadata {
    var method: String { get }
    var status: Int { get }
    /// The entity tag; nil for a malformed one.
    var tag: EntityTag? { get }
    var lastModified: String? { get }
    var date: String? { get }
    /// Length of the full representation; nil when unknown.
    var length: Int64? { get }
    var contentEncoding: String? { get }
    var contentType: String? { get }
    var acceptRanges: String? { get }
}

extension ResponseMetadata {
    /// The strong validator; nil for none.
    ///
    /// A date never replaces a weak tag (RFC 9110, 13.1.5).
    var strongValidator: StoredMetadata.Validator? {
        if let tag { return tag.isWeak ? nil : .entityTag(tag.text) }
        guard let lastModified, let changed = HTTPDate.seconds(lastModified),
            let made = date.flatMap(HTTPDate.seconds), made - changed >= StoredMetadata.dateMargin
        else { return nil }
        return .lastModified(lastModified)
    }
}

/// The response that began a download, with lazily read fields: a small file has no part, so fields that only a part
/// needs are never looked up.
struct FreshAnswer: ResponseMetadata, Sendable, Equatable {
    /// The requested URL.
    let url: String
    let method: String
    let head: ResponseHead
    let length: Int64?

    /// Takes the response to a request; its length tells where the body ends.
    init(request: TransferRequest, head: ResponseHead, length: BodyLength) {
        url = request.url
        method = request.method
        self.head = head
        self.length = length.byteCount
    }

    /// A 206 whose range is the full file counts as a 200.
    var status: Int {
        head.statusCode == 206 && ContentRange.fullLength(head, method: method) != nil ? 200 : head.statusCode
    }
    var tag: EntityTag? { head.headers.singleValue(named: "ETag").flatMap { EntityTag($0) } }
    var lastModified: String? { head.headers["Last-Modified"] }
    var date: String? { head.headers["Date"] }
    var contentEncoding: String? { head.headers["Content-Encoding"] }
    var contentType: String? { head.headers["Content-Type"] }
    var acceptRanges: String? { head.headers["Accept-Ranges"] }
}

/// A well-formed entity tag, kept octet for octet (RFC 9110, 8.8.3).
struct EntityTag: Sendable, Equatable {
    /// The tag as it was sent, quotes included.
    let text: String
    /// True if the tag promises only equivalent responses, not identical bytes.
    let isWeak: Bool

    /// Parses a tag; nil for text that is not one, such as a tag without quotes.
    init?(_ text: String) {
        let bytes = text.utf8Span.span
        isWeak = bytes.count >= 2 && bytes[0] == 0x57 && bytes[1] == 0x2F
        let start = isWeak ? 2 : 0
        guard bytes.count >= start + 2, bytes[start] == 0x22, bytes[bytes.count - 1] == 0x22 else { return nil }
        var isASCII = true
        for index in start + 1..<bytes.count - 1 {
            let byte = bytes[index]
            guard byte == 0x21 || (byte >= 0x23 && byte != 0x7F) else { return nil }
            if byte >= 0x80 { isASCII = false }
        }
        // Bytes that were not UTF-8 were lost when the field became text, and with them the difference between two
        // tags.
        guard isASCII || !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        self.text = text
    }

    /// Compares octets.
    ///
    /// `String` would treat canonically equivalent texts as equal.
    static func == (left: EntityTag, right: EntityTag) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
}

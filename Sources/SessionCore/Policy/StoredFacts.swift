import SessionSupport

/// What is remembered of the answer that began a download: enough to prove later that a range belongs to the same
/// bytes.
///
/// Stored before the first byte of the body is. Text is kept as it was sent, because validators compare octet for
/// octet.
struct StoredFacts: ContinuationFacts, Sendable, Equatable {
    /// The URL that was asked for.
    ///
    /// A resume asks it again, because redirect targets expire.
    var url: String
    /// The URL that answered.
    var finalURL: String
    var method: String
    var status: Int
    /// The entity tag as it was sent.
    var entityTag: String?
    var lastModified: String?
    var date: String?
    /// Length of the whole representation; nil when unknown.
    var length: Int64?
    var contentEncoding: String?
    var contentType: String?
    var acceptRanges: String?
    /// Whether ``url`` was given by a person later, for a part whose bytes came from another one.
    var isFromAnotherURL = false
    /// SHA-256 of the mirror's URL in hexadecimal, where a mirror has given this answer; nil for the request's own server.
    var mirrorDigest: String?

    var tag: EntityTag? { entityTag.flatMap { EntityTag($0) } }

    init(url: String, finalURL: String, method: String, status: Int) {
        self.url = url
        self.finalURL = finalURL
        self.method = method
        self.status = status
    }

    /// Whether a URL names what the bytes came from, as far as one can tell, so that a validator may speak for both.
    ///
    /// Validators tell the versions of one resource apart (RFC 9110, 8.8.3): that another server, or another URL that a
    /// person has given, has the same tag may be chance, so the bytes have to be compared there.
    func isSource(_ url: String) -> Bool {
        isServer(of: url) && (!isFromAnotherURL || ResourceName.text(finalURL) == ResourceName.text(url))
    }

    /// Whether a URL's server is the one that the bytes came from; another scheme makes no other of it.
    func isServer(of url: String) -> Bool {
        let (old, new) = (URLScan(finalURL), URLScan(url))
        guard let oldHost = old.host, let newHost = new.host else { return false }
        return ByteText.isSame(String(finalURL[oldHost]), String(url[newHost]))
            && old.port.map { finalURL[$0] } == new.port.map { url[$0] }
    }

    /// The facts of the answer that begins a download.
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

    /// The facts of a fresh answer to a request, whose body ends as its length says.
    init(request: TransferRequest, head: ResponseHead, length: BodyLength) {
        self.init(FreshAnswer(request: request, head: head, length: length))
    }

    /// Whether an answer says by a tag, a date or a length that it is of another version, even one that could not prove that
    /// it is the same.
    func isOther(_ head: ResponseHead, length new: Int64?) -> Bool {
        if hasOtherValidator(head) { return true }
        guard let length, let new else { return false }
        return length != new
    }

    /// Whether a tag or a date of an answer is another one.
    func hasOtherValidator(_ head: ResponseHead) -> Bool {
        Self.isOther(entityTag, head.headers.singleValue(named: "ETag")) || hasOtherDate(head)
    }

    /// Whether the date of an answer is another one.
    func hasOtherDate(_ head: ResponseHead) -> Bool { Self.isOther(lastModified, head.headers["Last-Modified"]) }

    /// Whether both are there and differ.
    static func isOther(_ old: String?, _ new: String?) -> Bool {
        if let old, let new { !old.utf8.elementsEqual(new.utf8) } else { false }
    }

    /// What may stand in an If-Range field.
    enum Validator: Sendable, Equatable {
        case entityTag(String)
        case lastModified(String)

        var text: String {
            switch self {
            case .entityTag(let text), .lastModified(let text): text
            }
        }
    }

    /// A date proves something only when the answer was made so many seconds after the last change: within less, the
    /// file could have changed again under the same date.
    ///
    /// RFC 9110, 8.8.2.2 demands one second and one clock.
    static let dateMargin: Int64 = 60

    /// Type and subtype of a Content-Type field, without parameters, in small letters.
    static func mediaType(_ field: String?) -> String? {
        guard let field, let essence = field.split(separator: ";").first else { return nil }
        let text = ByteText.lowercased(ByteText.trimmed(essence))
        return text.isEmpty ? nil : text
    }
}

/// What an answer said about a file, as far as it decides whether a part of the file may be continued.
protocol ContinuationFacts {
    var method: String { get }
    var status: Int { get }
    /// The entity tag, when it is well formed.
    var tag: EntityTag? { get }
    var lastModified: String? { get }
    var date: String? { get }
    /// Length of the whole representation; nil when unknown.
    var length: Int64? { get }
    var contentEncoding: String? { get }
    var contentType: String? { get }
    var acceptRanges: String? { get }
}

extension ContinuationFacts {
    /// The strong validator, if there is one.
    ///
    /// A date never stands in for a tag that is weak (RFC 9110, 13.1.5).
    var strongValidator: StoredFacts.Validator? {
        if let tag { return tag.isWeak ? nil : .entityTag(tag.text) }
        guard let lastModified, let changed = HTTPDate.seconds(lastModified),
            let made = date.flatMap(HTTPDate.seconds), made - changed >= StoredFacts.dateMargin
        else { return nil }
        return .lastModified(lastModified)
    }
}

/// The answer that began a download, whose fields are read when somebody asks for them: what only a part needs to know
/// is never looked up for a small file, which has none.
struct FreshAnswer: ContinuationFacts, Sendable, Equatable {
    /// The URL that was asked for.
    let url: String
    let method: String
    let head: ResponseHead
    let length: Int64?

    /// The answer to a request, whose body ends as its length says.
    init(request: TransferRequest, head: ResponseHead, length: BodyLength) {
        url = request.url
        method = request.method
        self.head = head
        self.length = length.byteCount
    }

    /// A 206 whose range is all of the file is an answer like 200.
    var status: Int {
        head.statusCode == 206 && ContentRange.whole(head, method: method) != nil ? 200 : head.statusCode
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
    /// Whether the tag promises only that two answers mean the same, not that they are the same bytes.
    let isWeak: Bool

    /// Reads a tag; nil for text that is not one, such as a tag without quotes.
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
        // What was not UTF-8 was lost when the field became text, and with it what tells two tags apart.
        guard isASCII || !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        self.text = text
    }

    /// Compares octets.
    ///
    /// `String` would call canonically equivalent texts equal.
    static func == (left: EntityTag, right: EntityTag) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
}

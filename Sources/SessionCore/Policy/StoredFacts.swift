import Support

/// What is remembered of the answer that began a download: enough to prove later that a range belongs to the same bytes.
///
/// Stored before the first byte of the body is. Text is kept as it was sent, because validators compare octet for octet.
struct StoredFacts: ContinuationFacts, Sendable, Equatable {
    /// The URL that was asked for.
    ///
    /// A resume asks it again, because redirect targets expire.
    var url: String
    /// The URL that answered.
    var finalURL: String
    var method: String
    var status: Int
    /// Only a well-formed tag.
    var entityTag: String?
    var lastModified: String?
    var date: String?
    /// Length of the whole representation; nil when unknown.
    var length: Int64?
    var contentEncoding: String?
    var contentType: String?
    var acceptRanges: String?

    init(url: String, finalURL: String, method: String, status: Int) {
        self.url = url
        self.finalURL = finalURL
        self.method = method
        self.status = status
    }

    /// The facts of the answer that begins a download.
    init(_ answer: FreshAnswer) {
        self.init(url: answer.url, finalURL: answer.head.url, method: answer.method, status: answer.status)
        entityTag = answer.entityTag
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

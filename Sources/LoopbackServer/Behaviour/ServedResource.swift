/// A file-like resource: content with validators, ranges and conditions served as RFC 9110 asks.
public struct ServedResource: Sendable {
    /// The content.
    public var body: ServedBody
    /// The media type.
    public var type: String
    /// The entity tag with its quotes, strong or weak (`W/"…"`); nil for none.
    ///
    /// Sent as it is.
    public var entityTag: String?
    /// Seconds since 1970 of the last change; nil for none.
    public var lastModified: Int?
    /// Whether a Range field is honoured.
    public var honoursRange = true
    /// Whether an If-Range field is compared; if not, a Range is served whatever it says.
    public var honoursIfRange = true
    /// Whether several ranges are served as multipart/byteranges; if not, as the whole.
    public var servesMultipleRanges = true
    /// The Accept-Ranges field; nil for none.
    public var acceptRanges: String? = "bytes"

    /// A resource; nil for a validator leaves it out.
    public init(
        body: ServedBody, type: String = "application/octet-stream", entityTag: String? = "\"v1\"",
        lastModified: Int? = nil
    ) {
        self.body = body
        self.type = type
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// Generated content with a strong tag that names seed and size.
    public init(seed: UInt64, count: Int64) {
        self.init(body: .generated(seed: seed, count: count), entityTag: "\"\(seed)-\(count)\"")
    }
}

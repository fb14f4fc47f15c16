/// A file-like resource: content with validators, ranges and conditions as in RFC 9110.
public struct ServedResource: Sendable {
    /// The content.
    public var body: ServedBody
    /// The media type.
    public var type: String
    /// The entity tag with its quotes, strong or weak (`W/"…"`); nil for none.
    ///
    /// Sent unchanged.
    public var entityTag: String?
    /// The last change in seconds since 1970; nil for none.
    public var lastModified: Int?
    /// Whether a Range field is honoured.
    public var honoursRange = true
    /// Whether an If-Range field is compared; otherwise a Range is always served.
    public var honoursIfRange = true
    /// Whether several ranges are served as multipart/byteranges; otherwise the complete resource is.
    public var servesMultipleRanges = true
    /// The Accept-Ranges field; nil for none.
    public var acceptRanges: String? = "bytes"

    /// Creates a resource; nil leaves a validator out.
    public init(
        body: ServedBody, type: String = "application/octet-stream", entityTag: String? = "\"v1\"",
        lastModified: Int? = nil
    ) {
        self.body = body
        self.type = type
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// Creates generated content with a strong tag of seed and size.
    public init(seed: UInt64, count: Int64) {
        self.init(body: .generated(seed: seed, count: count), entityTag: "\"\(seed)-\(count)\"")
    }
}

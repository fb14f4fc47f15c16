/// What an answer said about a file, as far as it decides whether a part of the file may be continued.
protocol ContinuationFacts {
    var method: String { get }
    var status: Int { get }
    /// Only a well-formed tag.
    var entityTag: String? { get }
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
        if let entityTag {
            guard let tag = EntityTag(entityTag), !tag.isWeak else { return nil }
            return .entityTag(entityTag)
        }
        guard let lastModified, let changed = HTTPDate.seconds(lastModified),
            let made = date.flatMap(HTTPDate.seconds), made - changed >= StoredFacts.dateMargin
        else { return nil }
        return .lastModified(lastModified)
    }
}

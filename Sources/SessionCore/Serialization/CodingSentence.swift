/// Errors of decoders and encoders as one sentence that names the field.
extension DecodingError {
    var words: String {
        switch self {
        case .keyNotFound(let key, let context): FieldReasons.missing(key.stringValue.beginning, in: context.place)
        case .valueNotFound(_, let context): FieldReasons.null(context.place)
        case .typeMismatch(let type, let context): FieldReasons.type("\(type)", context.place)
        case .dataCorrupted(let context): FieldReasons.wrong(context.reason, context.place)
        @unknown default: FieldReasons.unreadable
        }
    }
}

extension EncodingError {
    var words: String {
        switch self {
        case .invalidValue(_, let context):
            FieldReasons.wrong(context.debugDescription.beginning, FieldPath.text(of: context.codingPath))
        @unknown default: FieldReasons.unreadable
        }
    }
}

extension DecodingError.Context {
    fileprivate var place: String? { FieldPath.text(of: codingPath) }

    /// A parser says more than the decoder that called it.
    fileprivate var reason: String { (underlyingError?.sentence ?? debugDescription).beginning }
}

extension String {
    /// Names and values of a body may be as long as the body, and so may one character with its accents.
    fileprivate var beginning: String {
        let limit = 200
        guard utf8.count > limit else { return self }
        let start = unicodeScalars.prefix(limit)
        return start.endIndex < endIndex ? String(String.UnicodeScalarView(start)) + "…" : self
    }
}

private enum FieldPath {
    /// A path such as `users[2].name`; nil for the complete value.
    static func text(of path: [any CodingKey]) -> String? {
        guard !path.isEmpty else { return nil }
        let text = path.map { key in key.intValue.map { "[\($0)]" } ?? "." + key.stringValue }.joined()
        return (text.hasPrefix(".") ? String(text.dropFirst()) : text).beginning
    }
}

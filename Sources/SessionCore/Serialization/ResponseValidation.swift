import Foundation

/// Which status codes and content types a serializer accepts.
///
/// Content types are compared without parameters and without regard to case.
public struct ResponseValidation: Sendable, Equatable {
    /// Accepted status codes; nil accepts every one.
    public var statusCodes: Set<Int>? = Set(200...299)
    /// Accepted media types; nil accepts every one.
    public var contentTypes: Set<String>? {
        didSet { contentTypes = contentTypes.map { Set($0.map { $0.lowercased() }) } }
    }

    /// Accepts 2xx and, unless some are named, every content type.
    public init(statusCodes: Set<Int>? = Set(200...299), contentTypes: Set<String>? = nil) {
        self.statusCodes = statusCodes
        self.contentTypes = contentTypes.map { Set($0.map { $0.lowercased() }) }
    }

    /// What the response failed on.
    ///
    /// As in the original a wrong content type of an empty body is a failure without an error, which is why downloads
    /// pass through a JSON serializer.
    struct Verdict {
        var error: ResponseSerializationError?
        var hasWrongContentType = false
    }

    func validate(_ head: ResponseHead?, _ data: Data) -> Verdict {
        guard let head else { return Verdict() }
        var verdict = Verdict()
        let mediaType = Self.mediaType(of: head)
        if let contentTypes, !(mediaType.map(contentTypes.contains) ?? data.isEmpty) {
            verdict.hasWrongContentType = true
            if !data.isEmpty {
                verdict.error = ResponseSerializationError(.unacceptableContentType(mediaType), head: head, data: data)
            }
        }
        if let statusCodes, !statusCodes.contains(head.statusCode) {
            verdict.error = ResponseSerializationError(
                .unacceptableStatusCode(head.statusCode), head: head, data: data, underlying: verdict.error)
        }
        return verdict
    }

    /// The media type in lower case, without its parameters.
    static func mediaType(of head: ResponseHead) -> String? {
        guard let value = head.headers["Content-Type"]?.prefix(while: { $0 != ";" }) else { return nil }
        let trimmed = value.trimmingCharacters(in: .whitespaces).lowercased()
        return trimmed.isEmpty ? nil : trimmed
    }
}

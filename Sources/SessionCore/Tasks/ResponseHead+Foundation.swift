import Foundation
public import FoundationNetworking

/// What Foundation's class offers, under the same names. Each is computed when it is asked for.
extension ResponseHead {
    /// Every header field; lines of one name are joined with ", ".
    ///
    /// The names are written as the server wrote them; ``value(forHTTPHeaderField:)`` compares them without regard to
    /// case.
    public var allHeaderFields: [String: String] {
        var fields: [String: String] = [:]
        fields.reserveCapacity(headers.count)
        for field in headers {
            guard let earlier = fields.updateValue(field.value, forKey: field.name) else { continue }
            fields[field.name] = earlier + ", " + field.value
        }
        return fields
    }

    /// The value of a header field, compared without regard to case; nil when there is no such field.
    public func value(forHTTPHeaderField name: String) -> String? { headers[name] }

    /// The media type in lower case, without its parameters; nil when the server named none.
    public var mimeType: String? { ResponseValidation.mediaType(of: self) }

    /// The body's length in bytes as the server promised it, -1 when it did not.
    public var expectedContentLength: Int64 { headers["Content-Length"].flatMap { Int64($0) } ?? -1 }

    /// A file name: the one the server offers, else the last component of ``url``, else "download".
    ///
    /// It is one component of a path, visible, and safe to create, whatever the server says.
    public var suggestedFilename: String { FileNames.automatic(url: url, head: self) }

    /// Foundation's response; nil when Foundation does not accept the URL's text.
    ///
    /// Making it costs as much as everything else a session manager does for a task: ask only when it is needed, and once.
    public var httpURLResponse: HTTPURLResponse? {
        guard let url = URL(string: url) else { return nil }
        return HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: version.rawValue, headerFields: allHeaderFields)
    }
}

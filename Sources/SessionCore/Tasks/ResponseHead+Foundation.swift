import Foundation
public import FoundationNetworking

/// The bridge to Foundation's class.
extension ResponseHead {
    /// Foundation's response; nil when Foundation does not accept the URL's text.
    ///
    /// It costs microseconds: ask once.
    public var httpURLResponse: HTTPURLResponse? {
        guard let url = URL(string: url) else { return nil }
        var fields: [String: String] = [:]
        for field in headers where fields[field.name] == nil { fields[field.name] = headers[field.name] }
        return HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: version.rawValue, headerFields: fields)
    }
}

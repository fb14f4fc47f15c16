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
        fields.reserveCapacity(headers.count)
        for field in headers {
            guard let earlier = fields.updateValue(field.value, forKey: field.name) else { continue }
            fields[field.name] = earlier + ", " + field.value
        }
        return HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: version.rawValue, headerFields: fields)
    }
}

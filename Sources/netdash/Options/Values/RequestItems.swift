import Dashboard
import Foundation
import SessionSupport

/// The items after a request's URL in HTTPie's syntax: `name=value` and `name:=JSON` are members of a JSON body,
/// `name==value` is a query parameter, `Name:value` a header.
struct RequestItems {
    private(set) var members: [String] = []
    private(set) var query: [String] = []
    private(set) var headers: [HeaderFields.Field] = []

    private static let separators = [":=", "==", "=", ":"]

    /// Throws a usage error that names the item.
    init(_ items: ArraySlice<String>) throws(UsageError) {
        for item in items { try add(item) }
    }

    private mutating func add(_ item: String) throws(UsageError) {
        guard let (name, separator, value) = Self.parts(of: item), !name.isEmpty else {
            throw UsageError(argument: item, JobUsage.notAnItem)
        }
        guard !item.contains("://"), separator != ":" || !Self.isHost(name) || !Self.isPort(value) else {
            throw UsageError(argument: item, JobUsage.secondURL)
        }
        switch separator {
        case "=" where value.hasPrefix("@"):
            throw UsageError(argument: item, JobUsage.itemOfFile(name, value))
        case "=": members.append(Self.quoted(name) + ":" + Self.quoted(value))
        case ":=":
            guard (try? JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)) != nil else {
                throw UsageError(argument: item, JobUsage.itemNotJSON)
            }
            members.append(Self.quoted(name) + ":" + value)
        case "==": query.append(Self.percentEncoded(name) + "=" + Self.percentEncoded(value))
        default: headers.append(try ValueParser.header(item, label: item))
        }
    }

    /// Splits an item at its first separator; of two at one position the longer one counts.
    private static func parts(of item: String) -> (name: String, separator: String, value: String)? {
        let found = separators.compactMap { separator in item.range(of: separator).map { (separator, $0) } }
        guard let first = found.min(by: { $0.1.lowerBound < $1.1.lowerBound }) else { return nil }
        return (String(item[..<first.1.lowerBound]), first.0, String(item[first.1.upperBound...]))
    }

    /// Whether a text may be a host with a domain or an address, which no usual name of a header is.
    private static func isHost(_ text: String) -> Bool { text == "localhost" || text.contains { ".[".contains($0) } }

    /// Whether a text begins with a port, so that a host precedes it.
    private static func isPort(_ text: String) -> Bool {
        let digits = text.prefix { $0.isNumber }
        return !digits.isEmpty && text[digits.endIndex...].first.map { $0 == "/" } ?? true
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func percentEncoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }

    private static func quoted(_ text: String) -> String {
        let data = try? JSONSerialization.data(
            withJSONObject: text, options: [.fragmentsAllowed, .withoutEscapingSlashes])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    /// The JSON body; nil without members.
    var body: String? { members.isEmpty ? nil : "{" + members.joined(separator: ",") + "}" }

    /// A URL with the query parameters appended.
    func completing(_ url: String) -> String {
        guard !query.isEmpty else { return url }
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let joint = parts[0].contains("?") ? "&" : "?"
        return parts[0] + joint + query.joined(separator: "&") + (parts.count == 2 ? "#" + parts[1] : "")
    }
}

public import Foundation

/// A serializer that parses a JSON body; the default of a session manager.
///
/// The object consists of `[String: any Sendable]`, `[any Sendable]`, `String`, `NSNumber` and `NSNull`. An empty body
/// and a single space give no object and no error. A body of an unacceptable status is still parsed, so that both the
/// object and the error are present.
///
/// ```swift
/// manager.responseSerializer = JSONResponseSerializer(removesNullValues: true)
/// ```
public struct JSONResponseSerializer: ResponseSerializer {
    /// The accepted responses; 2xx and the three JSON types by default.
    public var validation: ResponseValidation
    /// The options of Foundation's parser.
    public var readingOptions: JSONSerialization.ReadingOptions
    /// Whether null members and elements are left out.
    public var removesNullValues: Bool

    /// The content types AFNetworking accepts.
    public static let contentTypes: Set<String> = ["application/json", "text/json", "text/javascript"]

    /// A serializer for the JSON types.
    public init(
        validation: ResponseValidation = ResponseValidation(contentTypes: Self.contentTypes),
        readingOptions: JSONSerialization.ReadingOptions = [], removesNullValues: Bool = false
    ) {
        self.validation = validation
        self.readingOptions = readingOptions
        self.removesNullValues = removesNullValues
    }

    /// Returns the parsed body, unless its content type is not acceptable.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        let verdict = validation.validate(head, data)
        guard !verdict.hasWrongContentType, !Self.isBlank(data) else { return SerializedResponse(error: verdict.error) }
        do {
            let parsed = try JSONSerialization.jsonObject(with: data, options: readingOptions)
            // Mutable containers may not cross threads, so they are copied.
            let isShared = readingOptions.isDisjoint(with: [.mutableContainers, .mutableLeaves]) && !removesNullValues
            let object = isShared ? JSONObject.shared(parsed) : nil
            return SerializedResponse(
                object: object ?? JSONObject.make(parsed, removingNulls: removesNullValues), error: verdict.error)
        } catch {
            let reason = error.sentence
            return verdict.malformed(reason, head: head, data: data, underlying: error)
        }
    }

    /// Returns whether parsing is quick: only without a body.
    public func isQuick(byteCount: Int) -> Bool { byteCount == 0 }

    /// Servers answer "no content" with one space, a case AFNetworking handles.
    private static func isBlank(_ data: Data) -> Bool {
        data.isEmpty || data.count == 1 && data.first == 0x20
    }
}

/// Parsed JSON as values that may cross threads.
package enum JSONObject {
    /// Returns `JSONSerialization`'s result unchanged if it consists of Swift values; nil if it has to be copied.
    ///
    /// A protocol without members such as `Sendable` leaves no trace at run time, so the collections are of both types
    /// and need not be traversed: copying cost as much as parsing.
    static func shared(_ value: Any) -> (any Sendable)? {
        if let members = value as? [String: any Sendable] { return members }
        return value as? [any Sendable]
    }

    /// Copies `JSONSerialization`'s result; on request without nulls, at every depth.
    package static func make(_ value: Any, removingNulls: Bool) -> any Sendable {
        switch value {
        case let members as [String: Any]:
            var result: [String: any Sendable] = [:]
            result.reserveCapacity(members.count)
            for (name, member) in members where !(removingNulls && member is NSNull) {
                result[name] = make(member, removingNulls: removingNulls)
            }
            return result
        case let elements as [Any]:
            let kept = removingNulls ? elements.filter { !($0 is NSNull) } : elements
            return kept.map { make($0, removingNulls: removingNulls) } as [any Sendable]
        case let text as String:
            return text
        case let number as NSNumber:
            return number
        default:
            return NSNull()
        }
    }
}

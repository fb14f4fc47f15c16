public import Foundation

/// A serializer that parses a JSON body; the default of a session manager.
///
/// The object is made of `[String: any Sendable]`, `[any Sendable]`, `String`, `NSNumber` and `NSNull`. An empty body
/// and a single space are no object and no error. A body of an unacceptable status is parsed all the same, so that the
/// object and the error are both there.
///
/// ```swift
/// manager.responseSerializer = JSONResponseSerializer(removesNullValues: true)
/// ```
public struct JSONResponseSerializer: ResponseSerializer {
    /// What is accepted; 2xx and the three JSON types unless told otherwise.
    public var validation: ResponseValidation
    /// How Foundation's parser reads.
    public var readingOptions: JSONSerialization.ReadingOptions
    /// Whether members and elements that are null are left out.
    public var removesNullValues: Bool

    /// The types the original accepts.
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

    /// The parsed body, unless its content type is not acceptable.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        let verdict = validation.validate(head, data)
        guard !verdict.hasWrongContentType, !Self.isBlank(data) else { return SerializedResponse(error: verdict.error) }
        do {
            let parsed = try JSONSerialization.jsonObject(with: data, options: readingOptions)
            // What is mutable may not cross threads, and has to be copied.
            let isShared = readingOptions.isDisjoint(with: [.mutableContainers, .mutableLeaves]) && !removesNullValues
            let object = isShared ? JSONObject.shared(parsed) : nil
            return SerializedResponse(
                object: object ?? JSONObject.make(parsed, removingNulls: removesNullValues), error: verdict.error)
        } catch {
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "\(error)"
            return verdict.malformed(reason, head: head, data: data, underlying: error)
        }
    }

    /// Whether parsing is quick: only without a body.
    public func isQuick(byteCount: Int) -> Bool { byteCount == 0 }

    /// Servers answer "no content" with one space (the original's case).
    private static func isBlank(_ data: Data) -> Bool {
        data.isEmpty || data.count == 1 && data.first == 0x20
    }
}

/// Parsed JSON as values that may cross threads.
package enum JSONObject {
    /// What `JSONSerialization` returned as it is, where it is made of Swift's values; nil where it has to be copied.
    ///
    /// A protocol without members such as `Sendable` leaves no trace at run time, so the collections are of both types, and
    /// nothing is looked through: copying cost as much as parsing does.
    static func shared(_ value: Any) -> (any Sendable)? {
        if let members = value as? [String: any Sendable] { return members }
        return value as? [any Sendable]
    }

    /// Copies what `JSONSerialization` returned; nulls are left out of objects and arrays, at every depth, when asked.
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

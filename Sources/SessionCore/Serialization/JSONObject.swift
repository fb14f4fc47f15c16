import Foundation

/// Parsed JSON as values that may cross threads.
public enum JSONObject {
    /// Copies what `JSONSerialization` returned; nulls are left out of objects and arrays, at every depth, when asked.
    public static func make(_ value: Any, removingNulls: Bool) -> any Sendable {
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

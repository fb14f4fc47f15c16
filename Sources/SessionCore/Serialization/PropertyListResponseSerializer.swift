public import Foundation

/// A serializer that parses a property list, binary or XML.
///
/// The object is made of `[String: any Sendable]`, `[any Sendable]`, `String`, `NSNumber`, `Data` and `Date`. An empty
/// body is no object and no error, as a 204 has it. A list that lies too deep in itself, or that would become much more
/// than it is because its parts stand for each other, is an error. The original's oldest form, text without angle
/// brackets, is not read.
///
/// ```swift
/// manager.responseSerializer = PropertyListResponseSerializer()
/// ```
public struct PropertyListResponseSerializer: ResponseSerializer {
    /// What is accepted; 2xx and the type of property lists unless told otherwise.
    public var validation: ResponseValidation
    /// How Foundation's parser reads.
    public var readOptions: PropertyListSerialization.ReadOptions

    /// The type the original accepts.
    public static let contentTypes: Set<String> = ["application/x-plist"]

    /// A serializer for property lists.
    public init(
        validation: ResponseValidation = ResponseValidation(contentTypes: Self.contentTypes),
        readOptions: PropertyListSerialization.ReadOptions = []
    ) {
        (self.validation, self.readOptions) = (validation, readOptions)
    }

    /// The parsed body, unless its content type is not acceptable.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        let verdict = validation.validate(head, data)
        guard !verdict.hasWrongContentType, !data.isEmpty else { return SerializedResponse(error: verdict.error) }
        do {
            try PropertyListGuard.check([UInt8](data))
            let parsed = try PropertyListSerialization.propertyList(from: data, options: readOptions, format: nil)
            return SerializedResponse(object: Self.object(parsed), error: verdict.error)
        } catch {
            let reason = (error as? PropertyListGuard.Refusal)?.words ?? "\(error)"
            return verdict.malformed(reason, head: head, data: data, underlying: error)
        }
    }

    /// Whether parsing is quick: only without a body.
    public func isQuick(byteCount: Int) -> Bool { byteCount == 0 }

    /// Copies what Foundation returned as values that may cross threads.
    private static func object(_ value: Any) -> any Sendable {
        switch value {
        case let members as [String: Any]: members.mapValues(object)
        case let elements as [Any]: elements.map(object) as [any Sendable]
        case let text as String: text
        case let data as Data: data
        case let date as Date: date
        case let number as NSNumber: number
        default: "\(value)"
        }
    }
}

/// A serializer that tries several others, in the manner of the original.
///
/// The first that makes an object wins, and its error is the error. When none does, the object is the body, and the
/// status is checked.
///
/// ```swift
/// manager.responseSerializer = CompoundResponseSerializer([JSONResponseSerializer(), HTTPResponseSerializer()])
/// ```
public struct CompoundResponseSerializer: ResponseSerializer {
    /// The serializers, in the order in which they are tried.
    public var serializers: [any ResponseSerializer]
    /// What is accepted where none of them makes an object; 2xx unless told otherwise.
    public var validation: ResponseValidation

    /// A serializer of several.
    public init(_ serializers: [any ResponseSerializer], validation: ResponseValidation = ResponseValidation()) {
        (self.serializers, self.validation) = (serializers, validation)
    }

    /// What the first that makes an object returns.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        for serializer in serializers {
            let result = serializer.serialize(head: head, data: data)
            if result.object != nil { return result }
        }
        return HTTPResponseSerializer(validation: validation).serialize(head: head, data: data)
    }

    /// Whether all of them are quick.
    public func isQuick(byteCount: Int) -> Bool { serializers.allSatisfy { $0.isQuick(byteCount: byteCount) } }
}

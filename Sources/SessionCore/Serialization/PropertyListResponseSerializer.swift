public import Foundation

/// A serializer that parses a property list, binary or XML.
///
/// The object consists of `[String: any Sendable]`, `[any Sendable]`, `String`, `NSNumber`, `Data` and `Date`. An empty
/// body, as in a 204, gives no object and no error. A list that is nested too deep, or whose shared parts would expand
/// far beyond its size, is an error. AFNetworking's oldest format, text without angle brackets, is not read.
///
/// ```swift
/// manager.responseSerializer = PropertyListResponseSerializer()
/// ```
public struct PropertyListResponseSerializer: ResponseSerializer {
    /// The accepted responses; 2xx and the property list type by default.
    public var validation: ResponseValidation
    /// The options of Foundation's parser.
    public var readOptions: PropertyListSerialization.ReadOptions

    /// The content type AFNetworking accepts.
    public static let contentTypes: Set<String> = ["application/x-plist"]

    /// A serializer for property lists.
    public init(
        validation: ResponseValidation = ResponseValidation(contentTypes: Self.contentTypes),
        readOptions: PropertyListSerialization.ReadOptions = []
    ) {
        (self.validation, self.readOptions) = (validation, readOptions)
    }

    /// Returns the parsed body, unless its content type is not acceptable.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        let verdict = validation.validate(head, data)
        guard !verdict.hasWrongContentType, !data.isEmpty else { return SerializedResponse(error: verdict.error) }
        do {
            try PropertyListGuard.check([UInt8](data))
            let parsed = try PropertyListSerialization.propertyList(from: data, options: readOptions, format: nil)
            return SerializedResponse(object: Self.object(parsed), error: verdict.error)
        } catch {
            let reason = (error as? PropertyListGuard.Refusal)?.words ?? error.sentence
            return verdict.malformed(reason, head: head, data: data, underlying: error)
        }
    }

    /// Returns whether parsing is quick: only without a body.
    public func isQuick(byteCount: Int) -> Bool { byteCount == 0 }

    /// Copies Foundation's result as values that may cross threads.
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

/// A serializer that tries several others, as AFNetworking's does.
///
/// The first that makes an object wins, and its error is the error. If none does, the object is the body, and the
/// status is checked.
///
/// ```swift
/// manager.responseSerializer = CompoundResponseSerializer([JSONResponseSerializer(), HTTPResponseSerializer()])
/// ```
public struct CompoundResponseSerializer: ResponseSerializer {
    /// The serializers, in the order in which they are tried.
    public var serializers: [any ResponseSerializer]
    /// The accepted responses if none of them makes an object; 2xx by default.
    public var validation: ResponseValidation

    /// A serializer that tries the given ones in order.
    public init(_ serializers: [any ResponseSerializer], validation: ResponseValidation = ResponseValidation()) {
        (self.serializers, self.validation) = (serializers, validation)
    }

    /// Returns the result of the first serializer that makes an object.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        for serializer in serializers {
            let result = serializer.serialize(head: head, data: data)
            if result.object != nil { return result }
        }
        return HTTPResponseSerializer(validation: validation).serialize(head: head, data: data)
    }

    /// Returns whether all of them are quick.
    public func isQuick(byteCount: Int) -> Bool { serializers.allSatisfy { $0.isQuick(byteCount: byteCount) } }
}

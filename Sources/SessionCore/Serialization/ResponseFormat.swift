public import Foundation

/// A format of the value a waiting call returns: a serializer and the type of its object.
///
/// `manager.data(for: request, as: .json)` and `as: .decodable([User].self)` are two; a program adds its own in an
/// extension. It applies to that call, whatever the manager's serializer is.
///
/// ```swift
/// let text = try await manager.data(for: request, as: .string)
/// print(text)
/// ```
public struct ResponseFormat<Value: Sendable>: Sendable {
    /// The serializer.
    public let serializer: any ResponseSerializer
    private let convert: @Sendable ((any Sendable)?) -> Value?
    /// Whether the value is the completion, whose body stays unchanged unless the manager's serializer was set.
    let isOfTask: Bool

    /// A format from a serializer and a conversion of its object (nil if it made none); by default objects have to be
    /// of the type.
    ///
    /// Returning nil fails the call with ``ResponseSerializationError/Reason/unexpectedObject(_:)``.
    public init(
        _ serializer: any ResponseSerializer,
        convert: @escaping @Sendable ((any Sendable)?) -> Value? = { $0 as? Value }
    ) {
        (self.serializer, self.convert, isOfTask) = (serializer, convert, false)
    }

    /// A format whose value is made from the completion.
    init(ofTask convert: @escaping @Sendable ((any Sendable)?) -> Value?) {
        (serializer, self.convert, isOfTask) = (HTTPResponseSerializer(), convert, true)
    }

    func value(
        of object: (any Sendable)?, head: ResponseHead?, data: Data
    ) throws(ResponseSerializationError) -> Value {
        if let value = convert(object) { return value }
        let type = object.map { "\(Swift.type(of: $0))" } ?? "nothing"
        throw ResponseSerializationError(.unexpectedObject(type), head: head, data: data)
    }
}

extension ResponseFormat where Value == Data {
    /// The body, with the status checked.
    public static var data: ResponseFormat { ResponseFormat(HTTPResponseSerializer()) }
}

extension ResponseFormat where Value == String {
    /// The body as text, with the status checked.
    public static var string: ResponseFormat { ResponseFormat(StringResponseSerializer()) }
}

extension ResponseFormat where Value == (any Sendable)? {
    /// Parsed JSON; nil for an empty body.
    public static var json: ResponseFormat { ResponseFormat(JSONResponseSerializer()) { .some($0) } }

    /// A property list; nil for an empty body.
    public static var propertyList: ResponseFormat { ResponseFormat(PropertyListResponseSerializer()) { .some($0) } }
}

extension ResponseFormat where Value: Decodable {
    /// Returns a format that decodes a type, from JSON unless another decoder is given.
    public static func decodable(
        _ type: Value.Type = Value.self, decoder: any ResponseDecoder = JSONDecoder(),
        validation: ResponseValidation = ResponseValidation()
    ) -> ResponseFormat {
        ResponseFormat(DecodableResponseSerializer(type, decoder: decoder, validation: validation))
    }
}

/// Runs a caller's check after a serializer that found no fault.
struct CheckingResponseSerializer: ResponseSerializer {
    let base: any ResponseSerializer
    let check: ResponseCheck

    func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        var result = base.serialize(head: head, data: data)
        guard result.error == nil, let head else { return result }
        do {
            try check(head, data)
        } catch let error as ResponseSerializationError {
            result.error = error
        } catch {
            result.error = ResponseSerializationError(
                .refused(error.sentence), head: head, data: data, underlying: error)
        }
        return result
    }
}

/// A program's own check of a response's head and body, which throws to refuse the response.
///
/// Called on the serializer's concurrent queue; the body is empty for a download.
public typealias ResponseCheck = @Sendable (ResponseHead, Data) throws -> Void

extension ResponseSerializer {
    /// Returns this serializer with a caller's check after it; see ``ResponseCheck``.
    public func validating(_ check: @escaping ResponseCheck) -> any ResponseSerializer {
        CheckingResponseSerializer(base: self, check: check)
    }
}

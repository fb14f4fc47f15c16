public import Foundation
public import FoundationXML
public import SessionCore

/// A serializer that checks that a body is whole, well-formed XML, and hands it over as something that can be parsed.
///
/// The object is an ``XMLBody``. What is cut off is an error, and nothing is printed:
/// Foundation's document accepts half a body, and the library under it writes to standard error. No entity is read from
/// outside the body. An empty body is no object and no error.
///
/// ```swift
/// let completion = try await manager.data(
///     for: request, options: TaskOptions(responseSerializer: XMLResponseSerializer()))
/// print((completion.object as? XMLBody).map { _ in "XML" } ?? "nothing")
/// ```
public struct XMLResponseSerializer: ResponseSerializer, Codable {
    /// What is accepted; 2xx and the two XML types unless told otherwise.
    public var validation: ResponseValidation

    /// The types the original accepts.
    public static let contentTypes: Set<String> = ["application/xml", "text/xml"]

    /// A serializer for the XML types.
    public init(validation: ResponseValidation = ResponseValidation(contentTypes: Self.contentTypes)) {
        self.validation = validation
    }

    /// The body, unless its content type is not acceptable or it is not XML.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        let verdict = validation.validate(head, data)
        guard !verdict.hasWrongContentType, !data.isEmpty else { return SerializedResponse(error: verdict.error) }
        do throws(XMLFault) {
            return SerializedResponse(object: try XMLBody(data), error: verdict.error)
        } catch {
            return verdict.malformed(error.description, head: head, data: data, underlying: error)
        }
    }

    /// Whether parsing is quick: only without a body.
    public func isQuick(byteCount: Int) -> Bool { byteCount == 0 }
}

extension ResponseFormat where Value == XMLBody {
    /// XML, whole and well formed.
    public static var xml: ResponseFormat { ResponseFormat(XMLResponseSerializer()) }
}

/// A fault of bytes that are not XML.
///
/// ```swift
/// do throws(XMLFault) { _ = try XMLBody(Data("<a>".utf8)) } catch { print(error) }
/// ```
public struct XMLFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line where reading ended, counted from 1; 0 where it is not known.
    public var line: Int
    /// One sentence for a person.
    public var description: String

    init(line: Int, _ description: String) { (self.line, self.description) = (line, description) }
}

/// XML that was read through once, so that what is made of it is made of a whole.
///
/// ```swift
/// let body = try XMLBody(Data("<a><b/></a>".utf8))
/// print(body)
/// ```
public struct XMLBody: Sendable, Equatable {
    /// The bytes.
    public let data: Data
    /// The outermost element and everything in it.
    public let root: XMLTree

    /// Reads bytes through; throws for what is not well formed, and for elements that lie more than 250 deep.
    public init(_ data: Data) throws(XMLFault) {
        self.data = data
        root = try XMLReader.read(data)
    }

    /// A parser that was not started, as the original's serializer returns it.
    public func makeParser() -> XMLParser { XMLParser(data: data) }

    /// Foundation's document.
    public func makeDocument(options: XMLNode.Options = []) throws -> XMLDocument {
        try XMLDocument(data: data, options: options)
    }
}

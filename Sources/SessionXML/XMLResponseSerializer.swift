public import Foundation
public import FoundationXML
public import SessionCore

/// A serializer that checks that a body is complete, well-formed XML, and returns it in a form that can be parsed.
///
/// The object is an ``XMLBody``. A truncated body is an error, and nothing is printed: Foundation's document accepts
/// half a body, and the library under it writes to standard error. Entities that the body declares have their text in
/// the tree, unless it declares others too; none is read from outside the body. An empty body gives no object and no
/// error.
///
/// ```swift
/// let completion = try await manager.data(
///     for: request, options: TaskOptions(responseSerializer: XMLResponseSerializer()))
/// print((completion.object as? XMLBody).map { _ in "XML" } ?? "nothing")
/// ```
public struct XMLResponseSerializer: ResponseSerializer, Codable {
    /// The accepted responses; 2xx and the two XML types by default.
    public var validation: ResponseValidation

    /// The content types AFNetworking accepts.
    public static let contentTypes: Set<String> = ["application/xml", "text/xml"]

    /// A serializer for the XML types.
    public init(validation: ResponseValidation = ResponseValidation(contentTypes: Self.contentTypes)) {
        self.validation = validation
    }

    /// Returns the body, unless its content type is not acceptable or it is not XML.
    public func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        let verdict = validation.validate(head, data)
        guard !verdict.hasWrongContentType, !data.isEmpty else { return SerializedResponse(error: verdict.error) }
        do throws(XMLFault) {
            return SerializedResponse(object: try XMLBody(data), error: verdict.error)
        } catch {
            return verdict.malformed(error.description, head: head, data: data, underlying: error)
        }
    }

    /// Returns whether parsing is quick: only without a body.
    public func isQuick(byteCount: Int) -> Bool { byteCount == 0 }
}

extension ResponseFormat where Value == XMLBody {
    /// Complete, well-formed XML.
    public static var xml: ResponseFormat { ResponseFormat(XMLResponseSerializer()) }
}

/// A fault of bytes that are not XML.
///
/// ```swift
/// do throws(XMLFault) { _ = try XMLBody(Data("<a>".utf8)) } catch { print(error) }
/// ```
public struct XMLFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line where reading ended, counted from 1; 0 if unknown.
    public var line: Int
    /// One sentence for the user.
    public var description: String

    init(line: Int, _ description: String) { (self.line, self.description) = (line, description) }
}

/// XML that was checked once, so that its parsers get complete input.
///
/// ```swift
/// let body = try XMLBody(Data("<a><b/></a>".utf8))
/// print(body)
/// ```
public struct XMLBody: Sendable, Equatable {
    /// The bytes.
    public let data: Data
    /// The root element and its content.
    public let root: XMLTree

    /// Checks the bytes; throws if they are not well formed, and for elements nested more than 250 deep.
    public init(_ data: Data) throws(XMLFault) {
        self.data = data
        root = try XMLReader.read(data)
    }

    /// Returns a parser that was not started, as AFNetworking's serializer does.
    public func makeParser() -> XMLParser { XMLParser(data: data) }

    /// Returns Foundation's document.
    public func makeDocument(options: XMLNode.Options = []) throws -> XMLDocument {
        try XMLDocument(data: data, options: options)
    }
}

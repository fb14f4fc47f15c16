import Foundation
import FoundationXML

/// An XML element as a value: its name, its attributes and its content.
///
/// ```swift
/// print(try XMLBody(Data("<a><b/></a>".utf8)).root.name)
/// ```
public struct XMLTree: Sendable, Equatable {
    /// A child of an element: another element, or text.
    ///
    /// ```swift
    /// print(try XMLBody(Data("<a>text</a>".utf8)).root.children.count)
    /// ```
    public enum Child: Sendable, Equatable {
        /// Another element.
        case element(XMLTree)
        /// Text, with its entities replaced.
        case text(String)
    }

    /// The name as it was written, including its prefix.
    public var name: String
    /// The attributes by name.
    public var attributes: [String: String]
    /// The content in order; comments and processing instructions are dropped.
    public var children: [Child]

    /// An element from its parts.
    public init(name: String, attributes: [String: String] = [:], children: [Child] = []) {
        (self.name, self.attributes, self.children) = (name, attributes, children)
    }

    /// The child elements.
    public var elements: [XMLTree] {
        children.compactMap { child in
            if case .element(let element) = child { element } else { nil }
        }
    }

    /// Returns the child elements with a name.
    public func elements(named name: String) -> [XMLTree] { elements.filter { $0.name == name } }

    /// The first child element with a name.
    public subscript(name: String) -> XMLTree? { elements.first { $0.name == name } }

    /// All the text in it, including that in its descendants.
    public var text: String {
        children.reduce(into: "") { text, child in
            switch child {
            case .element(let element): text += element.text
            case .text(let more): text += more
            }
        }
    }
}

/// Builds a tree while Foundation's parser reads: a class, because a parser's delegate has to be one.
final class XMLReader: NSObject, XMLParserDelegate {
    /// The maximum nesting depth; libxml2 gives up at 256.
    private static let depthLimit = 250

    private var open: [XMLTree] = []
    private var root: XMLTree?
    private var isTooDeep = false
    private var text = ""

    /// The root element; throws unless the XML is complete.
    static func read(_ data: Data) throws(XMLFault) -> XMLTree {
        let reader = XMLReader()
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isComplete = parser.parse()
        if reader.isTooDeep {
            throw XMLFault(line: parser.lineNumber, XMLReasons.tooDeep(depthLimit))
        }
        // Foundation takes content after the root element for the end of the document and reports success.
        guard isComplete, parser.parserError == nil, let root = reader.root, reader.open.isEmpty else {
            let line = parser.lineNumber
            let code = (parser.parserError as NSError?)?.code
            throw XMLFault(
                line: line, code.map { XMLReasons.malformed(line: line, code: $0) } ?? XMLReasons.malformed(line: line))
        }
        return try XMLEntities.root(of: data) ?? root
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes: [String: String] = [:]
    ) {
        guard open.count < Self.depthLimit else {
            isTooDeep = true
            return parser.abortParsing()
        }
        flush()
        open.append(XMLTree(name: qName ?? elementName, attributes: attributes))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
    ) {
        flush()
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(.element(element)) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { append(string) }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        append(String(decoding: CDATABlock, as: UTF8.self))
    }

    /// Collects text, which a parser delivers in pieces.
    private func append(_ more: String) {
        if !open.isEmpty { text += more }
    }

    /// Adds the collected text to the open element.
    private func flush() {
        guard !text.isEmpty, let last = open.indices.last else { return }
        open[last].children.append(.text(text))
        text = ""
    }
}

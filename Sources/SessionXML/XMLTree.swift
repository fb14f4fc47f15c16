import Foundation
import FoundationXML

/// An element of XML as a value: its name, its attributes and what is in it.
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
        /// Text, with what its entities stand for.
        case text(String)
    }

    /// The name as it was written, its prefix included.
    public var name: String
    /// The attributes by their names.
    public var attributes: [String: String]
    /// What is in it, in order; comments and instructions are not kept.
    public var children: [Child]

    /// An element from its parts.
    public init(name: String, attributes: [String: String] = [:], children: [Child] = []) {
        (self.name, self.attributes, self.children) = (name, attributes, children)
    }

    /// The elements directly in it.
    public var elements: [XMLTree] {
        children.compactMap { child in
            if case .element(let element) = child { element } else { nil }
        }
    }

    /// The elements of a name directly in it.
    public func elements(named name: String) -> [XMLTree] { elements.filter { $0.name == name } }

    /// The first element of a name directly in it.
    public subscript(name: String) -> XMLTree? { elements.first { $0.name == name } }

    /// All the text in it, that of the elements in it included.
    public var text: String {
        children.reduce(into: "") { text, child in
            switch child {
            case .element(let element): text += element.text
            case .text(let more): text += more
            }
        }
    }
}

/// Builds a tree while Foundation's parser reads: a class, because that is what a parser's delegate has to be.
final class XMLReader: NSObject, XMLParserDelegate {
    /// Elements may lie so deep in each other; libxml2 gives up at 256.
    private static let depthLimit = 250

    private var open: [XMLTree] = []
    private var root: XMLTree?
    private var isTooDeep = false
    private var text = ""

    /// The outermost element of XML that is whole.
    static func read(_ data: Data) throws(XMLFault) -> XMLTree {
        let reader = XMLReader()
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isComplete = parser.parse()
        if reader.isTooDeep {
            throw XMLFault(line: parser.lineNumber, XMLReasons.tooDeep(depthLimit))
        }
        // Foundation takes what stands behind the outermost element for the end of the document, and says that all is well.
        guard isComplete, parser.parserError == nil, let root = reader.root, reader.open.isEmpty else {
            let line = parser.lineNumber
            let code = (parser.parserError as NSError?)?.code
            throw XMLFault(
                line: line, code.map { XMLReasons.malformed(line: line, code: $0) } ?? XMLReasons.malformed(line: line))
        }
        return root
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

    /// Collects text, which a parser gives in pieces.
    private func append(_ more: String) {
        if !open.isEmpty { text += more }
    }

    /// Puts the text that was collected where it belongs.
    private func flush() {
        guard !text.isEmpty, let last = open.indices.last else { return }
        open[last].children.append(.text(text))
        text = ""
    }
}

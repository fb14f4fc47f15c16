import Foundation
import FoundationXML

/// The entities that a document declares itself, whose text Foundation's parser leaves out.
///
/// Foundation's document has their text, so the tree is made from it; but it is asked only where all entities are in
/// the document and do not grow far beyond it, because it reads files that entities name, and prints its errors.
struct XMLEntities {
    /// The bytes that the entities of a document may become at most.
    private static let limit = 10 << 20

    private var values: [[UInt8]: [UInt8]] = [:]
    /// The length of each value with its entities replaced; nil while it is computed.
    private var lengths: [[UInt8]: Int?] = [:]

    /// Returns the root element with the text of the document's own entities; nil for a document without, or with one
    /// that is not in the document.
    static func root(of data: Data) throws(XMLFault) -> XMLTree? {
        let bytes = bytes(of: data)
        guard var entities = XMLEntities(declaredIn: bytes), !entities.values.isEmpty else { return nil }
        guard entities.length(of: bytes) <= Self.limit else { throw XMLFault(line: 0, XMLReasons.entitiesTooLong) }
        do {
            return try XMLDocument(data: data, options: .nodePreserveWhitespace).rootElement().map { XMLTree($0) }
        } catch {
            throw XMLFault(line: 0, XMLReasons.entities)
        }
    }

    /// The document in an encoding whose marks are ASCII.
    private static func bytes(of data: Data) -> [UInt8] {
        let isWide = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        return isWide ? String(data: data, encoding: .utf16).map { Array($0.utf8) } ?? [] : Array(data)
    }

    /// Reads the declarations; nil if one has no value of its own.
    private init?(declaredIn bytes: [UInt8]) {
        let mark = Array("<!ENTITY".utf8)
        var rest = bytes[...]
        while let start = rest.firstIndex(of: mark[0]) {
            rest = rest[start...]
            guard rest.starts(with: mark) else {
                rest = rest.dropFirst()
                continue
            }
            rest = Self.withoutSpace(rest.dropFirst(mark.count))
            let name = Array(rest.prefix { $0 > 0x20 })
            rest = Self.withoutSpace(rest.dropFirst(name.count))
            guard name != Array("%".utf8), let quote = rest.popFirst(), quote == 0x22 || quote == 0x27,
                let end = rest.firstIndex(of: quote)
            else { return nil }
            // The first declaration of a name counts.
            if values[name] == nil { values[name] = Array(rest[..<end]) }
            rest = rest[(end + 1)...]
        }
    }

    private static func withoutSpace(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { bytes.drop { $0 <= 0x20 } }

    /// The length of a text with its entities replaced, or a number above the limit.
    private mutating func length(of text: [UInt8]) -> Int {
        var length = text.count
        var rest = text[...]
        while length <= Self.limit, let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            let name = Array(rest[(start + 1)...].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "&") })
            rest = rest[(start + 1 + name.count)...]
            length += self.length(ofEntity: name)
        }
        return length
    }

    private mutating func length(ofEntity name: [UInt8]) -> Int {
        guard let value = values[name] else { return 0 }
        if let known = lengths[name] { return known ?? Self.limit + 1 }
        lengths[name] = .some(nil)
        let length = length(of: value)
        lengths[name] = length
        return length
    }
}

extension XMLTree {
    /// An element of Foundation's document.
    fileprivate init(_ element: XMLElement) {
        var attributes: [String: String] = [:]
        for node in (element.namespaces ?? []) {
            let prefix = node.name ?? ""
            attributes[prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)"] = node.stringValue ?? ""
        }
        for node in element.attributes ?? [] { attributes[node.name ?? ""] = node.stringValue ?? "" }
        self.init(name: element.name ?? "", attributes: attributes)
        var text = ""
        for node in element.children ?? [] {
            if let child = node as? XMLElement {
                if !text.isEmpty { children.append(.text(text)) }
                text = ""
                children.append(.element(XMLTree(child)))
            } else if node.kind == .text {
                text += node.stringValue ?? ""
            }
        }
        if !text.isEmpty { children.append(.text(text)) }
    }
}

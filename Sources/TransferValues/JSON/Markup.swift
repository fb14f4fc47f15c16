import SessionSupport

/// An XML element: its name without a prefix, its attributes and its content.
///
/// Foundation's parser would link libxml2 into the program, and supports too much: this one supports elements,
/// attributes, text and XML's five predefined entities, and refuses definitions of others.
package struct Markup: Sendable, Equatable {
    /// A parse error with its line.
    package struct Fault: Error, Equatable {
        package var line: Int
        package var reason: String
    }

    package var name: String
    package var attributes: [String: String] = [:]
    package var children: [Markup] = []
    /// The text directly in it.
    package var text = ""

    /// Its direct children of a name.
    package func all(_ name: String) -> [Markup] { children.filter { $0.name == name } }

    /// Parses a complete UTF-8 document; returns its root element.
    package static func read(_ bytes: [UInt8]) throws(Fault) -> Markup {
        var reader = MarkupReader(bytes)
        return try reader.document()
    }
}

/// Parses a document in one pass.
private struct MarkupReader {
    private static let depthLimit = 32
    private static let elementLimit = 200_000

    private let bytes: [UInt8]
    private var position = 0
    private var count = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes }

    mutating func document() throws(Markup.Fault) -> Markup {
        try skipMisc()
        guard peek("<") else { throw fault(MarkupUsage.noElement) }
        let root = try element(depth: 0)
        try skipMisc()
        guard position == bytes.count else { throw fault(MarkupUsage.afterRoot) }
        return root
    }

    // MARK: - Elements

    private mutating func element(depth: Int) throws(Markup.Fault) -> Markup {
        count += 1
        guard depth < Self.depthLimit, count <= Self.elementLimit else {
            throw fault(depth < Self.depthLimit ? MarkupUsage.tooMany : MarkupUsage.tooDeep)
        }
        position += 1
        let qualified = try identifier()
        var element = Markup(name: Self.local(qualified))
        while true {
            let hadBlank = skipBlanks()
            if take("/>") { return element }
            if take(">") { break }
            guard hadBlank else { throw fault(MarkupUsage.tag) }
            let name = try identifier()
            skipBlanks()
            guard take("=") else { throw fault(MarkupUsage.noValue) }
            skipBlanks()
            guard element.attributes.updateValue(try quoted(), forKey: name) == nil else {
                throw fault(MarkupUsage.attributeTwice)
            }
        }
        try content(of: &element, depth: depth)
        guard try identifier() == qualified else { throw fault(MarkupUsage.notClosed) }
        skipBlanks()
        guard take(">") else { throw fault(MarkupUsage.tag) }
        return element
    }

    /// Reads up to the name in the closing tag.
    private mutating func content(of element: inout Markup, depth: Int) throws(Markup.Fault) {
        var text: [UInt8] = []
        while true {
            guard let byte = current else { throw fault(MarkupUsage.end) }
            if take("</") {
                element.text = try string(text)
                return
            }
            if take("<!--") {
                try skip(past: "-->")
            } else if take("<![CDATA[") {
                let start = position
                try skip(past: "]]>")
                text += bytes[start..<position - 3]
            } else if take("<?") {
                try skip(past: "?>")
            } else if peek("<!") {
                throw fault(MarkupUsage.definition)
            } else if byte == UInt8(ascii: "<") {
                element.children.append(try self.element(depth: depth + 1))
            } else if byte == UInt8(ascii: "&") {
                text += try entity()
            } else {
                text.append(byte)
                position += 1
            }
        }
    }

    private mutating func quoted() throws(Markup.Fault) -> String {
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault(MarkupUsage.noQuotes)
        }
        position += 1
        var text: [UInt8] = []
        while let byte = current, byte != quote {
            guard byte != UInt8(ascii: "<") else { throw fault(MarkupUsage.lessThan) }
            if byte == UInt8(ascii: "&") {
                text += try entity()
            } else {
                text.append(byte)
                position += 1
            }
        }
        guard current == quote else { throw fault(MarkupUsage.end) }
        position += 1
        return try string(text)
    }

    private mutating func entity() throws(Markup.Fault) -> [UInt8] {
        guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw fault(MarkupUsage.ampersand)
        }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        let number =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16)
            : name.hasPrefix("#") ? UInt32(name.dropFirst(1)) : nil
        guard let number, number >= 0x20 || [9, 10, 13].contains(number), let scalar = Unicode.Scalar(number) else {
            throw fault(MarkupUsage.entity)
        }
        return Array(String(scalar).utf8)
    }

    // MARK: - Between elements

    private mutating func skipMisc() throws(Markup.Fault) {
        while true {
            skipBlanks()
            if take("<?xml") {
                let start = position
                try skip(past: "?>")
                try checkEncoding(String(decoding: bytes[start..<position], as: UTF8.self))
            } else if take("<?") {
                try skip(past: "?>")
            } else if take("<!--") {
                try skip(past: "-->")
            } else if peek("<!") {
                throw fault(MarkupUsage.documentType)
            } else {
                return
            }
        }
    }

    private func checkEncoding(_ declaration: String) throws(Markup.Fault) {
        let small = ByteText.lowercased(declaration[...])
        guard !small.contains("encoding") || small.contains("utf-8") || small.contains("us-ascii") else {
            throw fault(MarkupUsage.notUTF8)
        }
    }

    // MARK: - Bytes

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func peek(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard peek(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    @discardableResult private mutating func skipBlanks() -> Bool {
        let start = position
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
        return position > start
    }

    private mutating func skip(past text: StaticString) throws(Markup.Fault) {
        while position < bytes.count, !peek(text) { position += 1 }
        guard take(text) else { throw fault(MarkupUsage.end) }
    }

    private mutating func identifier() throws(Markup.Fault) -> String {
        let start = position
        while let byte = current,
            ByteText.isLetter(byte) || ByteText.isDigit(byte) || byte >= 0x80 || "-_.:".utf8.contains(byte)
        {
            position += 1
        }
        guard position > start else { throw fault(MarkupUsage.tag) }
        return try string(Array(bytes[start..<position]))
    }

    private func string(_ text: [UInt8]) throws(Markup.Fault) -> String {
        guard let result = String(validating: text, as: UTF8.self) else { throw fault(MarkupUsage.notUTF8) }
        return result
    }

    private static func local(_ name: String) -> String {
        name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private func fault(_ reason: String) -> Markup.Fault {
        Markup.Fault(line: bytes[..<min(position, bytes.count)].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }, reason: reason)
    }
}

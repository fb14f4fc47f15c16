import SessionSupport

/// Header fields in the order they were received or will be sent.
///
/// Names compare case-insensitively (RFC 9110, 5.1).
///
/// ```swift
/// var fields: HeaderFields = ["Accept": "text/plain"]
/// fields.append(name: "Accept", value: "text/html")
/// print(fields["accept"] ?? "none", fields.values(named: "Accept"))
/// ```
public struct HeaderFields: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field line.
    ///
    /// ```swift
    /// for field in request.headers { print(field.name, field.value) }
    /// ```
    public struct Field: Sendable, Equatable {
        /// The name as it was written.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// Creates a field line.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private static let usualCount = 8

    private var fields: [Field] = []
    private var lengths = NameLengths()

    /// Creates a list without fields.
    public init() {}

    /// Creates fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }

    package init(_ fields: [Field]) {
        self.fields = fields
        for field in fields { lengths.add(field.name) }
    }

    /// The fields with which no cache on the way answers.
    package static let noCache: HeaderFields = ["Cache-Control": "no-cache", "Pragma": "no-cache"]

    /// The number of field lines.
    public var count: Int { fields.count }
    /// Whether the list has no field lines.
    public var isEmpty: Bool { fields.isEmpty }

    /// Adds a line after the others, keeping any of the same name.
    public mutating func append(name: String, value: String) {
        append(Field(name: name, value: value))
    }

    /// Adds a line after the others.
    ///
    /// The first one reserves room for a usual response.
    package mutating func append(_ field: consuming Field) {
        if fields.isEmpty { fields.reserveCapacity(Self.usualCount) }
        lengths.add(field.name)
        fields.append(field)
    }

    /// Appends to the value of the last line after a space, and returns its name; nil for an empty list.
    package mutating func appendToLast(_ rest: String) -> String? {
        guard let last = fields.indices.last else { return nil }
        if !rest.isEmpty { fields[last].value += fields[last].value.isEmpty ? rest : " " + rest }
        return fields[last].name
    }

    /// Changes the value of every line of a name where `other` returns a new one.
    package mutating func replaceValues(named name: String, with other: (String) -> String?) {
        for index in fields.indices where ByteText.isSame(fields[index].name, name) {
            if let value = other(fields[index].value) { fields[index].value = value }
        }
    }

    /// Removes every line of a name.
    public mutating func removeAll(named name: String) {
        fields.removeAll { ByteText.isSame($0.name, name) }
    }

    package mutating func removeAll(where fits: (Field) -> Bool) { fields.removeAll(where: fits) }

    /// The values of every line of a name, in order.
    public func values(named name: String) -> [String] {
        var values: [String] = []
        var next = firstLine(of: name, from: 0)
        while let line = next {
            values.append(fields[line].value)
            next = firstLine(of: name, from: line + 1)
        }
        return values
    }

    /// The value of a name: of the single line, or of several joined with ", " (RFC 9110, 5.3).
    ///
    /// Setting replaces all lines.
    public subscript(name: String) -> String? {
        get {
            guard let first = firstLine(of: name, from: 0) else { return nil }
            guard firstLine(of: name, from: first + 1) != nil else { return fields[first].value }
            return values(named: name).joined(separator: ", ")
        }
        set {
            if firstLine(of: name, from: 0) != nil { removeAll(named: name) }
            if let newValue { append(name: name, value: newValue) }
        }
    }

    /// Iterates over the field lines in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// The value of the only line of a name; nil for none or several.
    package func singleValue(named name: String) -> String? {
        guard let first = firstLine(of: name, from: 0), firstLine(of: name, from: first + 1) == nil else { return nil }
        return fields[first].value
    }

    /// The index of the first line of a name from `start` on; nil without one.
    private func firstLine(of name: String, from start: Int) -> Int? {
        let length = name.utf8.count
        guard start < fields.count, lengths.mayHave(length) else { return nil }
        return fields.withUnsafeBufferPointer { lines in
            for index in start..<lines.count where lines[index].name.utf8.count == length {
                // Nearly every server writes a name as the standards do.
                if lines[index].name == name || ByteText.isSame(lines[index].name, name) { return index }
            }
            return nil
        }
    }
}

/// The lengths of the names of fields: most questions are about a field that a response does not have.
///
/// It may have lengths of removed fields, so all are equal.
private struct NameLengths: Sendable, Equatable {
    private var bits: UInt32 = 0

    mutating func add(_ name: String) { bits |= 1 << UInt32(name.utf8.count & 31) }

    func mayHave(_ length: Int) -> Bool { bits & (1 << UInt32(length & 31)) != 0 }

    static func == (left: NameLengths, right: NameLengths) -> Bool { true }
}

extension HeaderFields {
    /// Fields without credentials, which may go to another origin.
    package static let crossOriginSafe = [
        "Accept", "Accept-Encoding", "Accept-Language", "Range", "If-Range", "If-Match", "User-Agent",
    ]

    /// Returns whether a field may go to another origin than its own.
    package static func isCrossOriginSafe(_ name: String) -> Bool {
        crossOriginSafe.contains { ByteText.isSame($0, name) }
    }
}

/// Encodes fields as a list of name and value, in order.
extension HeaderFields: Codable {
    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        self.init()
        for pair in try [[String]](from: decoder) {
            guard pair.count == 2 else {
                let context = DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: RequestValueErrors.headerField)
                throw DecodingError.dataCorrupted(context)
            }
            append(name: pair[0], value: pair[1])
        }
    }

    /// Writes every field line, values included: they may be secrets.
    public func encode(to encoder: any Encoder) throws {
        try map { [$0.name, $0.value] }.encode(to: encoder)
    }
}

extension HeaderFields.Field: CustomStringConvertible, CustomReflectable {
    /// The printable field: the value of a secret one is masked, so that a printed request reveals no password.
    public var description: String { "\(name): \(Redaction.header(name: name, value: value))" }

    /// Name and value, masked like the description.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": Redaction.header(name: name, value: value)])
    }
}

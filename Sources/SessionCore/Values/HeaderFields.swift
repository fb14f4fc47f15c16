/// Header fields in the order they were received or will be sent.
///
/// Names compare without regard to case (RFC 9110, 5.1).
public struct HeaderFields: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field line.
    public struct Field: Sendable, Equatable {
        /// The name as it was written.
        public var name: String
        /// The value without surrounding white space.
        public var value: String

        /// A field line from its two parts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field] = []

    /// No fields.
    public init() {}

    /// Fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// How many field lines there are.
    public var count: Int { fields.count }
    /// Whether there is no field line.
    public var isEmpty: Bool { fields.isEmpty }

    /// Adds a line after the others, keeping any of the same name.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes every line of a name.
    public mutating func removeAll(named name: String) {
        fields.removeAll { Self.sameName($0.name, name) }
    }

    /// The values of every line of a name, in order.
    public func values(named name: String) -> [String] {
        var values: [String] = []
        for field in fields where Self.sameName(field.name, name) { values.append(field.value) }
        return values
    }

    /// The value of a name: of the one line, or of several joined with ", " (RFC 9110, 5.3).
    ///
    /// Setting replaces all lines.
    public subscript(name: String) -> String? {
        get {
            var found: String?
            for field in fields where Self.sameName(field.name, name) {
                found = found.map { $0 + ", " + field.value } ?? field.value
            }
            return found
        }
        set {
            removeAll(named: name)
            if let newValue { append(name: name, value: newValue) }
        }
    }

    /// Goes through the field lines in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    /// Compares two names as HTTP does: ASCII letters without regard to case.
    static func sameName(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        var leftBytes = left.utf8.makeIterator()
        var rightBytes = right.utf8.makeIterator()
        while let leftByte = leftBytes.next(), let rightByte = rightBytes.next() {
            guard leftByte == rightByte || lowered(leftByte) == lowered(rightByte) else { return false }
        }
        return true
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}

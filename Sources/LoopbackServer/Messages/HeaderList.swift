import SessionSupport

/// Header fields exactly as received or sent: in order, with repetitions, names as written.
///
/// Sending checks nothing: a fault may need a field that no valid server would send.
public struct HeaderList: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field line.
    public struct Field: Sendable, Equatable {
        /// The name as written.
        public var name: String
        /// The value without surrounding white space.
        public var value: String
    }

    private var fields: [Field] = []

    /// Creates a list without fields.
    public init() {}

    /// Creates fields in the order of the literal; a name may occur twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The number of lines.
    public var count: Int { fields.count }

    /// Adds a line after the others.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes every line of a name.
    public mutating func remove(_ name: String) {
        fields.removeAll { ByteText.isSame($0.name, name) }
    }

    /// Returns whether the list has a line of that name.
    public func contains(_ name: String) -> Bool {
        fields.contains { ByteText.isSame($0.name, name) }
    }

    /// The values of every line of a name, in order.
    public func values(_ name: String) -> [String] {
        fields.filter { ByteText.isSame($0.name, name) }.map(\.value)
    }

    /// The value of a name, of several lines joined with ", ".
    ///
    /// Setting replaces every line; nil removes them.
    public subscript(name: String) -> String? {
        get {
            let found = values(name)
            return found.isEmpty ? nil : found.joined(separator: ", ")
        }
        set {
            remove(name)
            if let newValue { append(name, newValue) }
        }
    }

    /// Iterates over the lines in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

public import SessionCore

/// The rules for writing parameters as a query or as the body of a form (`application/x-www-form-urlencoded`).
///
/// By default as in AFNetworking: keys sorted, members of an object as `a[b]`, elements of a list as `a[]` in order, a
/// set's as its key repeated, Booleans as `1` and `0`, and everything but letters, digits and `-._~/?` as `%XX` of its
/// UTF-8.
///
/// ```swift
/// print(try QueryEncoding().query(of: ["tags": ["a", "b"]]))
/// ```
public struct QueryEncoding: Sendable, Hashable, Codable {
    /// The naming of a list's elements.
    ///
    /// ```swift
    /// print(try QueryEncoding(lists: .repeatedKey).query(of: ["tags": ["a", "b"]]))
    /// ```
    public enum Lists: String, Sendable, Codable, CaseIterable {
        /// `a[]=1&a[]=2`, as in AFNetworking, PHP and Rails.
        case brackets
        /// `a=1&a=2`.
        case repeatedKey
        /// `a[0]=1&a[1]=2`.
        case indices
    }

    /// The spelling of Booleans.
    ///
    /// ```swift
    /// print(try QueryEncoding(booleans: .words).query(of: ["draft": true]))
    /// ```
    public enum Booleans: String, Sendable, Codable, CaseIterable {
        /// `1` and `0`, as in AFNetworking.
        case numbers
        /// `true` and `false`.
        case words
    }

    /// The naming of a list's elements.
    public var lists: Lists
    /// The spelling of Booleans.
    public var booleans: Booleans

    /// AFNetworking's rules, unless others are named.
    public init(lists: Lists = .brackets, booleans: Booleans = .numbers) {
        (self.lists, self.booleans) = (lists, booleans)
    }

    /// Returns the pairs of names and values in sending order, before anything is escaped; a value is nil for a key
    /// without one.
    ///
    /// Empty collections contribute nothing. Throws ``RequestSerializationError/Reason/notAnObject`` for a single value
    /// or a list, which has no name, and ``RequestSerializationError/Reason/notANumber(key:)``.
    public func pairs(
        of parameters: ParameterValue
    ) throws(RequestSerializationError) -> [(name: String, value: ParameterValue)] {
        guard case .object = parameters else { throw RequestSerializationError(.notAnObject) }
        var pairs: [(name: String, value: ParameterValue)] = []
        try collect(parameters, named: nil, depth: 0, into: &pairs)
        return pairs
    }

    /// Returns the query, without a question mark; empty for parameters that contribute nothing.
    ///
    /// Throws as ``pairs(of:)`` does.
    public func query(of parameters: ParameterValue) throws(RequestSerializationError) -> String {
        try pairs(of: parameters).map { pair in
            let name = Self.escaped(pair.name)
            return text(of: pair.value).map { name + "=" + Self.escaped($0) } ?? name
        }.joined(separator: "&")
    }

    /// Returns a text with every character escaped that has a meaning in queries: all but letters, digits and `-._~/?`
    /// (RFC 3986, 3.4).
    ///
    /// A percent sign is always escaped, whatever follows it.
    public static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { !isPlain($0) }) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if isPlain(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~/?".utf8.contains(byte)
        }
    }

    func text(of value: ParameterValue) -> String? {
        if case .bool(let truth) = value, booleans == .words { return truth ? "true" : "false" }
        return value.text
    }

    private func collect(
        _ value: ParameterValue, named name: String?, depth: Int,
        into pairs: inout [(name: String, value: ParameterValue)]
    ) throws(RequestSerializationError) {
        guard depth < RequestSerializationError.depthLimit else { throw RequestSerializationError(.tooDeep) }
        let key = name ?? ""
        switch value {
        case .object(let members):
            for member in members.sorted(by: { $0.key < $1.key }) {
                let key = name.map { "\($0)[\(member.key)]" } ?? member.key
                try collect(member.value, named: key, depth: depth + 1, into: &pairs)
            }
        case .list(let elements):
            for (index, element) in elements.enumerated() {
                try collect(element, named: self.name(key, index), depth: depth + 1, into: &pairs)
            }
        case .set(let elements):
            for element in ParameterValue.sorted(elements) {
                try collect(element, named: key, depth: depth + 1, into: &pairs)
            }
        case .number(let number) where !number.isFinite:
            throw RequestSerializationError(.notANumber(key: key))
        case .null, .bool, .integer, .unsigned, .number, .string, .data, .date:
            pairs.append((key, value))
        }
    }

    private func name(_ key: String, _ index: Int) -> String {
        switch lists {
        case .brackets: key + "[]"
        case .repeatedKey: key
        case .indices: "\(key)[\(index)]"
        }
    }
}

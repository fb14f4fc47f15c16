/// The only text that a view can draw: nothing in it can move the cursor, change the direction of writing or hide.
///
/// External text (URLs, names, headers, bodies, server and system sentences) enters through ``init(untrusted:)``, which
/// replaces whatever a terminal could obey or not show. Our own words enter as literals. Because the view takes no
/// other type, unsanitised text on the screen does not compile.
package struct SafeText: Sendable, Hashable {
    /// Drawable scalars only, and never more than four combining marks in a row.
    package private(set) var string: String

    /// The longest external text in bytes of UTF-8; an ellipsis replaces the rest.
    package static let byteLimit = 4096

    package static let empty = SafeText(trusted: "")

    /// Sanitises external text.
    package init(untrusted: String) {
        string = Sanitizer.sanitize(untrusted)
    }

    /// Sanitises external bytes; sequences that are not UTF-8 become replacement characters.
    package init(untrusted bytes: some Collection<UInt8>) {
        string = Sanitizer.sanitize(String(decoding: bytes.prefix(SafeText.byteLimit + 4), as: UTF8.self))
    }

    /// Digits and a minus sign.
    package init(_ number: some BinaryInteger) {
        string = String(number)
    }

    /// Text whose every part is already safe; private so that no other code can claim so.
    private init(trusted: String) {
        string = trusted
    }

    package var isEmpty: Bool { string.isEmpty }

    /// Its width in cells where all of it is printable ASCII, one cell per byte on every terminal; nil for any other
    /// text.
    package var plainWidth: Int? {
        let bytes = string.utf8
        let isPlain =
            bytes.withContiguousStorageIfAvailable { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
            ?? bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        return isPlain ? bytes.count : nil
    }

    /// Lower case is as safe.
    package var lowercased: SafeText { SafeText(trusted: string.lowercased()) }

    /// The text up to and including its last slash, and the rest.
    ///
    /// A rest that begins with a non-ASCII character stays attached, because it may combine with the slash.
    package var splitAfterLastSlash: (folder: SafeText, rest: SafeText) {
        guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (.empty, self) }
        let start = string.utf8.index(after: slash)
        guard string.utf8[start...].first.map({ $0 < 0x80 }) ?? true else { return (.empty, self) }
        return (SafeText(trusted: String(string[..<start])), SafeText(trusted: String(string[start...])))
    }

    package static func + (left: SafeText, right: SafeText) -> SafeText {
        SafeText(trusted: left.string + right.string)
    }

    package static func += (left: inout SafeText, right: SafeText) {
        left.string += right.string
    }

    /// Repeats a text; empty for counts below one.
    package static func * (text: SafeText, count: Int) -> SafeText {
        SafeText(trusted: String(repeating: text.string, count: max(count, 0)))
    }
}

extension SafeText: ExpressibleByStringInterpolation {
    /// Our own words.
    ///
    /// Only literals, which are fixed at build time, become text unchecked.
    package init(stringLiteral value: StaticString) {
        self.init(trusted: value.description)
    }

    /// Our own words around text that is safe already: `"\(name) failed: \(cause)"`.
    package init(stringInterpolation: StringInterpolation) {
        self.init(trusted: stringInterpolation.text)
    }

    /// Collects literals, safe texts and numbers; a `String` does not compile.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        package mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        package mutating func appendInterpolation(_ part: SafeText) {
            text += part.string
        }

        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            text += String(number)
        }

        /// Appends a count with its noun: `\(3, "task", "tasks")` is "3 tasks".
        package mutating func appendInterpolation(
            _ count: some BinaryInteger, _ one: StaticString, _ many: StaticString
        ) {
            text += "\(count) \(count == 1 ? one : many)"
        }
    }
}

/// Encodes the text; a decoded text counts as external.
extension SafeText: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(untrusted: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(string)
    }
}

extension SafeText: CustomStringConvertible {
    package var description: String { string }
}

extension Sequence where Element == SafeText {
    /// Joins the non-empty texts with a separator.
    package func joined(by separator: SafeText) -> SafeText {
        var result = SafeText.empty
        for text in self where !text.isEmpty {
            if !result.isEmpty { result += separator }
            result += text
        }
        return result
    }
}

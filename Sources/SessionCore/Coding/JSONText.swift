import Foundation

/// Values as JSON, for rooms that know no Foundation.
enum JSONText {
    /// A value as one line with its members in order; nil for one that refuses.
    static func text(of value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).flatMap { String(data: $0, encoding: .utf8) }
    }

    /// Reads a value; nil for a text that does not say one.
    static func value<Value: Decodable>(_ type: Value.Type, of text: String) -> Value? {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(type, from: Data(text.utf8))
    }
}

import Foundation

/// JSON encoding for files that do not import Foundation.
enum JSONText {
    /// Returns a value as one line with sorted keys; nil for a value that cannot be encoded.
    static func text(of value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).flatMap { String(data: $0, encoding: .utf8) }
    }

    /// Decodes a value; nil for text that does not describe one.
    static func value<Value: Decodable>(_ type: Value.Type, of text: String) -> Value? {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try? decoder.decode(type, from: Data(text.utf8))
    }
}

public import Foundation

/// A decoder that makes `Decodable` values from a body: one of Foundation's, or of another library.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let names = try await manager.decode([String].self, for: request, decoder: decoder)
/// print(names)
/// ```
public protocol ResponseDecoder: Sendable {
    /// Returns the value of a body.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}
extension PropertyListDecoder: ResponseDecoder {}

/// Decodes a body as a value of a `Decodable` type.
///
/// The content type is not checked unless ``validation`` names some: a caller that knows the value's type knows the
/// server's format. An empty body is nil for an optional type such as `User?`, and an error for every other. A body of
/// an unacceptable status is not decoded; the error has it.
package struct DecodableResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
    /// The accepted responses; 2xx and every content type by default.
    package var validation: ResponseValidation
    package var decoder: any ResponseDecoder

    package init(
        _ type: Value.Type = Value.self, decoder: any ResponseDecoder = JSONDecoder(),
        validation: ResponseValidation = ResponseValidation()
    ) {
        (self.decoder, self.validation) = (decoder, validation)
    }

    /// Returns the value, or the error of the validation or of the decoder.
    package func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        let verdict = validation.validate(head, data)
        guard !verdict.isFailure else { return SerializedResponse(error: verdict.error) }
        if data.isEmpty, let empty = Self.empty { return SerializedResponse(object: empty) }
        do {
            try PropertyListGuard.check(data, for: decoder)
            return SerializedResponse(object: try decoder.decode(Value.self, from: data))
        } catch {
            // An HTML page is reported as such, whatever a decoder says about its first character.
            let isPage = head?.mimeType == "text/html"
            let words = error.sentence
            let reason = data.isEmpty ? BodyReasons.empty : isPage ? BodyReasons.page(words) : words
            return verdict.malformed(reason, head: head, data: data, underlying: error)
        }
    }

    /// Decoding is quick only without a body.
    package func isQuick(byteCount: Int) -> Bool { byteCount == 0 }

    /// The value of an empty body; nil if the type has none.
    private static var empty: Value? {
        guard let type = Value.self as? any ExpressibleByNilLiteral.Type else { return nil }
        return type.init(nilLiteral: ()) as? Value
    }
}

extension ResponseSerializationError {
    /// Decodes the body that came with the error, such as a service's JSON description of it.
    ///
    /// Throws the decoder's error; a property list that is nested too deep is one.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, decoder: any ResponseDecoder = JSONDecoder()
    ) throws -> Value {
        try PropertyListGuard.check(data, for: decoder)
        return try decoder.decode(type, from: data)
    }
}

/// Reads a body as text, in the encoding that its content type names, else in UTF-8.
package struct StringResponseSerializer: ResponseSerializer {
    /// The accepted responses; 2xx and every content type by default.
    package var validation: ResponseValidation
    /// The encoding of a body whose content type names none.
    package var encoding: String.Encoding

    package init(validation: ResponseValidation = ResponseValidation(), encoding: String.Encoding = .utf8) {
        (self.validation, self.encoding) = (validation, encoding)
    }

    /// Returns the text, also when the validation fails; an error for bytes invalid in that encoding and for an unknown
    /// encoding, which becomes the underlying error if the validation fails too.
    package func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
        let verdict = validation.validate(head, data)
        let name = head?.charset
        guard let encoding = name.map(Self.encoding(named:)) ?? encoding,
            let text = String(data: data, encoding: encoding)
        else {
            let reason = BodyReasons.encoding(name ?? "\(self.encoding)")
            return verdict.malformed(reason, head: head, data: data)
        }
        return SerializedResponse(object: text, error: verdict.error)
    }

    /// Decoding is quick up to 4 KiB.
    package func isQuick(byteCount: Int) -> Bool { byteCount <= 4 << 10 }

    /// The encoding with an IANA character set name.
    private static func encoding(named name: String) -> String.Encoding? {
        switch name {
        case "utf-8", "utf8": .utf8
        case "us-ascii", "ascii": .ascii
        case "iso-8859-1", "latin1": .isoLatin1
        case "iso-8859-2", "latin2": .isoLatin2
        case "windows-1250": .windowsCP1250
        case "windows-1251": .windowsCP1251
        case "windows-1252": .windowsCP1252
        case "windows-1253": .windowsCP1253
        case "windows-1254": .windowsCP1254
        case "utf-16": .utf16
        case "utf-16be": .utf16BigEndian
        case "utf-16le": .utf16LittleEndian
        case "utf-32": .utf32
        case "shift_jis", "shift-jis", "sjis": .shiftJIS
        case "euc-jp": .japaneseEUC
        case "iso-2022-jp": .iso2022JP
        default: nil
        }
    }
}

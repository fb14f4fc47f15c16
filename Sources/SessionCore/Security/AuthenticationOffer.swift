import SessionSupport

/// A scheme that a server offers for authentication, with its parameters (RFC 9110, 11.6.1).
struct AuthenticationOffer: Sendable, Equatable {
    /// The scheme's name as the server wrote it.
    var scheme: String
    /// Keyed by lower-case name; the first value of a name counts.
    var parameters: [String: String] = [:]

    /// The protection space, in the server's words.
    var realm: String? { parameters["realm"] }

    var isDigest: Bool { ByteText.lowercased(scheme) == "digest" }

    /// True for Negotiate, which takes tickets.
    var isNegotiate: Bool { ByteText.lowercased(scheme) == "negotiate" }

    /// True if the credentials were right but too old (RFC 7616, 3.3).
    var isStale: Bool { isTrue("stale") }

    /// Returns whether a parameter is present and `true`.
    func isTrue(_ name: String) -> Bool { ByteText.lowercased(parameters[name] ?? "") == "true" }

    /// Returns the offers that a request with this body can answer: Digest before Basic, otherwise in the server's
    /// order.
    static func supported(_ values: [String], for body: BodySpecification = .none) -> [AuthenticationOffer] {
        let offers = values.flatMap(parse)
        return offers.filter { DigestAuthorization.canAnswer($0, with: body) }
            + offers.filter { ByteText.lowercased($0.scheme) == "basic" }
    }

    /// Parses every offer of a `WWW-Authenticate` field's value.
    ///
    /// Text that breaks the grammar is skipped.
    static func parse(_ value: String) -> [AuthenticationOffer] {
        var scanner = Scanner(bytes: Array(value.utf8))
        var offers: [AuthenticationOffer] = []
        while scanner.skipSeparators() {
            let name = scanner.token()
            if name.isEmpty {
                scanner.skipToComma()
            } else if let value = scanner.parameterValue() {
                guard !offers.isEmpty else { continue }
                let key = ByteText.lowercased(name)
                let last = offers.count - 1
                if offers[last].parameters[key] == nil { offers[last].parameters[key] = value }
            } else if scanner.startsScheme() {
                offers.append(AuthenticationOffer(scheme: name))
            } else {
                scanner.skipToComma()
            }
        }
        return offers
    }

    /// Reads a field's value from left to right; every step advances.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        /// Skips to the next token; false at the end.
        mutating func skipSeparators() -> Bool {
            while let byte = current, ByteText.isBlank(byte) || byte == UInt8(ascii: ",") { position += 1 }
            return current != nil
        }

        mutating func skipToComma() {
            while let byte = current, byte != UInt8(ascii: ",") { position += 1 }
        }

        mutating func token() -> String {
            let start = position
            while let byte = current, ByteText.isToken(byte) { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        /// Returns whether the token just read can be a scheme: a blank, a comma or the end follows.
        func startsScheme() -> Bool {
            guard let byte = current else { return true }
            return ByteText.isBlank(byte) || byte == UInt8(ascii: ",")
        }

        /// Reads the value after an equals sign; nil, without reading, if none follows or the sign is padding.
        mutating func parameterValue() -> String? {
            var look = position
            while look < bytes.count, ByteText.isBlank(bytes[look]) { look += 1 }
            guard look < bytes.count, bytes[look] == UInt8(ascii: "=") else { return nil }
            look += 1
            while look < bytes.count, ByteText.isBlank(bytes[look]) { look += 1 }
            guard look < bytes.count, bytes[look] == UInt8(ascii: "\"") || ByteText.isToken(bytes[look]) else {
                return nil
            }
            position = look
            return bytes[look] == UInt8(ascii: "\"") ? quoted() : token()
        }

        private mutating func quoted() -> String {
            var text: [UInt8] = []
            position += 1
            while let byte = current, byte != UInt8(ascii: "\"") {
                if byte == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
                text.append(bytes[position])
                position += 1
            }
            if current != nil { position += 1 }
            return String(decoding: text, as: UTF8.self)
        }
    }
}

import SessionSupport

/// The decisions about a request's transport fields: the message's length, and the use of its connection.
///
/// libcurl sends a caller's fields unchanged. A server that trusts a field which contradicts the body takes the rest of
/// the body for the next request (RFC 9112, 11.2). So a contradiction is refused before sending, and a redundant field
/// is dropped. Names are compared without regard to case, and every line of a name counts.
struct RequestFraming: Sendable, Equatable {
    /// The body's length before it is read.
    enum Body: Sendable, Equatable {
        case none
        case known(Int64)
        case unknown
    }

    /// The use of `Expect: 100-continue`.
    enum Expectation: Sendable, Equatable {
        /// The caller has set nothing.
        case unsaid
        case asked
        /// The caller refuses it: an empty `Expect`, as with curl.
        case withheld
    }

    /// The fields to send; transport fields only if libcurl cannot know them.
    private(set) var fields: HeaderFields
    /// The actual or announced bytes of the body; nil sends it in chunks.
    private(set) var bodyLength: Int64?
    private(set) var expectation = Expectation.unsaid
    /// True if the connection must not be reused.
    private(set) var closesConnection = false

    /// Throws `invalidHeader` for a field that contradicts the body or that a caller may not set.
    init(_ fields: HeaderFields, body: Body) throws(SessionError) {
        self.fields = fields
        if case .known(let count) = body { bodyLength = count }
        guard fields.contains(where: { Self.belongsToTransport($0.name) }) else { return }
        for name in ["Upgrade", "HTTP2-Settings", "Trailer"] where fields[name] != nil {
            throw Self.refusal(RequestErrors.unsupportedField(name))
        }
        try decideCoding(body)
        try decideLength(body)
        try decideHost()
        try decideConnection()
        try decideExpectation(body)
    }

    private static func belongsToTransport(_ name: String) -> Bool {
        switch name.utf8.count {
        case 2: ByteText.isSame(name, "TE")
        case 4: ByteText.isSame(name, "Host")
        case 6: ByteText.isSame(name, "Expect")
        case 7: ByteText.isSame(name, "Trailer") || ByteText.isSame(name, "Upgrade")
        case 10: ByteText.isSame(name, "Connection") || ByteText.isSame(name, "Keep-Alive")
        case 14: ByteText.isSame(name, "Content-Length") || ByteText.isSame(name, "HTTP2-Settings")
        case 16: ByteText.isSame(name, "Proxy-Connection")
        case 17: ByteText.isSame(name, "Transfer-Encoding")
        default: false
        }
    }

    // MARK: - Length

    /// Allows a Transfer-Encoding only if it is redundant: a body of unknown length goes in chunks.
    private mutating func decideCoding(_ body: Body) throws(SessionError) {
        guard let codings = take("Transfer-Encoding") else { return }
        guard codings == ["chunked"], body == .unknown, fields["Content-Length"] == nil else {
            throw Self.refusal(RequestErrors.transferEncoding)
        }
    }

    private mutating func decideLength(_ body: Body) throws(SessionError) {
        let name = "Content-Length"
        let values = fields.values(named: name)
        guard let first = values.first else { return }
        guard let length = ByteText.decimal(ByteText.trimmed(first)),
            values.allSatisfy({ ByteText.decimal(ByteText.trimmed($0)) == length })
        else { throw Self.refusal(RequestErrors.lengthUnreadable) }
        fields.removeAll(named: name)
        switch body {
        case .none:
            guard length == 0 else { throw Self.refusal(RequestErrors.lengthWithoutBody(length)) }
            fields.append(name: name, value: "0")
        case .known(let count):
            guard length == count else {
                throw Self.refusal(RequestErrors.lengthDiffers(length, body: count))
            }
        case .unknown:
            guard length > 0 else { throw Self.refusal(RequestErrors.lengthZero) }
            bodyLength = length
        }
    }

    // MARK: - Host and connection

    /// Requires a single authority (RFC 9112, 3.2).
    private func decideHost() throws(SessionError) {
        let values = fields.values(named: "Host")
        guard let host = values.first else { return }
        guard values.count == 1, Self.isAuthority(ByteText.trimmed(host).utf8) else {
            throw Self.refusal(RequestErrors.host)
        }
    }

    /// Returns whether a text is a host and perhaps a port (RFC 3986, 3.2.2), without a comma, which would make a list.
    private static func isAuthority(_ text: String.UTF8View) -> Bool {
        var host = text[...]
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = host[host.index(after: host.startIndex)..<end]
            guard address.contains(UInt8(ascii: ":")), address.allSatisfy(isAddressByte) else { return false }
            host = host[host.index(after: end)...]
            return host.isEmpty || isPort(host)
        }
        let name = host.prefix { $0 != UInt8(ascii: ":") }
        let rest = host[name.endIndex...]
        guard !name.isEmpty, name.allSatisfy(isNameByte) else { return false }
        return rest.isEmpty || isPort(rest)
    }

    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        guard text.first == UInt8(ascii: ":"), let port = ByteText.decimal(String(Substring(text.dropFirst()))) else {
            return false
        }
        return port <= 65_535
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~%!$&'()*+;=".utf8.contains(byte)
        }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        ByteText.hexadecimalValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Allows closing the connection after the request; other options would make a proxy drop fields, or change the
    /// protocol.
    private mutating func decideConnection() throws(SessionError) {
        fields.removeAll(named: "Keep-Alive")
        fields.removeAll(named: "Proxy-Connection")
        if let options = take("Connection") {
            guard options.allSatisfy({ $0 == "close" || $0 == "keep-alive" }), Set(options).count < 2 else {
                throw Self.refusal(RequestErrors.connection)
            }
            closesConnection = options.contains("close")
            if closesConnection { fields.append(name: "Connection", value: "close") }
        }
        if let codings = take("TE"), codings.contains(where: { $0 != "trailers" }) {
            throw Self.refusal(RequestErrors.transferCodings)
        }
    }

    /// An expectation without a body has no effect and must not be sent (RFC 9110, 10.1.1).
    private mutating func decideExpectation(_ body: Body) throws(SessionError) {
        guard let expectations = take("Expect") else { return }
        guard expectations.allSatisfy({ $0 == "100-continue" }) else {
            throw Self.refusal(RequestErrors.expect)
        }
        guard !expectations.isEmpty, body != .none, body != .known(0) else { return withholdExpectation() }
        expectation = .asked
        fields.append(name: "Expect", value: "100-continue")
    }

    /// Removes the expectation, so that the body is sent at once.
    mutating func withholdExpectation() {
        fields.removeAll(named: "Expect")
        expectation = .withheld
    }

    // MARK: - Helpers

    /// Removes a field and returns its list elements in lower case; nil without such a field.
    private mutating func take(_ name: String) -> [String]? {
        let values = fields.values(named: name)
        guard !values.isEmpty else { return nil }
        fields.removeAll(named: name)
        return values.flatMap { $0.split(separator: ",") }.map { ByteText.lowercased(ByteText.trimmed($0)) }
            .filter { !$0.isEmpty }
    }

    private static func refusal(_ message: String) -> SessionError {
        SessionError(.invalidHeader, message)
    }
}

/// Refuses header fields that would change their meaning on the wire: libcurl sends lines unchanged.
enum HeaderValidator {
    /// Throws `invalidHeader` for the first field that cannot be sent.
    static func validate(_ fields: HeaderFields) throws(SessionError) {
        for field in fields { try validate(name: field.name, value: field.value) }
    }

    /// Throws `invalidHeader` unless the name is a token and the value has no CR, LF, NUL or other control but tab.
    static func validate(name: String, value: String) throws(SessionError) {
        guard !name.isEmpty, name.utf8.allSatisfy(ByteText.isToken) else {
            throw SessionError(.invalidHeader, RequestErrors.fieldName(visible(name)))
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw SessionError(.invalidHeader, RequestErrors.fieldValue(name))
        }
    }

    /// Throws `invalidRequest` unless the method is a token.
    static func validate(method: String) throws(SessionError) {
        if method == "GET" { return }
        guard !method.isEmpty, method.utf8.allSatisfy(ByteText.isToken) else {
            throw SessionError(.invalidRequest, RequestErrors.method(visible(method)))
        }
    }

    private static func visible(_ text: String) -> String {
        String(decoding: text.utf8.prefix(64).map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }, as: UTF8.self)
    }
}

import Support

/// Refuses header fields that would become something else on the wire: libcurl sends lines as they are.
enum HeaderValidator {
    /// Throws `invalidHeader` for the first field that cannot be sent.
    static func validate(_ fields: HeaderFields) throws(SessionError) {
        for field in fields { try validate(name: field.name, value: field.value) }
    }

    /// Throws `invalidHeader` unless the name is a token and the value has no CR, LF, NUL or other control but tab.
    static func validate(name: String, value: String) throws(SessionError) {
        guard !name.isEmpty, name.utf8.allSatisfy(ByteText.isToken) else {
            throw SessionError(.invalidHeader, "“\(visible(name))” is not a valid header field name")
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw SessionError(.invalidHeader, "The value of the header field \(name) contains a control character")
        }
    }

    /// Throws `invalidRequest` unless the method is a token.
    static func validate(method: String) throws(SessionError) {
        if method == "GET" { return }
        guard !method.isEmpty, method.utf8.allSatisfy(ByteText.isToken) else {
            throw SessionError(.invalidRequest, "“\(visible(method))” is not a valid request method")
        }
    }

    private static func visible(_ text: String) -> String {
        String(decoding: text.utf8.prefix(64).map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }, as: UTF8.self)
    }
}

import CCurl
import SessionSupport

/// Checks, resolves and compares URLs as text.
///
/// All of it uses libcurl's parser, which also reads the URL of the connection.
package enum URLParser {
    /// Parses an absolute URL.
    ///
    /// Throws `invalidURL` or `unsupportedScheme`.
    static func parse(_ text: String) throws(SessionError) -> ParsedURL { try ParsedURL(text) }

    /// Returns whether a text is an absolute URL that a request can be sent to.
    package static func accepts(_ text: String) -> Bool { (try? ParsedURL(text)) != nil }

    /// Resolves a Location field against the URL that sent it (RFC 3986, 5).
    ///
    /// The location's user info is dropped; the base's is kept within its origin only. The base's fragment is inherited
    /// unless the location has its own. Spaces and bytes outside ASCII are escaped.
    package static func resolve(_ location: String, against base: String) throws(SessionError) -> String {
        let from = try ParsedURL(base)
        try ParsedURL.checkText(location)
        let location = escaped(location)
        if let scheme = declaredScheme(location), scheme != "http", scheme != "https" {
            throw SessionError(.unsupportedScheme, URLErrors.otherScheme(scheme))
        }
        guard let handle = URLHandle() else { throw SessionError(.internal, EngineErrors.noURLMemory) }
        var result = handle.set(CURLUPART_URL, escaped(base), flags: Int32(CURLU_NON_SUPPORT_SCHEME))
        guard result == CURLUE_OK else { throw ParsedURL.failure(result, base) }
        let flags = Int32(CURLU_NON_SUPPORT_SCHEME) | Int32(CURLU_URLENCODE)
        // libcurl treats an empty reference as an error; RFC 3986 says that it is the base without its fragment.
        // It would take a fragment for a name, and replace the last one of the path.
        if location.hasPrefix("#") {
            // Told to escape, libcurl would escape percent signs too.
            let fragment = location.dropFirst().split(separator: " ", omittingEmptySubsequences: false)
            result = handle.set(CURLUPART_FRAGMENT, fragment.joined(separator: "%20"))
        } else if !location.isEmpty {
            result = handle.set(CURLUPART_URL, location, flags: flags)
        }
        guard result == CURLUE_OK else { throw ParsedURL.failure(result, location) }
        let target = try ParsedURL(handle, text: location)
        let keepsUserinfo = target.origin == from.origin
        try apply(CURLUPART_USER, keepsUserinfo ? from.user : nil, to: handle)
        try apply(CURLUPART_PASSWORD, keepsUserinfo ? from.password : nil, to: handle)
        if !location.utf8.contains(0x23) { try apply(CURLUPART_FRAGMENT, from.fragment, to: handle) }
        guard let text = handle.get(CURLUPART_URL) else {
            throw SessionError(.invalidURL, RedirectErrors.unresolved, failingURL: base)
        }
        try ParsedURL.checkText(text)
        return text
    }

    /// Returns the scheme that a reference begins with (RFC 3986, 3.1), even if libcurl would not accept it as one.
    private static func declaredScheme(_ reference: String) -> String? {
        let name = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        guard name.endIndex < reference.endIndex, reference[name.endIndex] == ":",
            let first = name.first, first.isASCII, first.isLetter,
            name.utf8.allSatisfy({ ByteText.isToken($0) })
        else { return nil }
        return ByteText.lowercased(name)
    }

    private static func apply(
        _ part: CURLUPart, _ text: String?, to handle: borrowing URLHandle
    ) throws(SessionError) {
        let result = handle.set(part, text)
        guard result == CURLUE_OK else { throw ParsedURL.failure(result, text ?? "") }
    }

    /// Returns the URL as it is requested: bytes beyond ASCII after the host are escaped in upper case (RFC 3986, 2.1).
    ///
    /// libcurl would escape in lower case, and the signed text must equal the sent one.
    static func escaped(_ url: String) -> String {
        guard !ByteText.isASCII(url) else { return url }
        let start = URLScan(url).path.lowerBound
        return url[start...].utf8.reduce(into: String(url[..<start])) { text, byte in
            text += byte < 0x80 ? String(Unicode.Scalar(byte)) : escape(byte)
        }
    }

    static func escape(_ byte: UInt8) -> String { "%" + ByteText.hexadecimal(CollectionOfOne(byte)).uppercased() }

    /// Returns the URL without its user info, from which libcurl would send credentials unasked.
    static func withoutUserInfo(_ url: String) -> String {
        guard ByteText.contains(UInt8(ascii: "@"), in: url), let range = URLScan(url).userInfo else { return url }
        return String(url[..<range.lowerBound]) + url[range.upperBound...].dropFirst()
    }

    /// Returns the text without its fragment, which is never sent to a server.
    static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}

/// Owns a `CURLU`, the parser that also reads the URL of the connection.
struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    /// Creates an empty URL; nil when memory is short.
    init?() {
        guard let handle = curl_url() else { return nil }
        self.handle = handle
    }

    deinit {
        curl_url_cleanup(handle)
    }

    /// Sets a part; nil removes it.
    ///
    /// A relative URL is resolved against the handle's current one.
    func set(_ part: CURLUPart, _ text: String?, flags: Int32 = 0) -> CURLUcode {
        guard let text else { return curl_url_set(handle, part, nil, UInt32(flags)) }
        // An argument conversion would copy the text first.
        return text.withCString { curl_url_set(handle, part, $0, UInt32(flags)) }
    }

    /// Makes a transfer's handle read its URL from this one, which must outlive that use.
    func serve(_ easy: UnsafeMutableRawPointer) -> CURLcode {
        cc_set_pointer(easy, CURLOPT_CURLU, UnsafeMutableRawPointer(handle))
    }

    /// Returns the host's form on the wire: a name beyond ASCII is converted (IDNA), in every locale alike.
    ///
    /// Nil for an invalid name.
    func asciiForm(ofHost host: String) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
        var text: UnsafeMutablePointer<CChar>?
        let result = cc_url_ascii_host(handle, &text)
        // The text is freed also after a failure: libcurl 7.88 leaves a host that it cannot convert to its caller.
        defer { curl_free(text) }
        guard result == CURLUE_OK, let text else { return nil }
        return String(cString: text)
    }

    /// Replaces the host by its form on the wire; false if it has none.
    ///
    /// libcurl would convert the name by the process's locale, which a library cannot rely on.
    /// - Parameter text: the URL that was set; nearly every one is ASCII without escapes, and so is its host.
    func convertHost(of text: String) -> Bool {
        guard Self.mayHideName(text), let host = get(CURLUPART_HOST) else { return true }
        guard let ascii = asciiForm(ofHost: host) else { return false }
        return ascii == host || set(CURLUPART_HOST, ascii) == CURLUE_OK
    }

    private static func mayHideName(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        // After the 8 bytes of "https://" the next slash ends the host.
        for index in bytes.indices {
            if bytes[index] >= 0x80 || bytes[index] == UInt8(ascii: "%") { return true }
            if index >= 8, bytes[index] == UInt8(ascii: "/") { return false }
        }
        return false
    }

    func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let result = curl_url_get(handle, part, &text, UInt32(flags))
        defer { curl_free(text) }
        guard result == CURLUE_OK, let text else { return nil }
        return String(cString: text)
    }
}

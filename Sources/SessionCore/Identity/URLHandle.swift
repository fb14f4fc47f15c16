import CCurl

/// Owns a `CURLU`, the one parser whose reading of a URL counts: it is also the one that connects.
struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    /// An empty URL; nil when memory is short.
    init?() {
        guard let handle = curl_url() else { return nil }
        self.handle = handle
    }

    deinit {
        curl_url_cleanup(handle)
    }

    /// Sets a part; nil removes it.
    ///
    /// A whole URL that is relative is resolved against what is there.
    func set(_ part: CURLUPart, _ text: String?, flags: Int32 = 0) -> CURLUcode {
        guard let text else { return curl_url_set(handle, part, nil, UInt32(flags)) }
        // Not passed as an argument, for which the text would be copied first.
        return text.withCString { curl_url_set(handle, part, $0, UInt32(flags)) }
    }

    /// Has a transfer's handle read its URL from here, which must not end before it does.
    func serve(_ easy: UnsafeMutableRawPointer) -> CURLcode {
        cc_set_pointer(easy, CURLOPT_CURLU, UnsafeMutableRawPointer(handle))
    }

    /// The form of this URL's host that goes onto the wire: a name beyond ASCII is converted (IDNA), in every locale
    /// alike.
    ///
    /// Nil when it is no valid name.
    func asciiForm(ofHost host: String) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
        var text: UnsafeMutablePointer<CChar>?
        let result = cc_url_ascii_host(handle, &text)
        // Also after a failure: libcurl 7.88 leaves a host that it cannot convert to its caller.
        defer { curl_free(text) }
        guard result == CURLUE_OK, let text else { return nil }
        return String(cString: text)
    }

    /// Puts the form that goes onto the wire in the host's place; false when there is none.
    ///
    /// libcurl would convert the name itself, as the process's locale says, which a library cannot rely on.
    func convertHost() -> Bool {
        guard let host = get(CURLUPART_HOST) else { return true }
        guard let ascii = asciiForm(ofHost: host) else { return false }
        return ascii == host || set(CURLUPART_HOST, ascii) == CURLUE_OK
    }

    /// A part's text; nil when the URL has none.
    func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let result = curl_url_get(handle, part, &text, UInt32(flags))
        defer { curl_free(text) }
        guard result == CURLUE_OK, let text else { return nil }
        return String(cString: text)
    }
}

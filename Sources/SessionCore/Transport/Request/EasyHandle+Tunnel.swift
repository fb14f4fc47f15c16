import CCurl

/// The tunnel through a proxy.
extension EasyHandle {
    /// Returns the values of a field in the proxy's response to CONNECT.
    func tunnelFields(named name: String) -> [String] {
        var values: [String] = []
        var field: UnsafeMutablePointer<curl_header>?
        while curl_easy_header(raw, name, values.count, UInt32(CURLH_CONNECT), -1, &field) == CURLHE_OK, let field {
            values.append(String(cString: field.pointee.value))
        }
        return values
    }
}

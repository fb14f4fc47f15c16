import CCurl

/// Header fields in libcurl's form, checked.
///
/// The handles of a list's transfers share one, because nearly all of them send the same fields. Confined to the transfer
/// loop.
final class HeaderList {
    /// Nil without fields.
    private(set) var raw: UnsafeMutablePointer<curl_slist>?

    /// Throws `invalidHeader` for fields that no request may have, and `internal` when memory is short.
    init(_ fields: HeaderFields) throws(SessionError) {
        try HeaderValidator.validate(fields)
        for field in fields {
            // libcurl sends an empty field only when it ends in a semicolon instead of a colon.
            try append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
        }
    }

    deinit { curl_slist_free_all(raw) }

    /// Adds what keeps libcurl from adding a field of its own.
    func withhold(_ name: String) throws(SessionError) { try append(name + ":") }

    private func append(_ line: String) throws(SessionError) {
        guard let longer = curl_slist_append(raw, line) else {
            throw SessionError(.internal, "There is not enough memory for the request's header")
        }
        raw = longer
    }
}

import CCurl
import Support

/// Header fields in libcurl's form, checked.
///
/// The handles of a list's transfers share one, because nearly all of them send the same fields. Confined to the transfer
/// loop.
final class HeaderList {
    /// Nil without fields.
    private(set) var raw: UnsafeMutablePointer<curl_slist>?
    /// Whether no other request may follow on the connection.
    let closesConnection: Bool

    /// The fields that are left when those of the transport were settled.
    ///
    /// Throws `invalidHeader` for fields that no request may have, and `internal` when memory is short.
    init(_ framing: RequestFraming) throws(SessionError) {
        closesConnection = framing.closesConnection
        let fields = framing.fields
        try HeaderValidator.validate(fields)
        for field in fields {
            // libcurl sends a blank field only when it ends in a semicolon instead of a colon; after a colon it would take
            // away the field that it sends by itself.
            let isBlank = field.value.utf8.allSatisfy(ByteText.isBlank)
            try append(isBlank ? field.name + ";" : field.name + ": " + field.value)
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

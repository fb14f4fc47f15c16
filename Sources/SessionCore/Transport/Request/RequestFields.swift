import CCurl
import SessionSupport

/// What the header fields of an attempt are made of.
///
/// Nearly all transfers of a list have the same, which is seen before anything is put together.
struct RequestFields: Equatable {
    /// The request's own.
    var own: HeaderFields
    /// The fields that the attempt adds, such as a range.
    var added: HeaderFields
    /// The value of `Authorization`, where the server is shown one.
    var authorization: String?
    /// Whether a redirect led to another origin, to which the session's fields go only when they say nothing about the
    /// sender.
    var hasLeftOrigin: Bool

    /// The session's fields, then the request's, then those of the attempt; a later one replaces an earlier one.
    func merged(session: HeaderFields) -> HeaderFields {
        var fields = own
        for field in session where own[field.name] == nil {
            guard !hasLeftOrigin || HeaderFields.isCrossOriginSafe(field.name) else { continue }
            fields.append(name: field.name, value: field.value)
        }
        for field in added { fields[field.name] = field.value }
        if let authorization { fields["Authorization"] = authorization }
        return fields
    }
}

/// Header fields in libcurl's form, checked.
///
/// The handles of a list's transfers share one, because nearly all of them send the same fields. Confined to the
/// transfer loop.
final class HeaderList {
    /// Nil without fields.
    private(set) var raw: UnsafeMutablePointer<curl_slist>?
    /// Whether no other request may follow on the connection.
    let closesConnection: Bool
    /// The fields as a server gets them, without the values of secret ones: for people to see.
    private(set) var shown = HeaderFields()

    /// The fields that are left when those of the transport have been read.
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
            show(field.name, field.value)
        }
        // libcurl's own.
        if fields["Accept"] == nil { shown.append(name: "Accept", value: "*/*") }
    }

    private func show(_ name: String, _ value: String) {
        // Its place is the URL's.
        guard !ByteText.isSame(name, "Host") else { return }
        shown.append(name: name, value: Redaction.header(name: name, value: value))
    }

    deinit { curl_slist_free_all(raw) }

    /// Adds what keeps libcurl from adding a field of its own.
    func withhold(_ name: String) throws(SessionError) { try append(name + ":") }

    private func append(_ line: String) throws(SessionError) {
        guard let longer = curl_slist_append(raw, line) else {
            throw SessionError(.internal, EngineErrors.noHeaderMemory)
        }
        raw = longer
    }
}

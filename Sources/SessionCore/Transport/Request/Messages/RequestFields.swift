import CCurl
import SessionSupport

/// The parts of an attempt's header fields.
///
/// Nearly all transfers of a list have equal ones, which is checked before they are merged.
struct RequestFields: Equatable {
    var own: HeaderFields
    /// The fields that the attempt adds, such as a range.
    var added: HeaderFields
    /// The value of `Authorization`; nil for none.
    var authorization: String?
    /// Whether a redirect led to another origin, which gets only session fields that reveal nothing about the sender.
    var hasLeftOrigin: Bool
    /// The names of fields that are not sent by default.
    var withheld: [String] = []

    /// Merges the fields of the session, of the request, then of the attempt; a later one replaces an earlier one.
    func merged(session: HeaderFields) -> HeaderFields {
        var fields = own
        for field in session where own[field.name] == nil && !withholds(field.name) {
            guard !hasLeftOrigin || HeaderFields.isCrossOriginSafe(field.name) else { continue }
            fields.append(name: field.name, value: field.value)
        }
        for field in added { fields[field.name] = field.value }
        if let authorization { fields["Authorization"] = authorization }
        return fields
    }

    private func withholds(_ name: String) -> Bool { withheld.contains { ByteText.isSame($0, name) } }
}

/// Validated header fields in libcurl's format.
///
/// The handles of a list's transfers share one, because nearly all of them send the same fields. Confined to the
/// transfer loop.
final class HeaderList {
    private(set) var raw: UnsafeMutablePointer<curl_slist>?
    /// Whether the connection may not be reused.
    let closesConnection: Bool
    /// The fields as a server receives them, for display: the values of secret ones are masked.
    private(set) var shown = HeaderFields()

    /// Takes the fields left after the transport's own were removed.
    ///
    /// Throws `invalidHeader` for fields no request may have, and `internal` when memory is short.
    init(_ framing: RequestFraming, withholding withheld: [String] = []) throws(SessionError) {
        closesConnection = framing.closesConnection
        let fields = framing.fields
        try HeaderValidator.validate(fields)
        for field in fields {
            // libcurl sends an empty field only if it ends in a semicolon instead of a colon; a colon would remove the
            // field that libcurl sends by itself.
            let isBlank = field.value.utf8.allSatisfy(ByteText.isBlank)
            try append(isBlank ? field.name + ";" : field.name + ": " + field.value)
            show(field.name, field.value)
        }
        for name in withheld where fields[name] == nil { try withhold(name) }
        // libcurl adds this field itself.
        let addsAccept = fields["Accept"] == nil && !withheld.contains { ByteText.isSame($0, "Accept") }
        if addsAccept { shown.append(name: "Accept", value: "*/*") }
    }

    private func show(_ name: String, _ value: String) {
        // The URL already shows the host.
        guard !ByteText.isSame(name, "Host") else { return }
        shown.append(name: name, value: Redaction.header(name: name, value: value))
    }

    deinit { curl_slist_free_all(raw) }

    /// Keeps libcurl from adding a field of its own.
    func withhold(_ name: String) throws(SessionError) { try append(name + ":") }

    private func append(_ line: String) throws(SessionError) {
        guard let longer = curl_slist_append(raw, line) else {
            throw SessionError(.internal, EngineErrors.noHeaderMemory)
        }
        raw = longer
    }
}

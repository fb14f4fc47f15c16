/// What the header fields of an attempt are made of.
///
/// Nearly all transfers of a list have the same, which is seen before anything is put together.
struct RequestFields: Equatable {
    /// The request's own.
    var own: HeaderFields
    /// Those of the attempt, such as a range.
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
            guard !hasLeftOrigin || RedirectPolicy.isCrossOriginSafe(field.name) else { continue }
            fields.append(name: field.name, value: field.value)
        }
        for field in added { fields[field.name] = field.value }
        if let authorization { fields["Authorization"] = authorization }
        return fields
    }
}

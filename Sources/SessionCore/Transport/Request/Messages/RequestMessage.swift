/// The fields and body of a request as an attempt sends them.
struct RequestMessage {
    var headers: HeaderList
    /// The source of the body; nil without one.
    var body: (any BodySource)?
    /// Whether the request carries `Expect: 100-continue`.
    var expectsContinue = false
    /// Whether the response may come in a content coding that is decoded.
    var decodesBody = false
    /// Whether it carries a Kerberos ticket: some servers then attribute every request on the connection to the
    /// ticket's user.
    var showsTicket = false
    /// The cookies it carries; nil for none.
    var cookies: String?

    /// The fields as the server receives them, with the ones that libcurl adds for the body; secrets are masked.
    func shownFields(overHTTP2 allowsHTTP2: Bool) -> HeaderFields {
        guard let body else { return headers.shown }
        var fields = headers.shown
        if let length = body.length {
            if fields["Content-Length"] == nil { fields.append(name: "Content-Length", value: String(length)) }
        } else if !allowsHTTP2 {
            fields.append(name: "Transfer-Encoding", value: "chunked")
        }
        if expectsContinue, fields["Expect"] == nil { fields.append(name: "Expect", value: "100-continue") }
        return fields
    }
}

import SessionSupport

/// Makes the message of an attempt: fields and body, which have to agree about the body's length.
///
/// A value, made for each attempt. Validates the fields once more, because the session's and the ones after a redirect
/// were not checked before.
struct MessageMaker {
    let identity: RequestIdentity
    let kind: TransferKind
    /// Whether the session decodes the content codings of data requests.
    let decodesBodies: Bool
    /// The fields of the session.
    let session: HeaderFields
    /// The lists of previous messages: without a body, the previous transfer's is reused if it is the same.
    let cache: RecentAnswers

    /// The bytes from which on a body is large enough to send `Expect: 100-continue` (RFC 9110, 10.1.1).
    static let worthAsking: Int64 = 1 << 20

    private var request: TransferRequest { identity.request }

    /// The names of fields that are not sent by default.
    private var withheld: [String] { identity.options?.values.withheldFields ?? [] }

    /// Whether a field is not sent, because the request itself does not have it.
    private func withholds(_ name: String) -> Bool {
        withheld.contains { ByteText.isSame($0, name) } && request.headers[name] == nil
    }

    /// Returns the message.
    ///
    /// - Parameters:
    ///   - added: the fields of the attempt, such as a range.
    ///   - answer: the value of `Authorization` that answers an earlier challenge; nil for none.
    ///   - known: the credentials that servers were given so far.
    ///   - withholdsExpectation: whether the server has refused `Expect`.
    ///   - body: opens the body, after the fields were judged.
    func message(
        adding added: HeaderFields, answer: String?, known: OriginCredentials, withholdsExpectation: Bool,
        body: () throws(SessionError) -> (any BodySource)?
    ) throws(SessionError) -> RequestMessage {
        var authorization = answer
        let showsTicket = answer?.hasPrefix("Negotiate ") ?? false
        var own = request.headers
        let offer = codingOffer
        if let offer { own["Accept-Encoding"] = offer }
        try identity.add(to: &own, &authorization, known: known, session: session, time: Int64(WallClock.now()))
        if withholds("Authorization") { authorization = nil }
        if withholds("Cookie") { own.removeAll(named: "Cookie") }
        let parts = RequestFields(
            own: own, added: added, authorization: authorization, hasLeftOrigin: identity.hasLeftOrigin,
            withheld: withheld)
        var message: RequestMessage
        if let body = try body() {
            message = try Self.message(
                of: parts.merged(session: session), body, withholdsExpectation: withholdsExpectation,
                withholding: withheld)
        } else {
            message = RequestMessage(headers: try cache.headerList(of: parts))
        }
        (message.decodesBody, message.showsTicket, message.cookies) = (offer != nil, showsTicket, own["Cookie"])
        return message
    }

    private static func message(
        of fields: HeaderFields, _ body: any BodySource, withholdsExpectation: Bool, withholding withheld: [String]
    ) throws(SessionError) -> RequestMessage {
        var framing = try RequestFraming(fields, body: body.length.map { .known($0) } ?? .unknown)
        let isWithheld = withheld.contains { ByteText.isSame($0, "Expect") }
        if withholdsExpectation || isWithheld && framing.expectation != .asked { framing.withholdExpectation() }
        var message = RequestMessage(headers: try HeaderList(framing, withholding: withheld), body: body)
        if body.length == nil, let length = framing.bodyLength {
            message.body = AnnouncedBodySource(body, length: length)
        }
        message.expectsContinue = expectsContinue(framing)
        if !message.expectsContinue { try message.headers.withhold("Expect") }
        return message
    }

    /// Whether the attempt sends `Expect`: as its caller has said, otherwise by the body's size.
    private static func expectsContinue(_ framing: RequestFraming) -> Bool {
        switch framing.expectation {
        case .asked: true
        case .withheld: false
        case .unsaid: (framing.bodyLength ?? .max) >= worthAsking
        }
    }

    /// The value of `Accept-Encoding`; nil where a decoded body is not wanted, or where a range of an encoded one would
    /// be ambiguous.
    private var codingOffer: String? {
        guard decodesBodies, kind == .data, request.method != "HEAD",
            request.headers["Accept-Encoding"] == nil, request.headers["Range"] == nil,
            session["Accept-Encoding"] == nil, !withholds("Accept-Encoding")
        else { return nil }
        return ContentCoding.offer
    }
}

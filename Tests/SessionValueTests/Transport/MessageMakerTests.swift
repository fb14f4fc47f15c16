import Testing

@testable import SessionCore

/// How an attempt's fields and body come to agree, without a server.
@Suite("Message of an attempt")
struct MessageMakerTests {
    private let cache = RecentAnswers(additionalHeaders: ["User-Agent": "s"])

    private func message(
        _ request: TransferRequest, kind: TransferKind = .data, added: HeaderFields = HeaderFields(),
        answer: String? = nil, withholdsExpectation: Bool = false, body: (any BodySource)? = nil
    ) throws -> RequestMessage {
        let maker = MessageMaker(
            identity: RequestIdentity(request: request, options: nil, hasLeftOrigin: false), kind: kind,
            decodesBodies: true, session: ["User-Agent": "s"], cache: cache)
        return try maker.message(
            adding: added, answer: answer, known: OriginCredentials(), withholdsExpectation: withholdsExpectation
        ) { () throws(SessionError) in body }
    }

    private func request(_ method: String = "GET", _ fields: HeaderFields = HeaderFields()) -> TransferRequest {
        var request = TransferRequest(url: "http://host/file")
        (request.method, request.headers) = (method, fields)
        return request
    }

    @Test("Without a body, equal fields share one list, and other fields get their own")
    func listIsShared() throws {
        let first = try message(request())
        let second = try message(request())
        let third = try message(request("GET", ["X": "y"]))
        #expect(first.headers === second.headers && first.headers !== third.headers)
        #expect(first.headers.shown["User-Agent"] == "s")
        #expect(first.body == nil && !first.expectsContinue)
    }

    static let coded: [(TransferKind, String, HeaderFields, Bool)] = [
        (.data, "GET", HeaderFields(), true), (.data, "HEAD", HeaderFields(), false),
        (.download, "GET", HeaderFields(), false), (.upload, "POST", HeaderFields(), false),
        (.data, "GET", ["Range": "bytes=0-1"], false), (.data, "GET", ["Accept-Encoding": "identity"], false),
    ]

    @Test("Asks for content codings only where a decoded body is wanted", arguments: coded)
    func codings(kind: TransferKind, method: String, fields: HeaderFields, isOffered: Bool) throws {
        let message = try message(request(method, fields), kind: kind)
        #expect(message.decodesBody == isOffered)
        #expect((message.headers.shown["Accept-Encoding"] == ContentCoding.offer) == isOffered)
    }

    static let expected: [(Int64, HeaderFields, Bool, Bool)] = [
        (MessageMaker.worthAsking - 1, HeaderFields(), false, false),
        (MessageMaker.worthAsking, HeaderFields(), false, true),
        (MessageMaker.worthAsking, HeaderFields(), true, false),
        (MessageMaker.worthAsking, ["Expect": ""], false, false), (1, ["Expect": "100-continue"], false, true),
    ]

    @Test("Asks before a large body, unless its caller or the server refuses", arguments: expected)
    func expectation(count: Int64, fields: HeaderFields, isRefused: Bool, isAsked: Bool) throws {
        let body = BytesBodySource([UInt8](repeating: 0, count: Int(count)))
        let message = try message(request("PUT", fields), withholdsExpectation: isRefused, body: body)
        #expect(message.expectsContinue == isAsked)
        let shown = message.shownFields(overHTTP2: false)
        #expect(shown["Content-Length"] == String(count) && shown["Transfer-Encoding"] == nil)
        #expect((shown["Expect"] == "100-continue") == isAsked)
    }

    @Test("A ticket is noticed, so that its connection is not shared; the attempt's fields come last")
    func ticket() throws {
        #expect(try message(request(), answer: "Negotiate abc").showsTicket)
        #expect(try !message(request(), answer: "Basic abc").showsTicket)
        let message = try message(request("GET", ["Range": "own", "Cookie": "c=1"]), added: ["Range": "bytes=5-"])
        #expect(message.headers.shown["Range"] == "bytes=5-")
        #expect(message.cookies == "c=1")
    }
}

/// Whether a body is sent again that a server may have.
@Suite("Repetition of a body")
struct RepetitionRuleTests {
    @Test(
        "A body that the peer has in full is sent again only if the method and the user allow it",
        arguments: [(true, true, false), (true, false, true), (false, true, true), (false, false, true)])
    func taken(isIdempotent: Bool, allows: Bool, mayBeStored: Bool) {
        let rule = RepetitionRule(isIdempotent: isIdempotent, repeatsUnansweredBodies: allows)
        let error = SessionError(.connectionLost, "")
        #expect(rule.mayBeStored(after: error, isGiven: true) == mayBeStored)
        #expect(!rule.mayBeStored(after: error, isGiven: false))
        #expect(rule.mayRepeatTakenBody != mayBeStored)
    }

    @Test("A status says that the server does not want it, except that of a gateway without a response")
    func statuses() {
        let rule = RepetitionRule(isIdempotent: false, repeatsUnansweredBodies: false)
        for (status, mayBeStored) in [(500, false), (503, false), (504, true)] {
            #expect(rule.mayBeStored(after: SessionError(.http, "", statusCode: status), isGiven: true) == mayBeStored)
        }
    }

    @Test("libcurl repeats an empty body without asking, which only an idempotent request permits")
    func unasked() {
        let rule = RepetitionRule(isIdempotent: false, repeatsUnansweredBodies: true)
        #expect(rule.isRepeatedUnasked(BytesBodySource([])))
        #expect(!rule.isRepeatedUnasked(BytesBodySource([1])))
        #expect(!rule.isRepeatedUnasked(nil))
        let other = RepetitionRule(isIdempotent: true, repeatsUnansweredBodies: true)
        #expect(!other.isRepeatedUnasked(BytesBodySource([])))
    }
}

import SessionSupport
import Testing

@testable import SessionCore

/// What a request says about its sender before a server has asked: fields of a value, without a server.
@Suite("Identity of a request")
struct RequestIdentityTests {
    private final class Jar: CookieStore {
        func field(for url: String) -> String? { "kept=1" }
        func store(_ fields: [String], from url: String) {}
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var url = "https://host/file"
        var fields = HeaderFields()
        var change: @Sendable (inout RequestOptions) -> Void = { _ in }
        var hasLeftOrigin = false
        var session = HeaderFields()
        var authorization: String?
        var cookie: String?
    }

    private static func basic(_ text: String) -> String { "Basic " + Base64.encode(Array(text.utf8)) }
    private static let own: @Sendable (inout RequestOptions) -> Void = {
        $0.credentials = RequestCredentials(user: "own", password: "secret")
    }

    static let rows: [Row] = [
        Row(testDescription: "nothing is known"),
        Row(testDescription: "the options name somebody", change: own, authorization: basic("own:secret")),
        Row(testDescription: "a redirect has led elsewhere", change: own, hasLeftOrigin: true),
        Row(
            testDescription: "the URL names somebody", url: "https://me:word@host/file", authorization: basic("me:word")
        ),
        Row(
            testDescription: "the URL of a redirect names somebody", url: "https://me:word@host/file",
            hasLeftOrigin: true, authorization: basic("me:word")),
        Row(
            testDescription: "the session has a field, which outdoes a URL", url: "https://me:word@host/file",
            session: ["Authorization": "s"]),
        Row(
            testDescription: "the session has a field, which options outdo", change: own,
            session: ["Authorization": "s"], authorization: basic("own:secret")),
        Row(testDescription: "the request has a field", fields: ["Authorization": "f"], change: own),
        Row(
            testDescription: "Digest is sent on request only",
            change: { $0.credentials = RequestCredentials(user: "own", password: "secret", scheme: .digest) }),
        Row(
            testDescription: "a ticket is sent on request only",
            change: { $0.credentials = .negotiate }),
        Row(testDescription: "a jar has a cookie", change: { $0.cookies = Jar() }, cookie: "kept=1"),
        Row(
            testDescription: "the request has a cookie too", fields: ["Cookie": "own=2"],
            change: { $0.cookies = Jar() }, cookie: "kept=1; own=2"),
        Row(testDescription: "the request has a cookie", fields: ["Cookie": "own=2"], cookie: "own=2"),
    ]

    @Test("Sends what it may without a challenge", arguments: rows)
    func unasked(row: Row) throws {
        var options = RequestOptions()
        row.change(&options)
        var request = TransferRequest(url: row.url)
        request.headers = row.fields
        let identity = RequestIdentity(
            request: request, options: SharedOptions(options), hasLeftOrigin: row.hasLeftOrigin)
        var fields = request.headers
        var authorization: String?
        try identity.add(
            to: &fields, &authorization, known: OriginCredentials(), session: row.session, time: 0)
        #expect(authorization == row.authorization)
        #expect(fields["Cookie"] == row.cookie)
        #expect(fields["Authorization"] == row.fields["Authorization"])
    }

    @Test("An answer to a challenge stays, unless it shows the options' credentials to another origin")
    func answered() throws {
        var options = RequestOptions()
        Self.own(&options)
        let request = TransferRequest(url: "https://host/file")
        var known = OriginCredentials()
        let given = HTTPCredentials(offer: AuthenticationOffer(scheme: "Basic"), user: "own", password: "secret")
        known.give(given, to: try Origin(request.url), from: .options)
        for (hasLeftOrigin, expected) in [(false, "answer"), (true, nil)] {
            let identity = RequestIdentity(
                request: request, options: SharedOptions(options), hasLeftOrigin: hasLeftOrigin)
            var fields = HeaderFields()
            var authorization: String? = "answer"
            try identity.add(to: &fields, &authorization, known: known, session: HeaderFields(), time: 0)
            #expect(authorization == expected)
        }
    }

    @Test("A signature replaces name and password, is sent to the request's own server alone, and fixes the path")
    func signed() throws {
        var options = RequestOptions()
        Self.own(&options)
        options.signing = RequestSigning(region: "r", service: "s3")
        let request = TransferRequest(url: "https://host/a:b")
        for hasLeftOrigin in [false, true] {
            let identity = RequestIdentity(
                request: request, options: SharedOptions(options), hasLeftOrigin: hasLeftOrigin)
            var fields = HeaderFields()
            var authorization: String?
            try identity.add(to: &fields, &authorization, known: OriginCredentials(), session: HeaderFields(), time: 0)
            #expect(authorization == nil)
            #expect((fields["Authorization"]?.hasPrefix("AWS4-HMAC-SHA256 ") ?? false) == !hasLeftOrigin)
            #expect(try identity.sentURL() == (hasLeftOrigin ? "https://host/a:b" : "https://host/a%3Ab"))
        }
    }

    @Test("The credentials for a challenge are the options' at the request's server, and the URL's elsewhere")
    func credentials() {
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "own", password: "secret", scheme: .digest)
        let request = TransferRequest(url: "https://me:word@host/file")
        let here = RequestIdentity.credentials(of: request, options, hasLeftOrigin: false)
        #expect(here?.0.user == "own" && here?.1 == .options)
        let elsewhere = RequestIdentity.credentials(of: request, options, hasLeftOrigin: true)
        #expect(elsewhere?.0 == RequestCredentials(user: "me", password: "word", scheme: .digest))
        #expect(elsewhere?.1 == .url)
        options.credentials = .negotiate
        #expect(RequestIdentity.credentials(of: request, options, hasLeftOrigin: true) == nil, "a ticket has no name")
    }
}

import SessionSupport
import Testing

@testable import SessionCore

@Suite("Authentication offers", .timeLimit(.minutes(1)))
struct SecurityOffersTests {
    @Test("Every offer of a field is found, whatever stands between them")
    func offers() {
        let value = #" , Newauth realm="a, \"b\"", type=1, Negotiate abc==, Basic realm = "simple" ,Bearer"#
        let expected = [
            AuthenticationOffer(scheme: "Newauth", parameters: ["realm": "a, \"b\"", "type": "1"]),
            AuthenticationOffer(scheme: "Negotiate"),
            AuthenticationOffer(scheme: "Basic", parameters: ["realm": "simple"]),
            AuthenticationOffer(scheme: "Bearer"),
        ]
        #expect(AuthenticationOffer.parse(value) == expected)
    }

    @Test("Nonsense ends and offers nothing to answer", arguments: ["", ",,,", "=\"", "\"", "\u{0}", "a=b", "Bearer"])
    func nonsense(_ value: String) {
        #expect(AuthenticationOffer.supported([value]).isEmpty)
    }

    @Test("The stronger scheme is offered first")
    func order() {
        let digest = #"Digest realm="d", nonce="n", qop="auth-int, auth""#
        #expect(AuthenticationOffer.supported(["basic realm=\"b\"", digest]).map(\.scheme) == ["Digest", "basic"])
        #expect(AuthenticationOffer.supported([#"Digest realm="d", nonce="n", qop="auth-conf""#]).isEmpty)
    }

    @Test(
        "Base64 is that of RFC 4648", arguments: ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg=="])
    func base64(_ plain: String, _ encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
    }

    @Test("A name with a colon is not shown: part of it would become the password")
    func colon() {
        let credentials = HTTPCredentials(offer: AuthenticationOffer(scheme: "Basic"), user: "a:b", password: "c")
        #expect(credentials.field(for: TransferRequest(url: "http://127.0.0.1/"), count: 1, clientNonce: "") == nil)
    }
}

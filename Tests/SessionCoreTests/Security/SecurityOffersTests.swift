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
        #expect(AuthenticationOffer.supported([#"Digest realm="d", nonce="n", qop="auth-int""#]).isEmpty)
    }

    @Test("Digest answers are those of RFC 7616, 3.9.1", arguments: ["MD5", "SHA-256"])
    func digest(_ algorithm: String) throws {
        let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
        let challenge =
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), "
            + "nonce=\"\(nonce)\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        let offer = try #require(AuthenticationOffer.supported([challenge]).first)
        let credentials = HTTPCredentials(offer: offer, user: "Mufasa", password: "Circle of Life")
        let field = try #require(
            DigestAuthorization.field(
                credentials, method: "GET", target: "/dir/index.html", count: 1,
                clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"))
        let response =
            algorithm == "MD5"
            ? "8ca523f5e9506fed4657c9700eebdbec"
            : "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
        #expect(field.contains("response=\"\(response)\""), "\(field)")
        #expect(field.contains("nc=00000001") && field.contains("uri=\"/dir/index.html\""))
    }

    @Test(
        "Base64 is that of RFC 4648", arguments: ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg=="])
    func base64(_ plain: String, _ encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
    }

    @Test("A name with a colon is not shown: part of it would become the password")
    func colon() {
        let credentials = HTTPCredentials(offer: AuthenticationOffer(scheme: "Basic"), user: "a:b", password: "c")
        #expect(credentials.field(for: TransferRequest(url: "http://127.0.0.1/"), count: 1) == nil)
    }
}

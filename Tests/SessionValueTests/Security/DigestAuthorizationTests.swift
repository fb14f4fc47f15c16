import Testing

@testable import SessionCore

/// Answers to Digest challenges, beside the examples of the standards and what other implementations compute.
@Suite("Digest answers")
struct DigestAuthorizationTests {
    /// What RFC 7616, 3.9.1 asks with.
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"

    private static func challenge(_ algorithm: String, qop: String?) -> String {
        "Digest realm=\"http-auth@example.org\", algorithm=\(algorithm), nonce=\"\(nonce)\""
            + (qop.map { ", qop=\"\($0)\"" } ?? "")
    }

    private func field(
        _ challenge: String, _ user: String = "Mufasa", _ password: String = "Circle of Life", method: String = "GET",
        target: String = "/dir/index.html", body: BodySpecification = .none, count: Int = 1,
        clientNonce: String = Self.clientNonce
    ) throws -> String {
        let offer = try #require(AuthenticationOffer.supported([challenge], for: body).first)
        return try #require(
            DigestAuthorization.field(
                HTTPCredentials(offer: offer, user: user, password: password),
                DigestAuthorization.Action(method: method, target: target, body: body), count: count,
                clientNonce: clientNonce))
    }

    @Test(
        "Every algorithm signs the request line; those of RFC 7616, 3.9.1 as it says",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
            ("SHA-512-256", "430d05014cecc49cab6fbe03176d41a1da86cbfe24a16580e22aaad928d960d0"),
            ("MD5-sess", "e783283f46242139c486a698fec7211d"),
            ("sha-256-SESS", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
            ("SHA-512-256-sess", "3f2a34f923c38b0fb26dce2fdfc2ce326c23cecf86fbb1444f3e51fbbc2cb92e"),
        ])
    func requestLine(_ algorithm: String, _ response: String) throws {
        let field = try field(Self.challenge(algorithm, qop: "auth-int, Auth") + ", opaque=\"o\\\"p\"")
        #expect(field.contains("response=\"\(response)\""), "\(field)")
        #expect(field.contains("nc=00000001") && field.contains("uri=\"/dir/index.html\""))
        #expect(field.contains("qop=auth,"))
        #expect(field.contains("algorithm=\(algorithm)") && field.hasSuffix("opaque=\"o\\\"p\""))
        #expect(field.hasPrefix("Digest username=\"Mufasa\", realm=\"http-auth@example.org\""))
    }

    @Test(
        "Where nothing else is offered the body is signed too",
        arguments: [
            ("MD5", "beb71ce784d939e8a8030380ddf6b456"),
            ("SHA-256", "90cc45fb9f237c41d070611a21a42189a5fc07acb164650c5538b033e7e8e555"),
            ("SHA-512-256", "8b1de8d282162c845baedaff83967cd64362e0d3c75329b1f4d6774023f4cd73"),
            ("MD5-sess", "03f76e47209558db978cf03c9b7ddc52"),
            ("SHA-256-sess", "ff3fb69964794a4e2874e1aeeb7615dc8fff8358dec7761a6eb5ace088a5be2a"),
        ])
    func body(_ algorithm: String, _ response: String) throws {
        let field = try field(
            Self.challenge(algorithm, qop: "auth-int"), method: "POST", body: .bytes(Array("v=1".utf8)))
        #expect(field.contains("response=\"\(response)\"") && field.contains("qop=auth-int"), "\(field)")
    }

    @Test("A server of RFC 2069 gets an answer without numbers of the client's")
    func old() throws {
        let challenge = #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
        let field = try field(challenge, "Mufasa", "CircleOfLife")
        #expect(field.contains("response=\"1949323746fe6a43ef61f9606e7febea\""), "\(field)")
        for name in ["qop", "cnonce", "nc=", "algorithm"] { #expect(!field.contains(name)) }
    }

    @Test("A name is hashed where the server asks for that, as in RFC 7616, 3.9.2 with its erratum 4897")
    func hashedName() throws {
        let challenge =
            #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, userhash=true, "#
            + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK""#
        func sent(_ challenge: String) throws -> String {
            try field(
                challenge, "J\u{e4}s\u{f8}n Doe", "Secret, or not?", target: "/doe.json",
                clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
        }
        let hashed = try sent(challenge)
        #expect(hashed.contains("username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\""))
        #expect(hashed.contains("userhash=true"))
        let response = "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5"
        #expect(hashed.contains("response=\"\(response)\""), "\(hashed)")
        // Without a hash the name is written in ASCII where the server knows how to read that, and as it is elsewhere.
        let encoded = try sent(challenge.replacing("userhash=true", with: "userhash=false"))
        #expect(encoded.contains("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe,") && encoded.contains(response))
        let plain = try sent(challenge.replacing("charset=UTF-8, userhash=true, ", with: ""))
        #expect(plain.contains("username=\"J\u{e4}s\u{f8}n Doe\""))
    }

    @Test(
        "What cannot be answered is not offered to anybody",
        arguments: [
            challenge("MD5-sess", qop: nil), challenge("SHA-1", qop: "auth"), challenge("SHA-512", qop: "auth"),
            challenge("MD5", qop: "auth-conf"), challenge("MD5", qop: ""), "Digest nonce=\"n\"",
            "Digest realm=\"r\"",
        ])
    func unknown(_ challenge: String) {
        #expect(AuthenticationOffer.supported([challenge]).isEmpty)
    }

    @Test("A body that is not in memory cannot be signed, and needs not be where the server lets choose")
    func files() {
        for body in [BodySpecification.file(path: "/x"), .descriptor(0)] {
            #expect(AuthenticationOffer.supported([Self.challenge("MD5", qop: "auth-int")], for: body).isEmpty)
            #expect(AuthenticationOffer.supported([Self.challenge("MD5", qop: "auth, auth-int")], for: body).count == 1)
        }
    }

    @Test("Of several challenges the first that can be answered counts, in one field or in several")
    func several() {
        let md5 = Self.challenge("MD5", qop: "auth")
        let sha = Self.challenge("SHA-256", qop: "auth")
        let unknown = Self.challenge("SHA-3", qop: "auth")
        let apart = ["Basic realm=\"b\"", unknown, "\(sha), \(md5)"]
        for values in [["\(unknown), \(sha), \(md5)"], [unknown, sha, md5], apart] {
            #expect(AuthenticationOffer.supported(values).first?.parameters["algorithm"] == "SHA-256")
        }
    }

    @Test("A number that is stale is renewed without a question, and not for ever")
    func stale() throws {
        let request = TransferRequest(url: "http://127.0.0.1/x")
        let origin = try Origin(request.url)
        func offer(_ text: String) -> [AuthenticationOffer] {
            AuthenticationOffer.parse("Digest \(text), qop=\"auth\"")
        }
        var credentials = OriginCredentials()
        let fresh = offer(#"realm="r", nonce="1", stale=TRUE"#)
        let first = offer(#"realm="r", nonce="0""#)[0]
        var isRenewed = credentials.renew(from: fresh, origin)
        #expect(!isRenewed, "nobody has given anything")
        credentials.give(HTTPCredentials(offer: first, user: "me", password: "secret"), to: origin)
        isRenewed = credentials.renew(from: fresh, origin)
        #expect(!isRenewed, "nothing was shown yet")
        let shown = credentials.field(for: request)
        #expect(shown?.contains("nonce=\"0\"") == true)
        for other in [#"realm="r""#, #"realm="r", stale=false"#, #"realm="s", stale=true"#] {
            isRenewed = credentials.renew(from: offer(other + ", nonce=\"1\""), origin)
            #expect(!isRenewed)
        }
        for number in 1...3 {
            isRenewed = credentials.renew(from: offer("realm=\"r\", nonce=\"\(number)\", stale=true"), origin)
            let field = credentials.field(for: request)
            #expect(isRenewed && field?.contains("nonce=\"\(number)\"") == true)
            #expect(field?.contains("nc=00000001") == true)
        }
        isRenewed = credentials.renew(from: fresh, origin)
        #expect(!isRenewed, "a server that calls everything stale")
        // What has served twice has grown old.
        _ = credentials.field(for: request)
        isRenewed = credentials.renew(from: fresh, origin)
        #expect(isRenewed)
    }

    @Test("One number of the client's serves an offer, so that the secret of a session stays the same")
    func session() throws {
        let request = TransferRequest(url: "http://127.0.0.1/x")
        let offer = AuthenticationOffer.parse(Self.challenge("MD5-sess", qop: "auth"))[0]
        var credentials = OriginCredentials()
        credentials.give(HTTPCredentials(offer: offer, user: "me", password: "secret"), to: try Origin(request.url))
        let fields = (0..<2).compactMap { _ in credentials.field(for: request) }
        let numbers = fields.compactMap { $0.firstMatch(of: /cnonce="([0-9a-f]+)"/).map { String($0.1) } }
        #expect(numbers.count == 2 && numbers[0] == numbers[1] && fields[1].contains("nc=00000002"))
    }
}

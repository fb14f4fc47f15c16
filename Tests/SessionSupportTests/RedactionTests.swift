import SessionSupport
import Testing

@Suite("Secrets in text")
struct RedactionTests {
    @Test(
        "A URL is shown without what opens doors",
        arguments: [
            ("https://u:p@h/x?a=1", "https://h/x?a=1"), ("https://u:p@w@h/x", "https://h/x"),
            ("http://h/@user/x@y", "http://h/@user/x@y"), ("//u:p@h/x", "//h/x"),
            ("http://h/?access_token=abc&n=1", "http://h/?access_token=***&n=1"),
            ("http://h/?X-Amz-Signature=abc;b=2", "http://h/?X-Amz-Signature=***;b=2"),
            ("http://h/?a=1&sig=x=y#token=z", "http://h/?a=1&sig=***#token=***"),
            ("http://h/?%73ig=abc", "http://h/?%73ig=***"), ("http://h/?se=1&sex=2", "http://h/?se=***&sex=2"),
            ("http://u:p@h?password=1", "http://h?password=***"), ("", ""), ("no url", "no url"),
            ("http://h/?sid=1&side=2&PHPSESSID=3", "http://h/?sid=***&side=2&PHPSESSID=***"),
            (
                "http://h/?u=http%3A%2F%2Fi%2F%3Ftoken%3DX%26n%3D1&m=2",
                "http://h/?u=http%3A%2F%2Fi%2F%3Ftoken%3D***%26n%3D1&m=2"
            ),
            ("http://h/?u=a%253Ftoken%253DX%2526n%253D1", "http://h/?u=a%253Ftoken%253D***%2526n%253D1"),
            ("http://h/?u=http%3a%2f%2fme%3apw%40i%2f&n=1", "http://h/?u=http%3a%2f%2f***%40i%2f&n=1"),
            ("http://h/?u=http://me:pw@i/x", "http://h/?u=http://***@i/x"),
            ("http://h/to/i%3Ftoken%3DX/y", "http://h/to/i%3Ftoken%3D***"),
            ("http://h/?d=token%3DX", "http://h/?d=token%3D***"),
            ("http://h/?token=a%26n%3D1&m=2", "http://h/?token=***&m=2"),
            ("http://h/?id=abcKEYsig%3D%3D&n=%3D", "http://h/?id=abcKEYsig%3D%3D&n=%3D"),
            ("http://h/a%20b%2", "http://h/a%20b%2"), ("http://h/?%", "http://h/?%"),
            ("http://h/%25%3F%2", "http://h/%25%3F%2"),
        ])
    func redaction(url: String, shown: String) {
        #expect(Redaction.url(url, userInfo: .removed) == shown)
    }

    @Test(
        "A redacted URL that was edited gets its secrets back, but for another server and where that is not sure",
        arguments: [
            ("https://h/f?token=***&n=2", "https://h/f?token=a&n=1", "https://h/f?token=a&n=2"),
            ("https://***@h/g", "https://u:p@h/f", "https://u:p@h/g"),
            ("HTTPS://***@H/g?sig=***#key=***", "https://u@h/f?sig=a#key=b", "HTTPS://u@H/g?sig=a#key=b"),
            ("https://new@h/f?sig=***", "https://u@h/f?sig=a", "https://new@h/f?sig=a"),
            ("https://h/f?sig=b", "https://h/f?sig=a", "https://h/f?sig=b"),
            ("https://other/f?token=***", "https://h/f?token=a", nil),
            ("https://h:1/?sig=***", "https://h/?sig=a", nil),
            ("http://h/f?token=***", "https://h/f?token=a", nil), ("https://***@h/", "https://h/?sig=a", nil),
            ("https://h/?key=***", "https://h/?key=a&key=b", nil), ("https://h/?sig=***", "https://h/?token=a", nil),
            ("https://h/***", "https://h/?sig=a", nil),
        ] as [(String, String, String?)])
    func restored(edited: String, original: String, url: String?) {
        #expect(Redaction.restored(edited, from: original) == url)
    }

    @Test(
        "A body with a member whose name is that of a secret is known",
        arguments: [
            ("user=me&password=x", true), (#"{"a": 1, "api_token" : "x"}"#, true), (#"{"a":{"pwd":1}}"#, true),
            ("pass%77ord=x", true), (#"{"name": "tea", "note": "the password is x"}"#, false), ("", false),
            ("a=1&b=2", false), (#"["token", "key"]"#, false), ("password", false), ("{\u{1}::==", false),
        ])
    func secretMembers(body: String, isSecret: Bool) {
        #expect(Redaction.hidesMember(of: Array(body.utf8)) == isSecret)
    }

    @Test("Bytes that are no text have no members")
    func binaryBodies() {
        #expect(Redaction.hidesBody(Array("a=1\r\n&password=x".utf8)))
        #expect(!Redaction.hidesBody([0] + Array("password=x".utf8)))
        #expect(!Redaction.hidesBody(Array("a=1".utf8)))
    }

    @Test("Where people look, a mask shows that there was a user")
    func masked() {
        #expect(Redaction.url("http://me:word@h/?n=1") == "http://***@h/?n=1")
    }

    @Test("Fields are hidden by their names")
    func fields() {
        for name in ["Authorization", "proxy-authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Auth-Token"] {
            #expect(Redaction.header(name: name, value: "v") == Redaction.mask, "\(name)")
        }
        for name in ["Accept", "Content-Length", "ETag", "Host"] {
            #expect(Redaction.header(name: name, value: "v") == "v", "\(name)")
        }
    }
}

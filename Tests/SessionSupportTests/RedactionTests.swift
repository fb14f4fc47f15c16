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
        "Long random values are hidden from people whatever they are called, and stay in what is stored",
        arguments: [
            ("http://h/f?a=1&zz=SeCr7d1f3a9b2c4e&z=2", "http://h/f?a=1&zz=***&z=2"),
            ("http://h/f?h=_e4Nc3iduzkWRm01TBBNYw&e=1700000000", "http://h/f?h=***&e=1700000000"),
            ("http://h/f?x=exp=1700000000~acl=/*~mac=9f86d081884c7d659a2feaa0c55ad015&n=1", "http://h/f?x=***&n=1"),
            ("http://h/?t=ST-1856339-aA5Yuvrxzpv8Tau1cYQ7", "http://h/?t=***"),
            ("http://h/?id=550e8400-e29b-41d4-a716-446655440000", "http://h/?id=***"),
            ("http://h/?r=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "http://h/?r=***"),
            ("http://h/f?9f86d081884c7d659a2feaa0c55ad015", "http://h/f?***"),
            ("http://h/f#Zm9vYmFyMTIzNDU2Nzg5", "http://h/f#***"), ("http://h/f#aB3xK9pQ", "http://h/f#***"),
            ("http://h/f?a=1#9f86d081&n=2", "http://h/f?a=1#***&n=2"),
            (
                "http://h/?u=http%3A%2F%2Fi%2F%3Fzz%3DSeCr7d1f3a9b2c4e%26n%3D1",
                "http://h/?u=http%3A%2F%2Fi%2F%3Fzz%3D***%26n%3D1"
            ),
            ("http://h/;v=SeCr7d1f3a9b2c4e/x", "http://h/;v=***/x"),
        ])
    func randomValues(url: String, shown: String) {
        #expect(Redaction.url(url) == shown)
        #expect(Redaction.url(url, userInfo: .removed) == url)
    }

    @Test(
        "Values that people can read stay, however long they are",
        arguments: [
            "http://h/?page=chapter7&state=open", "http://h/?file=some-very-long-readable-file-name-2024.tar.gz",
            "http://h/?t=2024-01-02T03:04:05.123Z&u=20240102T030405Z", "http://h/?q=linux+kernel+download",
            "http://h/?v=1.2.3-rc1-x86_64-pc-linux-gnu", "http://h/?expires=1699999999&size=12345678901234",
            "http://h/?name=Some.Movie.Title.2024.1080p.x264.5.1ch.S01E02.H265.mkv",
            "http://h/?path=/home/user/Documents/x",
            "http://h/?n=SomeLongParameterNameInWords&m=getElementsByTagName",
            "http://h/?mail=john.smith1984@example.com",
            "http://h/9f86d081884c7d659a2feaa0c55ad015/f.iso?n=1", "http://h/?a=b=c&x", "http://h/?st=CA&md5=no",
            "http://h/?author=smith&keyword=tea&design=2&sort_key=date&max_tokens=9&insight=x&compass=n",
            "http://h/?auth=false&with_credentials=true&token=", "http://h/date=2024-01-02/x",
            "http://h/f#section-2", "http://h/f#L120-L135", "http://h/f#issuecomment-1234567890", "http://h/f?9f86d081",
            "http://h/f#getting_started", "http://h/f#v1.2.3-rc1",
        ])
    func readableValues(url: String) {
        #expect(Redaction.url(url) == url)
    }

    @Test(
        "Names of secrets hide what is short too, from people and disks",
        arguments: [
            ("http://h/?hdnts=x", "http://h/?hdnts=***"), ("http://h/?__gda__=x", "http://h/?__gda__=***"),
            ("http://h/?ticket=x&otp=1", "http://h/?ticket=***&otp=***"),
            ("http://h/?SAMLRequest=x", "http://h/?SAMLRequest=***"),
            ("http://h/?st=_e4Nc3iduzkWRm01TBBNYw", "http://h/?st=***"),
            ("http://h/?md5=_e4Nc3iduzkWRm01TBBNYw", "http://h/?md5=***"),
            ("http://h/?authorization=x&author_key=y", "http://h/?authorization=***&author_key=***"),
            ("http://h/?password=true", "http://h/?password=***"),
            ("http://h/a;jsessionid=1/b?n=2", "http://h/a;jsessionid=***/b?n=2"),
            ("http://h/hdntl=exp=1~acl=x/v.mp4", "http://h/hdntl=***/v.mp4"),
            ("http://h/token=a/x=1", "http://h/token=***/x=1"),
        ])
    func secretNames(url: String, shown: String) {
        #expect(Redaction.url(url) == shown)
        #expect(Redaction.url(url, userInfo: .removed) == shown)
    }

    @Test("A redacted URL of many equals signs is read in one pass")
    func manySigns() {
        let url = "http://h/?" + String(repeating: "a=", count: 200_000)
        #expect(Redaction.url(url) == url)
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
            ("https://h/g?zz=***", "https://h/f?zz=SeCr7d1f3a9b2c4e", "https://h/g?zz=SeCr7d1f3a9b2c4e"),
            ("https://h/g?***", "https://h/f?SeCr7d1f3a9b2c4e", "https://h/g?SeCr7d1f3a9b2c4e"),
            ("https://h/g#***", "https://h/f#aB3xK9pQ", "https://h/g#aB3xK9pQ"),
            ("https://h/;jsessionid=***/g", "https://h/;jsessionid=1/f", "https://h/;jsessionid=1/g"),
            ("https://h/g?sig=***", "https://h/f?sig=a/b=c", "https://h/g?sig=a/b=c"),
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
        let plain = [
            "Accept", "Content-Length", "ETag", "Host", "Access-Control-Allow-Credentials", "Surrogate-Key", "X-Author",
            "X-Amz-Request-Id", "x-goog-hash", "Idempotency-Key",
        ]
        for name in plain {
            #expect(Redaction.header(name: name, value: "v") == "v", "\(name)")
        }
    }

    @Test(
        "Of the URLs in a field its secrets are hidden, and of a challenge what is random",
        arguments: [
            ("Location", "/f?token=x&n=1", "/f?token=***&n=1"),
            ("Refresh", "5; url=http://u:p@h/", "5; url=http://***@h/"),
            (
                "Link", "<http://h/a?sig=x>; rel=next, <http://h/b>; rel=last",
                "<http://h/a?sig=***>; rel=next, <http://h/b>; rel=last"
            ),
            ("X-Original-Url", "http://h/?sig=x", "http://h/?sig=***"),
            ("Content-Type", "text/plain; key=x", "text/plain; key=x"),
            (
                "WWW-Authenticate", #"Digest realm="key of x", nonce="9f86d081884c7d659a2feaa0""#,
                #"Digest realm="key of x", nonce="***""#
            ),
            ("X-Amz-Security-Token", "x", "***"),
        ])
    func values(name: String, value: String, shown: String) {
        #expect(Redaction.header(name: name, value: value) == shown)
    }
}

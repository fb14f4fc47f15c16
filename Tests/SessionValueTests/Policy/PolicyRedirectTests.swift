import Testing

@testable import SessionCore

@Suite("Redirect policy")
struct PolicyRedirectTests {
    private let secrets: HeaderFields = [
        "Authorization": "Bearer x", "Proxy-Authorization": "Basic y", "Cookie": "a=b", "X-Api-Key": "k",
        "Referer": "https://a/", "Accept": "*/*", "Accept-Language": "de", "Range": "bytes=4-", "If-Range": "\"one\"",
        "If-Match": "\"one\"",
        "User-Agent": "test",
    ]

    private func decide(
        _ status: Int, _ location: String?, from url: String = "https://a.example/x/y?q#f", method: String = "GET",
        headers: HeaderFields = [:], body: BodySpecification = .none,
        _ change: (inout RedirectPolicy.Context) -> Void = { _ in }
    ) -> RedirectPolicy.Decision {
        var context = RedirectPolicy.Context()
        change(&context)
        var head = ResponseHead(statusCode: status, url: url)
        if let location { head.headers.append(name: "Location", value: location) }
        let request = TransferRequest(url: url, method: method, headers: headers, body: body)
        return RedirectPolicy.decide(head, to: request, context: context)
    }

    private func followed(_ decision: RedirectPolicy.Decision) -> TransferRequest? {
        guard case .follow(let request) = decision else { return nil }
        return request
    }

    /// What is sent only with the caller's consent.
    private func proposed(_ decision: RedirectPolicy.Decision) -> TransferRequest? {
        guard case .needsConsent(let request, let error) = decision, error.code == .redirectRefused else { return nil }
        return request
    }

    private func refusal(_ decision: RedirectPolicy.Decision) -> SessionError.Code? {
        switch decision {
        case .refuse(let error), .keep(let error), .leadsNowhere(let error), .needsOther(_, let error): error.code
        case .follow, .needsConsent, .notARedirect: nil
        }
    }

    @Test(
        "Methods after each status",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (303, "HEAD", "HEAD"), (302, "HEAD", "HEAD"), (301, "PUT", "PUT"), (307, "POST", "POST"),
            (308, "DELETE", "DELETE"), (302, "GET", "GET"),
        ])
    func methods(status: Int, before: String, after: String) {
        let body: BodySpecification = before == "POST" || before == "PUT" ? .bytes([1]) : .none
        let request = followed(
            decide(status, "/z", method: before, headers: ["Content-Type": "a/b", "X-Own": "1"], body: body))
        #expect(request?.method == after)
        #expect(request?.body == (before == after ? body : .none))
        #expect(request?.headers["Content-Type"] == (before == after ? "a/b" : nil))
        #expect(request?.headers["X-Own"] == "1")
    }

    @Test("Other statuses are answers", arguments: [200, 206, 300, 304, 305, 306, 404])
    func notRedirects(status: Int) {
        #expect(decide(status, "/z") == .notARedirect)
    }

    @Test(
        "Locations are resolved as RFC 3986 says, and the fragment is carried",
        arguments: [
            ("/z", "https://a.example/z#f"), ("z", "https://a.example/x/z#f"), ("?n=1", "https://a.example/x/y?n=1#f"),
            ("//b.example/p", "https://b.example/p#f"), ("../up", "https://a.example/up#f"),
            ("https://a.example/n#own", "https://a.example/n#own"), ("/a b", "https://a.example/a%20b#f"),
            ("https://user:pass@b.example/", "https://b.example/#f"),
        ])
    func locations(location: String, url: String) {
        #expect(followed(decide(302, location))?.url == url)
    }

    @Test("A name and password in the URL stay within its origin, and those of a location are never used")
    func userinfo() {
        let url = "http://me:pw@a.example/x"
        #expect(followed(decide(302, "/z", from: url))?.url == "http://me:pw@a.example/z")
        #expect(followed(decide(302, "http://a.example/z", from: url))?.url == "http://me:pw@a.example/z")
        #expect(followed(decide(302, "http://b.example/z", from: url))?.url == "http://b.example/z")
        #expect(followed(decide(302, "http://ev:il@a.example/z", from: url))?.url == "http://me:pw@a.example/z")
    }

    @Test(
        "Another port, host or scheme is another origin: nothing private goes there",
        arguments: [
            "https://a.example:444/x", "https://b.example/x", "https://sub.a.example/x", "//b.example",
            "https://a.example.evil/x",
        ])
    func crossOrigin(location: String) {
        let request = followed(decide(302, location, headers: secrets))
        for name in ["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "Referer"] {
            #expect(request?.headers[name] == nil, "\(name)")
        }
        for name in ["Accept", "Accept-Language", "Range", "If-Range", "If-Match", "User-Agent"] {
            #expect(request?.headers[name] == secrets[name], "\(name)")
        }
    }

    @Test(
        "Spelling does not make another origin",
        arguments: ["https://A.Example/z", "https://a.example.:443/z", "https://a.example:0443/z", "/z"])
    func sameOrigin(location: String) {
        #expect(followed(decide(302, location, headers: secrets))?.headers == secrets)
    }

    @Test("What was dropped on the way out is not restored on the way back")
    func neverRestored() throws {
        let away = try #require(followed(decide(302, "https://b.example/", headers: secrets)))
        let head = ResponseHead(statusCode: 302, headers: ["Location": "https://a.example/back"], url: away.url)
        guard case .follow(let back) = RedirectPolicy.decide(head, to: away) else {
            Issue.record("the way back was refused")
            return
        }
        #expect(back.headers["Authorization"] == nil)
        #expect(back.headers["Cookie"] == nil)
    }

    @Test("A body goes to another origin only with permission, and an upload that cannot be reread not at all")
    func bodies() {
        let away = "https://b.example/"
        let headers: HeaderFields = [
            "Content-Type": "a/b", "Content-Encoding": "gzip", "X-Own": "1", "Authorization": "Basic x",
        ]
        let allowed = proposed(decide(307, away, method: "POST", headers: headers, body: .bytes([1])))
        #expect(allowed?.body == .bytes([1]))
        #expect(allowed?.headers == ["Content-Type": "a/b", "Content-Encoding": "gzip"])
        #expect(followed(decide(303, away, method: "POST", body: .bytes([1])))?.body == BodySpecification.none)
        #expect(refusal(decide(307, away, method: "POST", body: .descriptor(0))) == .notReplayable)
        #expect(refusal(decide(308, "/z", method: "POST", body: .descriptor(0))) == .notReplayable)
        #expect(followed(decide(303, "/z", method: "POST", body: .descriptor(0)))?.body == BodySpecification.none)
    }

    @Test("Encryption is not given up without permission")
    func downgrade() {
        let open = proposed(decide(302, "http://a.example/", headers: secrets))
        #expect(open?.url == "http://a.example/#f" && open?.headers["Authorization"] == nil)
        #expect(proposed(decide(302, "https://a.example/z")) == nil)
        #expect(followed(decide(302, "https://a.example/", from: "http://a.example/")) != nil)
    }

    @Test(
        "Other schemes are refused",
        arguments: ["ftp://a.example/", "file:///etc/passwd", "data:text/plain,x", "javascript:alert(1)", "gopher://a"])
    func schemes(location: String) {
        #expect(refusal(decide(302, location)) == .redirectRefused)
    }

    @Test("A location that is missing, contradicts itself, is too long or could inject a header is refused")
    func badLocations() {
        #expect(refusal(decide(302, nil)) == .badResponse)
        #expect(refusal(decide(302, "/" + String(repeating: "a", count: 100_000))) == .badResponse)
        for location in ["/x\r\nX: y", "/x\0y", "http://", "http://a:99999/", "http://[::1"] {
            #expect(refusal(decide(302, location)) == .badResponse, "\(location.debugDescription)")
        }
        var head = ResponseHead(statusCode: 302)
        head.headers.append(name: "Location", value: "/a")
        head.headers.append(name: "Location", value: "/b")
        #expect(refusal(RedirectPolicy.decide(head, to: TransferRequest(url: "http://a/"))) == .badResponse)
        for location in [nil, "http://", "ftp://a.example/"] {
            guard case .leadsNowhere = decide(301, location) else {
                Issue.record("\(location ?? "no place") leads somewhere")
                continue
            }
        }
    }

    @Test("Circles and long chains end")
    func loops() {
        #expect(refusal(decide(302, "")) == .tooManyRedirects)
        #expect(refusal(decide(302, "/x/y?q#other")) == .tooManyRedirects)
        #expect(refusal(decide(302, "/z") { $0.visited = ["GET https://a.example/z"] }) == .tooManyRedirects)
        #expect(refusal(decide(302, "/z") { $0.hops = 50 }) == .tooManyRedirects)
        #expect(followed(decide(302, "/z") { $0.hops = 49 }) != nil)
        // A login that sends the request back with a cookie.
        let door = TransferRequest(url: "https://a.example/door")
        let head = ResponseHead(statusCode: 302, headers: ["Location": "/door", "Set-Cookie": "s=1"], url: door.url)
        var context = RedirectPolicy.Context()
        context.keepsCookies = true
        #expect(followed(RedirectPolicy.decide(head, to: door, context: context) { _ in "s=1" }) == door)
        context.cookies = "s=1"
        #expect(refusal(RedirectPolicy.decide(head, to: door, context: context) { _ in "s=1" }) == .tooManyRedirects)
        context.visited = [RedirectPolicy.visitKey(door, cookies: "s=2")]
        #expect(refusal(RedirectPolicy.decide(head, to: door, context: context) { _ in "s=2" }) == .tooManyRedirects)
        guard case .needsOther(_, let error) = RedirectPolicy.decide(head, to: door) else {
            Issue.record("a circle without cookies was followed")
            return
        }
        #expect(error.message == RedirectErrors.loopWithCookies)
        // The answer to a form at its own address: the method differs, so it is no circle.
        #expect(followed(decide(303, "", method: "POST", body: .bytes([1])))?.method == "GET")
    }

    @Test("A kept method loses its body, and a repeated POST keeps it")
    func keptMethods() {
        func after(_ status: Int, _ method: String, _ change: (inout RedirectMethods) -> Void) -> TransferRequest? {
            followed(
                decide(status, "/z", method: method, headers: ["Content-Type": "a/b"], body: .bytes([1])) {
                    change(&$0.methods)
                })
        }
        for status in 301...303 {
            for method in ["POST", "PUT", "DELETE"] {
                let kept = after(status, method) { $0.keepsMethod = true }
                #expect(kept?.method == method && kept?.body == BodySpecification.none && kept?.headers.isEmpty == true)
            }
            let repeated = after(status, "POST") { $0.repeated = [status] }
            #expect(repeated?.method == "POST" && repeated?.body == .bytes([1]) && repeated?.headers.isEmpty == false)
            #expect(after(status, "POST") { $0.repeated = [status == 301 ? 302 : 301] }?.method == "GET")
        }
        #expect(after(303, "PUT") { $0.repeated = [303] }?.method == "GET")
        #expect(after(307, "POST") { $0.keepsMethod = true }?.body == .bytes([1]))
    }

    @Test("A redirect that is not followed is told without the secrets of its target")
    func keptTarget() {
        let target = "https://me:pw@b.example/f?X-Amz-Signature=0123abcd&v=1"
        let decision = decide(302, target) { $0.keepsRedirects = true }
        guard case .keep(let error) = decision else {
            Issue.record("the redirect was followed")
            return
        }
        #expect(error.message.contains("b.example/f") && error.message.contains("v=1"))
        #expect(!error.message.contains("0123abcd") && !error.message.contains("pw"), "\(error.message)")
    }

    @Test("A limit of its own may be larger than the usual one")
    func largeLimit() {
        #expect(refusal(decide(302, "/z") { $0.hops = 50 }) == .tooManyRedirects)
        #expect(followed(decide(302, "/z") { ($0.hops, $0.limit) = (5000, .max) }) != nil)
    }

    @Test("The fields that another origin does not get are named, and a dropped body's are not")
    func leftFields() {
        var sent = secrets
        sent.append(name: "Content-Type", value: "a/b")
        let request = TransferRequest(
            url: "https://a.example/x", method: "POST", headers: sent, body: .bytes([1]))
        func left(_ target: String) -> [String]? {
            followed(
                decide(302, target, from: request.url, method: "POST", headers: sent, body: .bytes([1]))
            ).map { RedirectPolicy.leftFields(of: request, in: $0, hasLeftOrigin: true)?.names ?? [] }
        }
        #expect(left("/z") == [])
        #expect(
            left("https://b.example/")
                == ["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "Referer"])
    }

    @Test(
        "A user name and password count as their field, unless the other URL has its own",
        arguments: [
            ("https://b.example/", true, ["Authorization"], false),
            ("https://a.example/", true, ["Authorization"], true),
            ("https://a.example/", false, nil, false), ("https://u:p@b.example/", true, nil, false),
        ] as [(String, Bool, [String]?, Bool)])
    func leftCredentials(target: String, hasLeftOrigin: Bool, names: [String]?, isBack: Bool) {
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "me", password: "hush")
        var own = TransferRequest(url: "https://a.example/x")
        own.options = options
        for request in [own, TransferRequest(url: "https://me:hush@a.example/x")] {
            let later = TransferRequest(url: target)
            let left = RedirectPolicy.leftFields(of: request, in: later, hasLeftOrigin: hasLeftOrigin)
            #expect(left?.names == names && left?.isBack ?? false == isBack)
        }
    }
}

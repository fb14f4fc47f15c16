import LoopbackServer
import Testing

@testable import SessionCore

/// What options of requests do on the wire.
@Suite("Options of requests on the wire", .timeLimit(.minutes(1)))
struct EngineOptionsTests {
    private let server = LoopbackServer()

    init() throws { try server.start() }

    private func request(_ url: String, _ change: (inout RequestOptions) throws -> Void) rethrows -> TransferRequest {
        var request = TransferRequest(url: url)
        var options = RequestOptions()
        try change(&options)
        request.options = options
        return request
    }

    private func body(_ end: TransferEnd?) -> String? { end.map { String(decoding: $0.body, as: UTF8.self) } }

    @Test("A proxy gets the whole URL and its own password, and keeps one connection for all servers")
    func plainProxy() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        server.setRoute("/*", .respond(.text("through")))
        let proxy = ProxySettings(try Proxy("http://me:secret@127.0.0.1:\(server.port)"))
        for url in ["http://one.example/x", "http://two.example/y"] {
            let end = harness.outcome(of: harness.add(request(url) { $0.proxies = proxy }))
            #expect(body(end) == "through")
        }
        #expect(server.requests.map(\.target) == ["http://one.example/x", "http://two.example/y"])
        #expect(server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == "Basic bWU6c2VjcmV0" })
        #expect(Set(server.requests.map(\.connectionID)).count == 1)
    }

    @Test("A proxy that sends more than it said gets a connection for each request, to whichever server")
    func surplusOfProxy() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        let foreign = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nWRONG".utf8)
        // Longer than what is read at once, so that the rest comes to an idle connection.
        let long = Behaviour.file(count: 262_144 + 10_240)
        server.setRoute("/one", long.followed(by: foreign))
        server.setRoute("/two/*", .respond(.text("right")))
        let proxy = ProxySettings(try Proxy("127.0.0.1:\(server.port)"))
        #expect(
            harness.outcome(of: harness.add(request("http://one.example/one") { $0.proxies = proxy }))?.error == nil)
        for url in ["http://two.example/two/a", "http://two.example/two/b"] {
            #expect(body(harness.outcome(of: harness.add(request(url) { $0.proxies = proxy }))) == "right")
        }
        #expect(Set(server.requests.map(\.connectionID)).count == 3)
    }

    @Test("The session's proxy is used where a request has none, and not for an exception")
    func sessionProxy() throws {
        let proxy = LoopbackServer()
        try proxy.start()
        proxy.setRoute("/x", .respond(.text("proxy")))
        server.setRoute("/x", .respond(.text("direct")))
        let settings = ProxySettings(try Proxy("127.0.0.1:\(proxy.port)"), exceptions: "127.0.0.0/8")
        let harness = try EngineHarness {
            $0.options = RequestOptions()
            $0.options?.proxies = settings
        }
        #expect(body(harness.outcome(of: harness.add(TransferRequest(url: "http://h.example/x")))) == "proxy")
        #expect(body(harness.outcome(of: harness.add(TransferRequest(url: server.url("/x"))))) == "direct")
        let own = request(server.url("/x")) { $0.proxies = ProxySettings() }
        #expect(body(harness.outcome(of: harness.add(own))) == "direct")
    }

    @Test("A SOCKS proxy looks names up and gets the password; with plain SOCKS 5 this side looks them up")
    func socks() throws {
        let harness = try EngineHarness()
        server.setRoute("/x", .respond(.text("socks")))
        let tunnel = try LoopbackTunnel(to: server.port)
        let proxy = try Proxy("socks5h://me:secret@127.0.0.1:\(tunnel.port)")
        let named = request("http://nowhere.invalid/x") { $0.proxies = ProxySettings(proxy) }
        #expect(body(harness.outcome(of: harness.add(named))) == "socks")
        let local = try request("http://nowhere.invalid/x") {
            $0.proxies = ProxySettings(try Proxy("socks5://127.0.0.1:\(tunnel.port)"))
            $0.connections = [
                ConnectionEndpoint(host: "nowhere.invalid", port: 80, target: "127.0.0.9", isAddressOnly: true)
            ]
        }
        #expect(body(harness.outcome(of: harness.add(local))) == "socks")
        #expect(tunnel.requests == ["nowhere.invalid me:secret", "127.0.0.9"])
    }

    @Test(
        "What a SOCKS proxy refuses is said as it is, and a password that it does not take is not tried again",
        arguments: [
            (
                "nobody", "", SessionError.Code.authenticationRequired,
                "Proxy authentication required by proxy socks5h://"
            ),
            ("password", "me:secret@", .authenticationRequired, "Proxy authentication required by proxy socks5h://"),
            ("5", "", .connectionRefused, TransportErrors.refusedToProxy("h.example")),
            ("4", "", .networkUnreachable, "to h.example"),
            ("2", "", .connectionRefused, "Connections to h.example forbidden by "),
            ("1", "", .connectionRefused, "Could not connect to h.example through "),
        ])
    func refusedSocks(refusal: String, user: String, code: SessionError.Code, sentence: String) throws {
        let harness = try EngineHarness { $0.maximumRetries = code == .authenticationRequired ? 5 : 0 }
        let tunnel = try LoopbackTunnel(to: 1, refusing: refusal)
        let proxy = ProxySettings(try Proxy("socks5h://\(user)127.0.0.1:\(tunnel.port)"))
        let error = harness.outcome(of: harness.add(request("http://h.example/") { $0.proxies = proxy }))?.error
        #expect(error?.code == code)
        #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "no error")")
        #expect(error?.message.contains("secret") == false)
    }

    @Test("A name that this side looks up for a SOCKS proxy is said not to be known here")
    func unknownBehindSocks() throws {
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        let tunnel = try LoopbackTunnel(to: 1)
        let proxy = ProxySettings(try Proxy("socks5://127.0.0.1:\(tunnel.port)"))
        let error = harness.outcome(of: harness.add(request("http://nowhere.invalid/") { $0.proxies = proxy }))?.error
        #expect(error?.code == .unknownHost && error?.message.hasPrefix("Could not resolve nowhere.invalid;") == true)
    }

    @Test(
        "A proxy that refuses a tunnel is named, without its password, and is not asked again", arguments: [407, 403])
    func refusedTunnel(status: Int) throws {
        let harness = try EngineHarness()
        let answer = "HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n"
        let tunnel = try LoopbackTunnel(to: 1, refusing: answer)
        let proxy = ProxySettings(try Proxy("http://me:secret@127.0.0.1:\(tunnel.port)"))
        let error = harness.outcome(of: harness.add(request("https://h.example/") { $0.proxies = proxy }))?.error
        #expect(error?.statusCode == status && error?.message.contains("http://127.0.0.1:\(tunnel.port)") == true)
        #expect(error?.message.contains("secret") == false && tunnel.requests.count == 1)
        #expect(tunnel.requests[0].hasPrefix("CONNECT h.example:443 "))
        #expect(!tunnel.requests[0].contains("X-Own"))
    }

    @Test("Another place is connected to, and the server still hears the URL's host")
    func places() throws {
        let harness = try EngineHarness()
        server.setRoute("/x", .respond(.text("place")))
        for isAddressOnly in [true, false] {
            let endpoint = ConnectionEndpoint(
                host: "h.example", port: Int(server.port), target: "127.0.0.1", isAddressOnly: isAddressOnly)
            let moved = request("http://h.example:\(server.port)/x") {
                $0.connections = [endpoint]
                $0.interface = "lo"
                $0.addressFamily = .ipv4
            }
            #expect(body(harness.outcome(of: harness.add(moved))) == "place")
        }
        #expect(server.requests.allSatisfy { $0.headers["Host"] == "h.example:\(server.port)" })
    }

    @Test("Another place is connected to whether its source or its target has an address, in either order")
    func placesWithAddresses() throws {
        let harness = try EngineHarness()
        server.setRoute("/x", .respond(.text("place")))
        let port = Int(server.port)
        let toName = ConnectionEndpoint(host: "h.example", port: 80, target: "other.invalid", targetPort: port)
        let toAddress = ConnectionEndpoint(host: "h.example", port: 80, target: "127.0.0.1", targetPort: port)
        func address(_ host: String, _ port: Int, _ target: String) -> ConnectionEndpoint {
            ConnectionEndpoint(host: host, port: port, target: target, isAddressOnly: true)
        }
        for places in [
            [toName, address("other.invalid", port, "127.0.0.1")], [toAddress, address("h.example", 80, "127.0.0.9")],
        ] {
            for connections in [places, places.reversed()] {
                let moved = request("http://h.example/x") { $0.connections = connections }
                #expect(moved.options?.route(to: moved.url) == "127.0.0.1:\(port)")
                #expect(body(harness.outcome(of: harness.add(moved))) == "place")
            }
        }
    }

    @Test("Of several addresses the next one is tried at once where nobody answers at one")
    func furtherPlaces() throws {
        let harness = try EngineHarness()
        server.setRoute("/x", .respond(.text("place")))
        // Nobody listens on this port at the first two.
        let endpoint = ConnectionEndpoint(
            host: "h.example", port: Int(server.port), target: "127.0.0.2", isAddressOnly: true,
            furtherTargets: ["[::1]", "127.0.0.1"])
        let moved = request("http://h.example:\(server.port)/x") { $0.connections = [endpoint] }
        #expect(body(harness.outcome(of: harness.add(moved))) == "place")
        let nowhere = request("http://h.example:\(server.port)/x") {
            $0.connections = [endpoint]
            $0.connections[0].furtherTargets.removeLast()
        }
        #expect(harness.outcome(of: harness.add(nowhere))?.error?.code == .connectionRefused)
    }

    @Test("SOCKS 4 gets an address and 4a a name, and a request by IPv6 alone does not go to IPv4")
    func olderSocks() throws {
        let harness = try EngineHarness()
        server.setRoute("/x", .respond(.text("socks")))
        let tunnel = try LoopbackTunnel(to: server.port)
        for (scheme, host) in [("socks4", "127.0.0.1"), ("socks4a", "nowhere.invalid")] {
            let proxy = try Proxy("\(scheme)://me@127.0.0.1:\(tunnel.port)")
            let named = request("http://\(host)/x") { $0.proxies = ProxySettings(proxy) }
            #expect(body(harness.outcome(of: harness.add(named))) == "socks")
        }
        #expect(tunnel.requests == ["127.0.0.1 me", "nowhere.invalid me"])
        let endpoint = ConnectionEndpoint(host: "", port: nil, target: "127.0.0.1")
        let other = request(server.url("/x")) {
            $0.addressFamily = .ipv6
            $0.connections = [endpoint]
        }
        #expect(harness.outcome(of: harness.add(other))?.error != nil)
    }

    @Test("Each host that a redirect leads to gets what is known for it, and no other's", arguments: [true, false])
    func ofHosts(isKnown: Bool) throws {
        let harness = try EngineHarness()
        let other = LoopbackServer()
        try other.start()
        let place = "http://localhost:\(other.port)/end"
        server.setRoute("/x", .redirect(to: place))
        other.setRoute("/end", .respond(.text("end")))
        let logins = ["localhost": HostCredentials.Login(user: "me", password: "secret")]
        let end = harness.outcome(
            of: harness.add(
                request(server.url("/x")) {
                    $0.connections = [ConnectionEndpoint(host: "", port: nil, target: "127.0.0.1")]
                    $0.credentials = RequestCredentials(user: "first", password: "own")
                    $0.hostCredentials = HostCredentials(
                        isKnown ? logins : [:], scheme: .basic, first: server.url("/x"))
                }))
        #expect(body(end) == "end")
        #expect(other.requests.map { $0.headers["Authorization"] } == [isKnown ? "Basic bWU6c2VjcmV0" : nil])
        #expect(HostCredentials(logins, scheme: .basic, first: "https://h/").credentials(for: place) == nil)
    }

    @Test("Basic is shown at once, to the server of the URL alone")
    func basic() throws {
        let harness = try EngineHarness()
        let other = LoopbackServer()
        try other.start()
        other.setRoute("/back", .redirect(to: server.url("/end")))
        server.setRoute("/x", .redirect(to: other.url("/back")))
        server.setRoute("/end", .respond(.text("end")))
        let end = harness.outcome(
            of: harness.add(
                request(server.url("/x")) { $0.credentials = RequestCredentials(user: "me", password: "secret") }))
        #expect(body(end) == "end")
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Basic bWU6c2VjcmV0", nil])
        #expect(other.requests.map { $0.headers["Authorization"] } == [nil])
    }

    @Test(
        "A server that asks for Digest gets it; with Digest alone nothing is shown in clear", arguments: [true, false])
    func digest(isAlone: Bool) throws {
        let harness = try EngineHarness()
        let challenge = #"Digest realm="r", nonce="n", qop="auth", algorithm=MD5"#
        server.setRoute("/x") { request in
            guard request.headers["Authorization"]?.hasPrefix("Digest ") == true else {
                var refusal = ScriptedResponse.text("no", status: 401)
                refusal.headers["WWW-Authenticate"] = challenge
                return refusal
            }
            return .text("in")
        }
        let scheme: RequestCredentials.Scheme = isAlone ? .digest : .basic
        let own = request(server.url("/x")) {
            $0.credentials = RequestCredentials(user: "me", password: "secret", scheme: scheme)
        }
        #expect(body(harness.outcome(of: harness.add(own))) == "in")
        #expect((server.requests[0].headers["Authorization"] == nil) == isAlone && server.requests.count == 2)
    }

    @Test("A password that is refused is shown once")
    func refusedPassword() throws {
        let harness = try EngineHarness()
        server.setRoute("/x") { _ in
            var refusal = ScriptedResponse.text("no", status: 401)
            refusal.headers["WWW-Authenticate"] = #"Digest realm="r", nonce="n", qop="auth", Basic realm="r""#
            return refusal
        }
        let own = request(server.url("/x")) { $0.credentials = RequestCredentials(user: "me", password: "secret") }
        let end = harness.outcome(of: harness.add(own))
        #expect(end?.head?.statusCode == 401 && server.requests.count == 2)
    }

    @Test("A cookie that a login sets goes along with the redirect, and not to another server")
    func cookies() throws {
        let harness = try EngineHarness()
        let other = LoopbackServer()
        try other.start()
        other.setRoute("/x", .respond(.text("other")))
        server.setRoute("/login", Behaviour.redirect(to: server.url("/in")).header("Set-Cookie", "sid=1; Path=/"))
        server.setRoute("/in") { .text($0.headers["Cookie"] ?? "none") }
        let jar = CookieJar { 1_000 }
        var login = request(server.url("/login")) { $0.cookies = jar }
        login.headers["Cookie"] = "own=2"
        #expect(body(harness.outcome(of: harness.add(login))) == "sid=1; own=2")
        #expect(body(harness.outcome(of: harness.add(request(other.url("/x")) { $0.cookies = jar }))) == "other")
        // Both are 127.0.0.1, whose cookies do not ask for the port.
        #expect(other.requests.map { $0.headers["Cookie"] } == ["sid=1"])
        let elsewhere = "http://localhost:\(other.port)/x"
        #expect(body(harness.outcome(of: harness.add(request(elsewhere) { $0.cookies = jar }))) == "other")
        #expect(other.requests.last?.headers["Cookie"] == nil)
    }

    @Test("A cookie for a domain goes from the host of a login to another host of it, and no further")
    func cookiesOfDomain() throws {
        let harness = try EngineHarness()
        let jar = CookieJar { 1_000 }
        let port = Int(server.port)
        func end(_ host: String, _ path: String) -> String? {
            let id = harness.add(
                request("http://\(host):\(port)\(path)") { options in
                    options.cookies = jar
                    options.connections = [
                        ConnectionEndpoint(host: host, port: port, target: "127.0.0.1", isAddressOnly: true)
                    ]
                })
            return body(harness.outcome(of: id))
        }
        server.setRoute(
            "/login", Behaviour.respond(.text("in")).header("Set-Cookie", "sid=1; Path=/; Domain=example.com"))
        server.setRoute("/in") { .text($0.headers["Cookie"] ?? "none") }
        #expect(end("login.example.com", "/login") == "in")
        #expect(end("files.example.com", "/in") == "sid=1")
        #expect(end("example.org", "/in") == "none")
    }

    @Test("A transfer that takes longer than it may fails, and is not tried again")
    func timeLimit() throws {
        let harness = try EngineHarness()
        let gate = try server.gate(named: "never")
        server.setRoute("/x", Behaviour.respond(.text("late")).waiting(for: gate))
        let id = harness.add(request(server.url("/x")) { $0.timeLimit = 2 })
        let error = harness.outcome(of: id)?.error
        #expect(error?.code == .timedOut && error?.message.hasPrefix(TransportErrors.timeLimit("2")) == true)
        #expect(server.waitForRequests(count: 1) && server.requests.count == 1)
    }

    @Test("A socket of this machine stands for every server")
    func localSocket() throws {
        let harness = try EngineHarness()
        let local = try LocalSocketServer(path: harness.folder.path + "/socket")
        let id = harness.add(request("http://nowhere.invalid/x") { $0.unixSocket = local.path })
        let end = harness.outcome(of: id)
        #expect(end?.error == nil && body(end) == "here")
    }

    @Test("A form goes out with its length, and files in it as they are")
    func form() throws {
        let harness = try EngineHarness()
        _ = try harness.folder.write("content\r\n--", to: "part")
        var form = MultipartForm([
            .init(name: "a\"b", content: .bytes(Array("1".utf8))),
            .init(
                name: "f", content: .file(path: harness.folder.path + "/part"), fileName: "part", contentType: "text/x"),
        ])
        form.boundary = "line"
        server.setRoute("/x", .echo)
        var own = TransferRequest(url: server.url("/x"), method: "POST", body: form.body)
        own.headers["Content-Type"] = form.contentType
        #expect(harness.outcome(of: harness.add(own))?.error == nil)
        let sent = try #require(server.requests.first)
        let expected =
            "--line\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1\r\n"
            + "--line\r\nContent-Disposition: form-data; name=\"f\"; filename=\"part\"\r\nContent-Type: text/x\r\n\r\n"
            + "content\r\n--\r\n--line--\r\n"
        #expect(String(decoding: sent.bodyPrefix, as: UTF8.self) == expected)
        #expect(sent.headers["Content-Length"] == String(expected.utf8.count))
    }
}

import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Digest with a server that checks it.
@Suite("Digest on the wire", .timeLimit(.minutes(1)))
struct EngineDigestTests {
    private let server = LoopbackServer()

    init() throws { try server.start() }

    /// What a server asks with, and how it checks the answer.
    struct Guard: Sendable {
        var algorithm = "MD5"
        var qop: String? = "auth"
        var others: [String] = []
        var body: [UInt8] = []
        /// How often a number of the server's may be used.
        var uses = Int.max

        fileprivate func challenge(_ nonce: Int, isStale: Bool) -> String {
            "Digest realm=\"r\", nonce=\"\(nonce)\", algorithm=\(algorithm)" + (qop.map { ", qop=\"\($0)\"" } ?? "")
                + (isStale ? ", stale=true" : "")
        }

        private func hash(_ text: some Sequence<UInt8>) -> String {
            let kind: Checksum.Algorithm = algorithm.hasPrefix("SHA-256") ? .sha256 : .md5
            return (try? Digest.of(text, kind)).map { ByteText.hexadecimal($0) } ?? "?"
        }

        /// Whether a request's field is right, as RFC 7616, 3.4 says.
        fileprivate func admits(_ field: String, _ request: RecordedRequest, nonce: Int) -> Bool {
            let parts = AuthenticationOffer.parse(field).first?.parameters ?? [:]
            guard parts["username"] == "me", parts["realm"] == "r", parts["uri"] == request.target else { return false }
            var secret = hash("me:r:secret".utf8)
            if algorithm.hasSuffix("-sess") { secret = hash("\(secret):\(nonce):\(parts["cnonce"] ?? "")".utf8) }
            var action = "\(request.method):\(request.target)"
            if parts["qop"] == "auth-int" { action += ":" + hash(body) }
            let use = parts["qop"].map { "\(parts["nc"] ?? ""):\(parts["cnonce"] ?? ""):\($0):" } ?? ""
            return (parts["qop"] == nil) == (qop == nil) && parts["nonce"] == "\(nonce)"
                && parts["response"] == hash("\(secret):\(nonce):\(use)\(hash(action.utf8))".utf8)
        }
    }

    private func serve(_ rules: Guard, at path: String) {
        struct State {
            var nonce = 0
            var uses = 0
        }
        let state = Locked(State())
        server.setRoute(
            path,
            .choosing { request in
                state.withLock { state -> Behaviour in
                    let field = request.header("Authorization") ?? ""
                    var isStale = false
                    if rules.admits(field, request, nonce: state.nonce) {
                        state.uses += 1
                        if state.uses <= rules.uses { return .uploadSink() }
                        isStale = true
                    }
                    state = State(nonce: state.nonce + 1)
                    var refusal = ScriptedResponse.text("no", status: 401)
                    for other in rules.others { refusal.headers.append("WWW-Authenticate", other) }
                    refusal.headers.append(
                        "WWW-Authenticate", rules.challenge(state.nonce, isStale: isStale))
                    return .respond(refusal)
                }
            })
    }

    private static let body = Array("a body".utf8)

    private func named(_ path: String) -> String { server.url(path).replacing("http://", with: "http://me:secret@") }

    @Test("A name and a password in a URL answer Digest, and are never shown as Basic where Digest was chosen")
    func named() throws {
        serve(Guard(), at: "/x")
        let harness = try EngineHarness()
        let id = harness.add(TransferRequest(url: named("/x")))
        #expect(harness.outcome(of: id)?.head?.statusCode == 201)
        var chosen = TransferRequest(url: named("/x"))
        chosen.options = RequestOptions()
        chosen.options?.credentials = RequestCredentials(user: "me", password: "secret", scheme: .digest)
        #expect(harness.outcome(of: harness.add(chosen))?.head?.statusCode == 201)
        let shown = server.requests.map { $0.header("Authorization").map { String($0.prefix(6)) } }
        #expect(shown == ["Basic ", "Digest", nil, "Digest"])
    }

    @Test("What stands in a URL is shown once, and a request's own field goes before it", arguments: [nil, "Bearer t"])
    func basic(own: String?) throws {
        server.setRoute("/x", .respond(.text("in")))
        let harness = try EngineHarness()
        var request = TransferRequest(url: named("/x").replacing("secret", with: "s%3Acret"))
        if let own { request.headers["Authorization"] = own }
        #expect(harness.outcome(of: harness.add(request))?.error == nil)
        #expect(server.requests.map { $0.header("Authorization") } == [own ?? "Basic bWU6czpjcmV0"])
    }

    @Test(
        "The place that is signed is the one that is sent",
        arguments: [
            ("/caf\u{E9}", "/caf%C3%A9"), ("/x?q=\u{E4}", "/x"), ("/caf%c3%a9", "/caf%c3%a9"), ("/a/../b", "/b"),
            ("/a(b)+c", "/a(b)+c"), ("/p?", "/p"), ("/x?a=b%20c#f", "/x"),
        ])
    func signedPlace(path: String, route: String) throws {
        let rules = Guard()
        server.setRoute(
            route,
            .choosing { request in
                rules.admits(request.header("Authorization") ?? "", request, nonce: 1)
                    ? .uploadSink()
                    : .respond(ScriptedResponse(401, headers: ["WWW-Authenticate": rules.challenge(1, isStale: false)]))
            })
        let harness = try EngineHarness()
        #expect(harness.outcome(of: harness.add(TransferRequest(url: named(path))))?.head?.statusCode == 201)
    }

    @Test(
        "A server that checks lets in who answers as it asks",
        arguments: [
            Guard(), Guard(algorithm: "SHA-256"), Guard(algorithm: "MD5-sess"), Guard(algorithm: "SHA-256-sess"),
            Guard(qop: nil), Guard(qop: "auth-int", body: body),
            Guard(algorithm: "SHA-256-sess", qop: "auth-int", body: body),
            Guard(
                algorithm: "SHA-256",
                others: ["Newauth realm=\"x\", Digest realm=\"r\", nonce=\"x\", algorithm=SHA-9, qop=auth"]),
        ])
    func allows(_ rules: Guard) throws {
        let harness = try EngineHarness()
        serve(rules, at: "/door")
        var request = TransferRequest(url: server.url("/door?a=b"), method: "PUT", body: .bytes(Self.body))
        request.options = RequestOptions()
        request.options?.credentials = RequestCredentials(user: "me", password: "secret", scheme: .digest)
        #expect(harness.outcome(of: harness.add(request))?.head?.statusCode == 201)
        try #require(server.waitForFinishedRequests(count: 2))
        #expect(server.requests.map(\.status) == [401, 201])
    }

    @Test("A number that was stale is renewed when a download goes on, and not for ever")
    func stale() throws {
        let harness = try EngineHarness { $0.maximumRetries = 2 }
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "me", password: "secret", scheme: .digest)
        // One answer that is cut, so that the number is used up when the file is gone on with.
        let rules = Guard(uses: 1)
        let (nonce, uses) = (Locked(0), Locked(0))
        server.setRoute(
            "/file",
            .choosing { request in
                let isRight = rules.admits(request.header("Authorization") ?? "", request, nonce: nonce.withLock { $0 })
                let use = uses.withLock { uses in
                    if isRight { uses += 1 }
                    return uses
                }
                let file = Behaviour.file(seed: 4, count: 900_000)
                if isRight, use == 1 { return file.cutting(after: 400_000) }
                if isRight, use == 3 { return file }
                let fresh = nonce.withLock { nonce in
                    nonce += 1
                    return nonce
                }
                var refusal = ScriptedResponse.text("no", status: 401)
                refusal.headers["WWW-Authenticate"] = rules.challenge(fresh, isStale: isRight)
                return .respond(refusal)
            })
        var request = TransferRequest(url: server.url("/file"))
        request.options = options
        let id = harness.add(
            request, kind: .download,
            sink: .file(DownloadTarget(folder: harness.folder.path, name: .fixed("file"))))
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 4, count: 900_000).bytes)
        try #require(server.waitForFinishedRequests(count: 4))
        #expect(server.requests.map(\.status) == [401, 200, 401, 206])

        serve(Guard(uses: 0), at: "/never")
        var never = TransferRequest(url: server.url("/never"))
        never.options = options
        #expect(harness.outcome(of: harness.add(never))?.head?.statusCode == 401)
        #expect(server.requests(for: "/never").count == 5)
    }
}

import Foundation
import LoopbackServer
import Testing

/// A story with every kind of secret, and a look for each of them wherever something was written or sent.
@Suite("Secrets are nowhere but where they belong", .timeLimit(.minutes(1)))
struct SecretSearchTests {
    /// What stands for each secret: no other text of a run contains these.
    private static let secrets = [
        "PassOfUser", "PassOfDigest", "TokenOfBearer", "ValueOfCookie", "SignOfURL", "PassOfProxy", "PassInURL",
        "MemberOfJSON", "PlaceOfSecret",
    ]

    /// How a secret may look where it was written down after all: in itself, and in the field of Basic.
    private static var traces: [String] {
        let pairs = ["me:PassOfUser", "me:PassOfProxy", "me:PassInURL", "me:PassOfDigest", "me:PlaceOfSecret"]
        // The end of a text depends on its length in Base64; what stands before it does not.
        return secrets + pairs.map { String(Data($0.utf8).base64EncodedString().dropLast(4)) }
    }

    private func expectClean(_ text: String, _ source: String) {
        for trace in Self.traces where text.contains(trace) {
            Issue.record("\(trace) stands in \(source): \(text.prefix(2_000))")
        }
    }

    /// Expects no secret in any file below a folder, but for those that the test has written.
    private func expectCleanFiles(below folder: ScratchFolder, except own: Set<String>) throws {
        let files = try #require(FileManager.default.enumerator(atPath: folder.path))
        var count = 0
        for case let name as String in files where !own.contains(name) {
            guard let data = FileManager.default.contents(atPath: folder.path(of: name)) else { continue }
            count += 1
            expectClean(String(decoding: data, as: UTF8.self), name)
            expectClean(name, "a file's name")
        }
        #expect(count > 5, "there has to be something to look at")
    }

    private func list(_ server: LoopbackServer, _ away: String) -> String {
        let withPassword = server.url("/in-url").replacing("http://", with: "http://me:PassInURL@")
        return """
            \(server.url("/basic"))
             user=me:PassOfUser
            \(server.url("/digest"))
             user=me:PassOfDigest
             digest=yes
            \(server.url("/bearer"))
             bearer=TokenOfBearer
            \(server.url("/place"))
             user=me:@env:SECRET
            \(server.url("/cookie"))
             cookie=sid=ValueOfCookie
            \(server.url("/signed"))?X-Amz-Credential=key&X-Amz-Signature=SignOfURL
            \(withPassword)
            \(server.url("/away"))
             user=me:PassOfUser
             header=Authorization: Bearer TokenOfBearer
             cookie=sid=ValueOfCookie
            http://proxied.example/file
             proxy=http://127.0.0.1:\(server.port)
             proxy-user=me:PassOfProxy
            \(server.url("/missing"))?token=SignOfURL
             bearer=TokenOfBearer
            \(server.url("/json"))
             kind=data
             json-body={"password": "MemberOfJSON"}
            \(away)
             user=me:PassOfUser
             proxy-user=me:PassOfProxy
             proxy=http://127.0.0.1:1

            """
    }

    @Test(
        "No output, log, hook, saved session or list of failures has one, and no other server hears one",
        arguments: ["--json", "--plain"])
    func story(style: String) async throws {
        let folder = try ScratchFolder()
        let other = try Served.start(["/*": .respond(.text("other"))])
        let server = try Served.start(["/*": .respond(.text("here"))])
        server.setRoute("/missing", .respond(.text("no", status: 404)))
        server.setRoute("/away", .redirect(to: "http://localhost:\(other.port)/landing"))
        let challenge = #"Digest realm="r", nonce="n", qop="auth""#
        var refusal = ScriptedResponse.text("no", status: 401)
        refusal.headers["WWW-Authenticate"] = challenge
        let refused = Behaviour.respond(refusal)
        server.setRoute(
            "/digest", .choosing { $0.header("Authorization") == nil ? refused : .respond(.text("in")) })
        try folder.write(list(server, try Served.refusedURL()), to: "list")
        let hook = "(cat; env | grep NETDASH; tr '\\0' ' ' < /proc/self/cmdline) >> hook.txt"
        let words = [
            style, "--retries", "0", "--session", "story", "--log", "log", "--log-level", "debug", "--failed-to",
            "failed", "--on-complete", hook, "--on-error", hook, "-d", "files", "-i", "list",
        ]
        let result = try await ProgramRun.finished(
            words, in: folder,
            environment: ["SECRET": "PlaceOfSecret", "XDG_STATE_HOME": folder.path(of: "state")])
        #expect(result.status != 0 && result.status < 100, "two of them fail: \(result.messages)")
        // The secrets were used where they belong, or there would be nothing to hide.
        let sent = server.requests.map { request in
            request.target + request.headers.map { $0.name + ": " + $0.value }.joined()
        }.joined()
        for used in ["TokenOfBearer", "ValueOfCookie", "SignOfURL", Data("me:PassOfUser".utf8).base64EncodedString()] {
            #expect(sent.contains(used), "\(used) was not sent")
        }
        #expect(sent.contains(Data("me:PassOfProxy".utf8).base64EncodedString()))
        #expect(sent.contains(Data("me:PlaceOfSecret".utf8).base64EncodedString()))
        #expect(!sent.contains("PassOfDigest") && sent.contains("username=\"me\""))

        expectClean(result.text, "standard output")
        expectClean(result.messages, "standard error")
        #expect(folder.bytes(of: "hook.txt")?.isEmpty == false && folder.bytes(of: "log")?.isEmpty == false)
        #expect(folder.bytes(of: "failed")?.isEmpty == false)
        try expectCleanFiles(below: folder, except: ["list"])
        #expect(!other.requests.isEmpty)
        for request in other.requests {
            let fields = request.headers.map { $0.name + ": " + $0.value }.joined(separator: "\n")
            expectClean(request.target + "\n" + fields, "another origin")
        }
    }
}

import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Names and passwords in the URLs of mirrors and redirects: they are shown by the scheme that was asked for.
@Suite("Names in URLs of mirrors and redirects", .timeLimit(.minutes(1)))
struct NamedSourceTests {
    private let first = LoopbackServer()
    private let second = LoopbackServer()
    private let harness: EngineHarness
    private static let count: Int64 = 3 << 20
    private let resource = ServedResource(seed: 7, count: count)

    init() throws {
        for server in [first, second] { try server.start() }
        harness = try EngineHarness { $0.maximumRetries = 1 }
    }

    private func named(_ server: LoopbackServer) -> String {
        server.url("/file").replacing("http://", with: "http://me:secret@")
    }

    /// A server that admits nothing but Digest.
    private func guarded(_ behaviour: Behaviour) -> Behaviour {
        .choosing { request in
            if request.header("Authorization")?.hasPrefix("Digest ") == true { return behaviour }
            return .respond(
                ScriptedResponse(
                    401, headers: ["WWW-Authenticate": #"Digest realm="r", nonce="n", qop="auth", algorithm=MD5"#]))
        }
    }

    private func options(_ scheme: RequestCredentials.Scheme?, hasUser: Bool) -> RequestOptions {
        var options = RequestOptions()
        options.urlScheme = scheme
        if hasUser { options.credentials = RequestCredentials(user: "own", password: "pw", scheme: scheme ?? .basic) }
        return options
    }

    private func add(_ url: String, _ options: RequestOptions, mirrors: [String] = []) -> TransferID {
        var request = TransferRequest(url: url)
        request.options = options
        var target = DownloadTarget(folder: harness.folder.path, name: .fixed("file"))
        target.segmentation = Segmentation(connections: .exactly(2), minimumSegment: 64 << 10)
        if !mirrors.isEmpty { target.mirrors = Mirrors(urls: mirrors) }
        return harness.add(request, kind: .download, sink: .file(target))
    }

    /// The first words of what a server was shown, without those that say the same again.
    private func shown(_ server: LoopbackServer) -> [String] {
        server.requests.map { $0.header("Authorization").map { String($0.prefix { $0 != " " }) } ?? "nothing" }
            .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    @Test("A mirror that takes the first one's place", arguments: [true, false])
    func turned(hasUser: Bool) throws {
        first.setRoute("/file", .respond(.text("no", status: 404)))
        second.setRoute("/file", guarded(.resource(resource)))
        let id = add(first.url("/file"), options(.digest, hasUser: hasUser), mirrors: [named(second)])
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(shown(second) == ["nothing", "Digest"] && shown(first) == ["nothing"])
    }

    @Test("A mirror that is compared with the first one and brings a part", arguments: [true, false])
    func compared(hasUser: Bool) throws {
        // Both stand still until the mirror brings a part.
        let (lead, part) = (try Gate(), try Gate())
        let file = Behaviour.resource(resource)
        first.setRoute("/file", file.limited(to: 1 << 20).stalling(after: 140_000, until: lead))
        second.setRoute("/file", guarded(file.stalling(after: 110_000, until: part)))
        let id = add(first.url("/file"), options(.digest, hasUser: hasUser), mirrors: [named(second)])
        harness.resume(id)
        #expect(part.waitForArrivals())
        for gate in [lead, part] { gate.release() }
        #expect(harness.outcome(of: id, resuming: false)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 7, count: Self.count).bytes)
        #expect(shown(second) == ["nothing", "Digest"])
        #expect(second.ended("/file").contains { ($0.status ?? 0) == 206 && $0.responseBodyBytesSent > 100_000 })
    }

    @Test("A redirect chooses no name and no password, and shows none", arguments: [true, false])
    func redirected(hasUser: Bool) throws {
        first.setRoute("/file", .respond(ScriptedResponse(302, headers: ["Location": named(second)])))
        second.setRoute("/file", guarded(.resource(resource)))
        #expect(harness.outcome(of: add(first.url("/file"), options(.digest, hasUser: hasUser)))?.error != nil)
        #expect(shown(second) == ["nothing"] && shown(first) == ["nothing"])
    }

    @Test("Where a ticket was asked for no name and no password is shown", arguments: [true, false])
    func ticket(isMirror: Bool) throws {
        first.setRoute(
            "/file",
            .respond(
                isMirror
                    ? .text("no", status: 404) : ScriptedResponse(302, headers: ["Location": named(second)])))
        second.setRoute("/file", guarded(.resource(resource)))
        var options = options(.negotiate, hasUser: false)
        options.credentials = .negotiate
        let id = add(first.url("/file"), options, mirrors: isMirror ? [named(second)] : [])
        #expect(harness.outcome(of: id)?.error != nil)
        #expect(shown(second) == ["nothing"])
    }

    @Test("Where Basic may be shown a mirror gets its own name, and never that of the first one")
    func basic() throws {
        first.setRoute("/file", .respond(.text("no", status: 404)))
        second.setRoute("/file", .resource(resource))
        let id = add(first.url("/file"), options(nil, hasUser: true), mirrors: [named(second)])
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(first.requests.first?.header("Authorization") == "Basic b3duOnB3")
        #expect(second.requests.first?.header("Authorization") == "Basic bWU6c2VjcmV0")
    }
}

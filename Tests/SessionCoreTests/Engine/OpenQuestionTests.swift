import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Questions that stay open while their transfer is paused, cancelled or begun again.
@Suite("Questions that are open", .timeLimit(.minutes(1)))
struct OpenQuestionTests {
    private let server = LoopbackServer()

    init() throws {
        try server.start()
    }

    private func add(
        _ path: String, to harness: EngineHarness, id: TransferID = .next(),
        sink: TransferDescription.Sink = .memory(limit: 1 << 20), asking questions: Questions = []
    ) -> TransferID {
        let isFile = if case .file = sink { true } else { false }
        return harness.add(
            TransferRequest(url: server.url(path)), kind: isFile ? .download : .data, sink: sink, id: id
        ) { $0.questions = questions }
    }

    private func target(_ harness: EngineHarness) -> TransferDescription.Sink {
        .file(DownloadTarget(folder: harness.folder.path, name: .fixed("file")))
    }

    private func waitForRedirect(_ harness: EngineHarness, _ id: TransferID, count: Int = 1) -> Bool {
        harness.wait(id) { events in
            events.count { if case .redirect = $0 { true } else { false } } >= count
        }
    }

    // MARK: - Redirects

    @Test("A download whose redirect is taken as the answer fails with the redirect's status")
    func refusedRedirect() throws {
        let harness = try EngineHarness()
        server.setRoute("/file", .redirect(to: "/else"))
        let id = add("/file", to: harness, sink: target(harness), asking: .redirect)
        harness.resume(id)
        #expect(waitForRedirect(harness, id))
        harness.engine.submit(.redirect(id, nil))
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error?.code == .http && outcome.error?.statusCode == 302)
        #expect(harness.folder.names.filter { $0 != "staging" } == [])
    }

    @Test("A part is not taken for the file when the redirect of a repetition is refused")
    func refusedRedirectOfARepetition() throws {
        let harness = try EngineHarness()
        server.setRoute(
            "/file",
            .sequence([
                .file(seed: 1, count: 900_000).framed(.chunked).cutting(after: 600_000, .reset),
                .redirect(to: "/else"),
            ]))
        let id = add("/file", to: harness, sink: target(harness), asking: .redirect)
        harness.resume(id)
        #expect(waitForRedirect(harness, id))
        harness.engine.submit(.redirect(id, nil))
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error?.statusCode == 302)
        #expect(outcome.filePath == nil && harness.folder.bytes(of: "file") == nil)
        #expect(outcome.resumeData?.partPath != nil)
    }

    @Test("A pause gives the slot away while the caller decides, and the answer is taken all the same")
    func slotDuringQuestion() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        server.setRoute("/old", .redirect(to: "/page"))
        server.setRoute("/page", .respond(.text("page")))
        let asked = add("/old", to: harness, asking: .redirect)
        harness.resume(asked)
        #expect(waitForRedirect(harness, asked))
        #expect(harness.suspendAndWait(asked))
        let other = add("/page", to: harness)
        #expect(try #require(harness.outcome(of: other)).error == nil)
        harness.engine.submit(.redirect(asked, TransferRequest(url: server.url("/page"))))
        let outcome = try #require(harness.outcome(of: asked))
        #expect(outcome.error == nil && outcome.body == Array("page".utf8))
    }

    @Test("A transfer that is resumed before the answer waits for a slot after it")
    func resumedDuringQuestion() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        let gate = try server.gate(named: "page")
        server.setRoute("/old", .redirect(to: "/page"))
        server.setRoute("/page", .respond(.text("page")).waiting(for: gate))
        let asked = add("/old", to: harness, asking: .redirect)
        harness.resume(asked)
        #expect(waitForRedirect(harness, asked))
        #expect(harness.suspendAndWait(asked))
        let other = add("/page", to: harness)
        harness.resume(other)
        #expect(server.waitForRequests(count: 2))
        harness.resume(asked)
        harness.engine.submit(.redirect(asked, TransferRequest(url: server.url("/page"))))
        #expect(
            harness.wait(asked) { events in
                if case .status(_, let status)? = events.last { status.phase == .queued } else { false }
            })
        #expect(server.requestCount == 2)
        gate.release()
        #expect(try #require(harness.outcome(of: other, resuming: false)).error == nil)
        #expect(harness.outcome(of: asked, resuming: false)?.body == Array("page".utf8))
    }

    @Test("A paused download that gave its connection up asks the original URL, because redirects expire")
    func redirectAfterAPause() throws {
        let harness = try EngineHarness()
        let gate = try server.gate(named: "rest")
        server.setRoute("/start", .sequence([.redirect(to: "/signed?by=1"), .redirect(to: "/signed?by=2")]))
        let first = Behaviour.file(seed: 1, count: 900_000).stalling(after: 500_000, until: gate)
        server.setRoute(
            "/signed", .choosing { $0.target.hasSuffix("by=1") ? first : .file(seed: 1, count: 900_000) })
        let id = harness.download(server.url("/start"))
        harness.resume(id)
        #expect(harness.waitForReceived(500_000, id))
        #expect(harness.suspendAndWait(id))
        harness.expireHold(id)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil, "\(String(describing: outcome.error))")
        #expect(harness.folder.bytes(of: "file") == DeterministicContent(seed: 1, count: 900_000).bytes)
        #expect(server.requests(for: "/start").count == 2)
        #expect(server.requests.map(\.target) == ["/start", "/signed?by=1", "/start", "/signed?by=2"])
        #expect(server.requests.last?.header("Range") == "bytes=499744-")
    }

    // MARK: - Responses

    @Test("An answer about a response that is gone says nothing about the next one")
    func lateDisposition() throws {
        let harness = try EngineHarness()
        server.setRoute("/page", .sequence([.respond(.text("first")), .respond(.text("second"))]))
        let id = add("/page", to: harness, asking: .disposition)
        harness.resume(id)
        let first = try #require(harness.dispositionQuestions(of: id).first)
        #expect(harness.suspendAndWait(id))
        harness.expireHold(id)
        harness.resume(id)
        let second = try #require(harness.dispositionQuestions(of: id, count: 2).last)
        harness.engine.submit(.disposition(id, .cancel, question: first))
        harness.engine.submit(.disposition(id, .allow, question: second))
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error == nil && outcome.body == Array("second".utf8))
    }

    @Test("A refusal that was to become a download fails as one, with its page")
    func refusalBecomesDownload() throws {
        let harness = try EngineHarness()
        server.setRoute("/gone", .respond(.text("it is gone for good", status: 404)))
        let id = add("/gone", to: harness, sink: .memory(limit: 4), asking: .disposition)
        harness.resume(id)
        let question = try #require(harness.dispositionQuestions(of: id).first)
        harness.engine.submit(.disposition(id, .becomeDownload, question: question))
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error?.statusCode == 404)
        #expect(outcome.body == Array("it is gone for good".utf8))
    }

    @Test(
        "A response becomes a download while it is paused, whatever happens to its connection",
        arguments: [false, true])
    func becomesDownloadDuringPause(expires: Bool) throws {
        let harness = try EngineHarness()
        server.setRoute("/file", .file(seed: 2, count: 300_000))
        let id = add("/file", to: harness, asking: .disposition)
        harness.resume(id)
        let question = try #require(harness.dispositionQuestions(of: id).first)
        #expect(harness.suspendAndWait(id))
        harness.engine.submit(.disposition(id, .becomeDownload, question: question))
        if expires { harness.expireHold(id) }
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        let path = try #require(outcome.filePath)
        #expect(FileManager.default.contents(atPath: path) == Data(DeterministicContent(seed: 2, count: 300_000).bytes))
    }

    // MARK: - Credentials

    @Test("An answer to a transfer that has ended says nothing to the next one with its number")
    func reusedNumber() throws {
        let harness = try EngineHarness()
        server.setRoute("/door", .guarded(authorization: "Basic x", .respond(.text("in"))))
        let replies = EventLog<@Sendable (EngineChallengeAnswer) -> Void>()
        func waitForChallenge(_ id: TransferID, count: Int) -> Bool {
            harness.wait(id) { events in
                let found = events.compactMap { event -> (@Sendable (EngineChallengeAnswer) -> Void)? in
                    if case .challenge(_, _, let reply) = event { reply } else { nil }
                }
                guard found.count >= count, let last = found.last else { return false }
                replies.add(last)
                return true
            }
        }
        let id = add("/door", to: harness, asking: .challenge)
        harness.resume(id)
        #expect(waitForChallenge(id, count: 1))
        harness.intent(.cancelled(keepsPart: false), id)
        #expect(harness.outcome(of: id, resuming: false)?.error?.code == .cancelled)
        _ = add("/door", to: harness, id: id, asking: .challenge)
        harness.resume(id)
        #expect(waitForChallenge(id, count: 2))
        replies.entries.first?(.cancel)
        replies.entries.last?(.performDefault)
        #expect(harness.wait(id) { $0.count(where: \.isEnd) == 2 })
        guard case .finished(_, let outcome, _)? = harness.events(of: id).last(where: \.isEnd) else {
            Issue.record("It did not end")
            return
        }
        #expect(outcome.error == nil && outcome.head?.statusCode == 401)
    }

    // MARK: - Parts

    @Test("A part that is given up while its transfer is being cancelled does not stay")
    func discardedLate() throws {
        let harness = try EngineHarness()
        let gate = try server.gate(named: "rest")
        server.setRoute("/file", .file(seed: 1, count: 900_000).stalling(after: 600_000, until: gate))
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(600_000, id))
        let disk = DispatchSemaphore(value: 0)
        harness.engine.run { core in core.storage.submit(key: id) { disk.wait() } }
        harness.intent(.cancelled(keepsPart: true), id)
        harness.intent(.cancelled(keepsPart: false), id)
        harness.engine.run { _ in disk.signal() }
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error?.code == .cancelled && outcome.resumeData == nil)
        #expect(harness.folder.names.filter { $0 != "staging" } == [])
    }
}

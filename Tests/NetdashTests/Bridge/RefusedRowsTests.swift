import Foundation
import Glibc
import LoopbackServer
import Testing

@testable import SessionCore
@testable import TransferService
@testable import netdash

/// Rows that a server has refused, while a command looks for another link or secret.
@Suite("Refused rows whose commands run", .timeLimit(.minutes(1)))
struct RefusedRowsTests {
    /// A service whose command for fresh links, or whose secret, waits for what the test writes.
    private struct Scene {
        let fixture: BridgeFixture
        let pipe: String

        init(asksForLink: Bool = true) throws {
            let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
            self.pipe = pipe
            for path in [pipe, pipe + ".later"] { try #require(mkfifo(path, 0o600) == 0) }
            // One for each question: a command that nobody heeds any more may still read.
            let command = "mkdir \(pipe).asked 2>/dev/null && cat \(pipe) || cat \(pipe).later"
            fixture = try BridgeFixture { if asksForLink { $0.service.expiryCommand = command } }
            fixture.server.setRoute("/old", .respond(.text("expired", status: 403)))
            fixture.server.setRoute("/new", .file(seed: 1, count: 10))
            fixture.server.setRoute(
                "/secret", .handler { $0.headers["X-Key"] == "right" ? .text("in") : .text("no", status: 401) })
        }

        var bridge: LocalService { fixture.bridge }

        func end() {
            fixture.end()
            for path in [pipe, pipe + ".later"] { unlink(path) }
            rmdir(pipe + ".asked")
        }

        /// Adds a job and waits until the command has been asked.
        func refused(_ job: Job) throws -> UInt64 {
            let id = try #require(bridge.add([job]).added.first)
            try #require(hears(id) { if case .notice = $0 { true } else { false } })
            return id
        }

        func hears(_ id: UInt64, _ isWanted: (TransferEvent.What) -> Bool) -> Bool {
            fixture.observer.wait { events in events.contains { $0.id == id && isWanted($0.what) } }
        }

        /// Waits until commands have been asked so often.
        func isAsked(_ count: Int) -> Bool {
            fixture.observer.wait { $0.count { if case .notice = $0.what { true } else { false } } >= count }
        }

        func state(_ id: UInt64) -> RowState? { bridge.figures(of: [id]).first?.state }

        /// A request whose secret the command prints; at first it is the wrong one.
        func secretJob() throws -> Job {
            let first = pipe + ".first"
            var job = fixture.job(.data, "/secret")
            let command = "@cmd:test -e \(first) && cat \(pipe) || { touch \(first); echo wrong; }"
            job.options.set(try JobOption.Value(checking: .secretHeader, "X-Key: " + command))
            return job
        }
    }

    private func write(_ text: String, to scene: Scene) throws { try write(text, to: scene.pipe) }

    private func write(_ text: String, to pipe: String) throws {
        let descriptor = open(pipe, O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        let count = Glibc.write(descriptor, text, text.utf8.count)
        #expect(count == text.utf8.count && close(descriptor) == 0)
    }

    @Test("It has not ended while the command runs: other tasks wait for it, and it is completed in the end")
    func unfinished() throws {
        let scene = try Scene()
        defer { scene.end() }
        var job = scene.fixture.job(.download, "/old")
        job.precedence = Precedence(name: "a")
        let id = try scene.refused(job)
        var next = scene.fixture.job(.download, "/new")
        (next.output, next.precedence) = (.name("next"), Precedence(after: ["a"]))
        let nextID = try #require(scene.bridge.add([next]).added.first)
        #expect(scene.state(id) == .queued && scene.bridge.results == [.unfinished, .unfinished])
        #expect(!scene.bridge.isIdle)
        try write(scene.fixture.server.url("/new") + "\n", to: scene)
        try #require(scene.fixture.observer.waitForEnds(2))
        #expect(scene.bridge.results == [.completed, .completed] && scene.bridge.isIdle)
        #expect(scene.state(nextID) == .done)
    }

    @Test("A pause holds it with its fresh link, and a resume lets it go on")
    func paused() throws {
        let scene = try Scene()
        defer { scene.end() }
        let id = try scene.refused(scene.fixture.job(.download, "/old"))
        scene.bridge.send(.pause([id]))
        #expect(scene.state(id) == .paused)
        try write(scene.fixture.server.url("/new") + "\n", to: scene)
        try #require(scene.hears(id) { if case .added(let task) = $0 { task.url.hasSuffix("/new") } else { false } })
        #expect(scene.state(id) == .paused && scene.fixture.server.requests(for: "/new").isEmpty)
        scene.bridge.send(.resume([id]))
        try #require(scene.fixture.observer.waitForEnds(1))
        #expect(scene.bridge.results == [.completed] && scene.bridge.isIdle)
    }

    @Test("A cancellation ends it at once, and the answer changes nothing")
    func cancelled() throws {
        let scene = try Scene()
        defer { scene.end() }
        let id = try scene.refused(scene.fixture.job(.download, "/old"))
        scene.bridge.send(.cancel([id], deletingParts: false))
        try #require(scene.fixture.observer.waitForEnds(1))
        #expect(scene.state(id) == .cancelled && scene.bridge.isIdle)
        try write(scene.fixture.server.url("/new") + "\n", to: scene)
        // The row may run again, and asks once more: the earlier answer was not for this run.
        scene.bridge.send(.resume([id]))
        try #require(scene.isAsked(2))
        #expect(scene.fixture.server.requests(for: "/new").isEmpty)
        try write(scene.fixture.server.url("/new") + "\n", to: scene.pipe + ".later")
        try #require(scene.fixture.observer.waitForEnds(2))
        #expect(scene.bridge.results == [.completed] && scene.bridge.isIdle)
    }

    /// What a user does with a task whose question has led to nothing.
    enum Further: CaseIterable { case resume, edit }

    @Test("A user's further try asks again", arguments: Further.allCases)
    func furtherTry(_ further: Further) throws {
        let scene = try Scene()
        defer { scene.end() }
        let id = try scene.refused(scene.fixture.job(.download, "/old"))
        try write("nonsense\n", to: scene)
        try #require(scene.fixture.observer.waitForEnds(1))
        switch further {
        case .resume: scene.bridge.send(.resume([id]))
        case .edit:
            let other = scene.fixture.job(.download, "/old?2")
            #expect(scene.bridge.send(.replace(id, with: other, over: nil)).refusals.isEmpty)
        }
        try #require(scene.isAsked(2))
        try write(scene.fixture.server.url("/new") + "\n", to: scene.pipe + ".later")
        try #require(scene.fixture.observer.waitForEnds(2))
        #expect(scene.bridge.results == [.completed])
    }

    @Test("A fresh link that is refused too fails the task, and leads to no further question")
    func refusedLink() throws {
        let scene = try Scene()
        defer { scene.end() }
        let id = try scene.refused(scene.fixture.job(.download, "/old"))
        try write(scene.fixture.server.url("/old?2") + "\n", to: scene)
        try #require(scene.fixture.observer.waitForEnds(1))
        #expect(scene.state(id) == .failed && scene.bridge.isIdle)
        #expect(scene.fixture.server.requests(for: "/old").count == 2)
    }

    @Test("A cancelled question about a secret is asked again when the task is resumed")
    func cancelledSecret() throws {
        let scene = try Scene(asksForLink: false)
        defer { scene.end() }
        let id = try scene.refused(try scene.secretJob())
        scene.bridge.send(.cancel([id], deletingParts: false))
        try #require(scene.fixture.observer.waitForEnds(1))
        try write("wrong\n", to: scene)
        scene.bridge.send(.resume([id]))
        try #require(scene.isAsked(2))
        try write("right\n", to: scene)
        try #require(scene.fixture.observer.waitForEnds(2))
        #expect(scene.bridge.results == [.completed] && scene.bridge.isIdle)
    }

    @Test("An edit takes its place at once, and the answer changes nothing")
    func edited() throws {
        let scene = try Scene()
        defer { scene.end() }
        let job = scene.fixture.job(.download, "/old")
        let id = try scene.refused(job)
        var other = scene.fixture.job(.download, "/new")
        other.output = .name("other")
        #expect(scene.bridge.send(.replace(id, with: other, over: nil)).refusals.isEmpty)
        try #require(scene.fixture.observer.waitForEnds(1))
        #expect(scene.bridge.results == [.completed] && scene.bridge.isIdle)
        try write("nonsense\n", to: scene)
    }

    @Test("A command without a link fails it, once")
    func failed() throws {
        let scene = try Scene()
        defer { scene.end() }
        let id = try scene.refused(scene.fixture.job(.download, "/old"))
        try write("nonsense\n", to: scene)
        try #require(scene.fixture.observer.waitForEnds(1))
        #expect(scene.state(id) == .failed && scene.bridge.isIdle)
        #expect(scene.fixture.observer.events.filter(\.isEnd).count == 1)
    }

    @Test("A secret that was renewed during a pause is sent when the row is resumed")
    func secret() throws {
        let scene = try Scene(asksForLink: false)
        defer { scene.end() }
        let id = try scene.refused(try scene.secretJob())
        #expect(scene.state(id) == .queued && scene.bridge.results == [.unfinished])
        scene.bridge.send(.pause([id]))
        #expect(scene.state(id) == .paused)
        scene.bridge.send(.resume([id]))
        #expect(scene.state(id) == .queued)
        try write("right\n", to: scene)
        try #require(scene.fixture.observer.waitForEnds(1))
        #expect(scene.bridge.results == [.completed] && scene.bridge.isIdle)
        #expect(scene.fixture.server.requests(for: "/secret").count == 2)
    }

    @Test("A secret that has not changed fails the row")
    func sameSecret() throws {
        let scene = try Scene(asksForLink: false)
        defer { scene.end() }
        let id = try scene.refused(try scene.secretJob())
        try write("wrong\n", to: scene)
        try #require(scene.fixture.observer.waitForEnds(1))
        #expect(scene.state(id) == .failed && scene.bridge.isIdle)
    }

    @Test("A program that ends meanwhile leaves it to the next run, which asks again")
    func laterRun() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        // One for each run: the command of the first one may still read when the next one asks.
        let pipes = ["first", "second"].map { fixture.folder.path + "/" + $0 }
        for pipe in pipes { try #require(mkfifo(pipe, 0o600) == 0) }
        fixture.server.setRoute("/old", .respond(.text("expired", status: 403)))
        fixture.server.setRoute("/new", .file(seed: 1, count: 10))
        var settings = Settings()
        settings.directory = fixture.folder.path
        func run(_ observer: EffectsObserver, asking pipe: String) throws -> LocalService {
            settings.service.expiryCommand = "cat \(pipe)"
            let bridge = LocalService(
                settings: settings.forService, printsBodies: false, observer: observer, session: "test",
                folder: fixture.folder.path + "/state")
            try #require(bridge.refusal == nil)
            _ = bridge.begin()
            return bridge
        }
        func isNotice(_ event: TransferEvent) -> Bool { if case .notice = event.what { true } else { false } }
        let (first, second) = (EffectsObserver(), EffectsObserver())
        let bridge = try run(first, asking: pipes[0])
        let id = try #require(bridge.add([Job(kind: .download, url: fixture.server.url("/old"))]).added.first)
        try #require(first.wait { $0.contains(where: isNotice) })
        let kept = try #require(try fixture.stored(by: bridge).first)
        #expect(kept.wanted == .running && !TransferRow(restoring: kept).isFinal)
        #expect(bridge.close().results == [.unfinished])
        try write("", to: pipes[0])

        let next = try run(second, asking: pipes[1])
        defer { _ = next.close() }
        try #require(second.wait { $0.contains(where: isNotice) })
        try write(fixture.server.url("/new") + "\n", to: pipes[1])
        try #require(second.waitForEnds(1))
        #expect(next.figures(of: [id]).map(\.state) == [.done] && next.isIdle)
    }
}

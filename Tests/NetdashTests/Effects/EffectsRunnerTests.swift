import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Effects and the demo", .timeLimit(.minutes(1)))
struct EffectsRunnerTests {
    /// Waits for messages until they are as wanted; false when that takes longer than twenty seconds.
    private func collect(from mailbox: Mailbox<Message>, until isWanted: ([Message]) -> Bool) -> Bool {
        var messages: [Message] = []
        let deadline = Date(timeIntervalSinceNow: 20)
        while !isWanted(messages), Date() < deadline {
            var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 1000) >= 0 else { return false }
            messages += mailbox.drain()
        }
        return isWanted(messages)
    }

    @Test("Adding a job leads to rows, its end to the last message, and leaving to the exit status")
    func runner() throws {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        server.setRoute("/api", .respond(.text("no\n", status: 404)))
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: true, log: nil)
        let bridge = LocalService(publisher: publisher)
        let runner = EffectRunner(service: bridge, publisher: publisher, patience: 20_000)
        _ = runner.perform([.send(.add([Job(kind: .data, url: server.url("/api"))]))])
        let hasEnded = collect(from: mailbox) { $0.contains(.allWorkEnded) }
        #expect(hasEnded)
        #expect(bridge.snapshots(of: [1]).first?.state == .failed)
        _ = runner.perform([.send(.clear([1]))])
        let isRemoved = collect(from: mailbox) { $0.contains(.removed([1])) }
        #expect(isRemoved)
        #expect(runner.close(unless: { false }) == 0)
    }

    @Test("A task whose file is missing is not added: its form comes back with the reason")
    func missingFile() throws {
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        let bridge = LocalService(publisher: publisher)
        let runner = EffectRunner(service: bridge, publisher: publisher, patience: 20_000)
        let job = Job(kind: .upload, url: "http://127.0.0.1:1/", body: .file(path: "/nonexistent/file"))
        let messages = runner.perform([.send(.add([job]))])
        guard case .edit(0, let refused, let problem) = messages.first else {
            Issue.record("the form should have come back: \(messages)")
            return
        }
        #expect(refused == job && problem?.string.contains("/nonexistent/file") == true)
        #expect(bridge.allSnapshots.isEmpty)
        #expect(runner.close(unless: { false }) == 0)
    }

    @Test("An edit that the service refuses comes back in its form with the reason")
    func refusedEdit() throws {
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        let bridge = LocalService(publisher: publisher)
        let runner = EffectRunner(service: bridge, publisher: publisher, patience: 20_000)
        var jobs = ["a", "b"].map { Job(kind: .download, url: "http://127.0.0.1:1/" + $0) }
        for index in jobs.indices { jobs[index].startsPaused = true }
        _ = runner.perform([.send(.add(jobs))])
        let refused = Message.edit(1, jobs[1], problem: SafeText(untrusted: ServiceErrors.pathTaken))
        #expect(runner.perform([.send(.replace(1, with: jobs[1]))]) == [refused])
        #expect(runner.close(unless: { false }) == 0)
    }

    @Test("A change of several tasks is told in one sentence, and no form opens for the ones that stay as they are")
    func amending() throws {
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        let bridge = LocalService(publisher: publisher)
        let runner = EffectRunner(service: bridge, publisher: publisher, patience: 20_000)
        var jobs = [Job(kind: .download, url: "http://127.0.0.1:1/a"), Job(kind: .data, url: "http://127.0.0.1:1/b")]
        for index in jobs.indices { jobs[index].startsPaused = true }
        _ = runner.perform([.send(.add(jobs))])
        let amendment = try JobAmendment("dir=~/isos", defaults: Job(kind: .download, url: ""))
        let messages = runner.perform([.send(.amend([1, 2], amendment))])
        #expect(
            messages.first
                == .toast("Changed 1 of 2 tasks · 1 not: dir is for downloads", isError: false))
        guard case .figures(let figures) = messages.last else {
            Issue.record("no figures: \(messages)")
            return
        }
        #expect(figures.map(\.id) == [1, 2] && messages.count == 2)
        let again = runner.perform([.send(.amend([1, 2], amendment))])
        #expect(again.first == .notAmended && again.count == 3)
        #expect(bridge.jobs(of: [1]).first?.directory == UserFolder.home() + "/isos")
        #expect(runner.close(unless: { false }) == 0)
    }

    @Test("A row that only moves is told in figures, and in whole when its phase changes or it ends")
    func figures() throws {
        let server = LoopbackServer()
        try server.start()
        defer { server.stop() }
        server.setRoute("/slow", Behaviour.file(count: 1 << 30).adjusting { $0.delivery.bytesPerSecond = 200_000 })
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 20, announcesEnd: true, log: nil)
        let bridge = LocalService(publisher: publisher)
        let runner = EffectRunner(service: bridge, publisher: publisher, patience: 20_000)
        var job = Job(kind: .download, url: server.url("/slow"))
        job.directory = folder.path
        _ = runner.perform([.send(.add([job]))])
        var (before, after): ([Message], [Message]) = ([], [])
        let hasMoved = collect(from: mailbox) { messages in
            before = messages
            return messages.contains { if case .figures(let rows) = $0 { rows[0].received > 0 } else { false } }
        }
        #expect(hasMoved)
        _ = runner.perform([.send(.cancel([1], deletingParts: true))])
        let hasEnded = collect(from: mailbox) { messages in
            after = messages
            return messages.contains(.allWorkEnded)
        }
        #expect(hasEnded)
        let states = (before + after).flatMap { message -> [RowState] in
            if case .rows(let rows) = message { rows.map(\.state) } else { [] }
        }
        #expect(states.contains(.running) && states.last == .cancelled, "\(states)")
        #expect(states.count < 10, "\(states)")
        #expect(runner.close(unless: { false }) == 0)
    }

    @Test("A log that could not be written decides about the status when nothing failed")
    func unwrittenLog() throws {
        let mailbox = try Mailbox<Message>()
        let log = try LogFile(path: "/dev/full", level: .info)
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: log)
        let bridge = LocalService(publisher: publisher)
        let runner = EffectRunner(service: bridge, publisher: publisher, patience: 20_000)
        var job = Job(kind: .data, url: "http://127.0.0.1:1/")
        job.startsPaused = true
        _ = runner.perform([.send(.add([job]))])
        #expect(runner.close(unless: { false }) == 3)
        #expect(runner.unwritten == UnwrittenReport(output: "/dev/full", errno: ENOSPC))
    }

    @Test("What lies where a download would go is told: a file, a folder that has the name, nothing")
    func places() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: folder.appendingPathComponent("a b.bin"))
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        let bridge = LocalService(publisher: publisher)
        let runner = EffectRunner(service: bridge, publisher: publisher, patience: 20_000)
        let found: [(String, DestinationInfo.Occupant?, String?)] = [
            ("a%20b.bin", .file, "a b (1).bin"), ("sub", .file, "sub (1)"), ("new", nil, nil),
        ]
        for (name, occupant, numbered) in found {
            var job = Job(kind: .download, url: "http://h/" + name + "?q#f")
            job.directory = folder.path
            _ = runner.perform([.lookUp(job)])
            let isAnswered = collect(from: mailbox) {
                $0.contains(.lookedUp(job, DestinationInfo(occupant: occupant, numberedName: numbered)))
            }
            #expect(isAnswered, "\(name)")
        }
        #expect(runner.close(unless: { false }) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a b.bin", "sub"])
    }

    @Test("The demo is right when the missing page fails and everything else completes")
    func judge() throws {
        let demo = try Demo()
        defer { demo.end() }
        #expect(demo.jobs.count == 12)
        #expect(Set(demo.jobs.map(\.kind)).count == 3)
        let missing = TransferFailure(kind: "http", category: .ordinary, message: "no", httpStatus: 404)
        let planned = demo.jobs.map { job -> TransferResult in
            job.url.hasSuffix("missing.pdf") || job.url.hasSuffix("nothing") ? .failed(missing) : .completed
        }
        #expect(demo.judge(planned) == .success)
        #expect(demo.judge(demo.jobs.map { _ in .completed }) == .taskFailed)
        #expect(demo.judge(demo.jobs.map { _ in .failed(missing) }) == .taskFailed)
    }
}

import Glibc
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Keys and a service that takes its time", .timeLimit(.minutes(1)))
struct PromptReplyTests {
    private let mailbox: Mailbox<Message>
    private let service = ScriptedService(
        rows: (1...3).map { RowSnapshot(id: $0, kind: .download, name: "f", url: "http://a.test/f") })
    private let publisher: RowPublisher

    init() throws {
        mailbox = try Mailbox<Message>()
        publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
    }

    @Test("What is there in time is returned and not posted; what comes later is posted")
    func inTime() {
        let posted = Locked<[Message]>([])
        let early = PromptReply { message in posted.withLock { $0.append(message) } }
        early.give([.terminate])
        #expect(early.take(within: 20_000) == [.terminate])
        #expect(posted.withLock { $0 } == [])
        let late = PromptReply { message in posted.withLock { $0.append(message) } }
        #expect(late.take(within: 0) == [])
        late.give([.terminate, .notSaved])
        #expect(posted.withLock { $0 } == [.terminate, .notSaved])
    }

    @Test("No key waits for a busy service: all that was asked of it is done in order, and told, when it is free")
    func busy() async throws {
        let opening = SessionOpening(service)
        let runner = EffectRunner(
            opening: opening, publisher: publisher, opener: FileOpener(), judge: { ExitCode.of($0) })
        service.isBusy = true
        // Each would wait for ever.
        for effect: Effect in [
            .send(.pause([1])), .countConnections([1, 2]), .edit(2), .quote([3], asCommands: false), .watch(1),
            .view(2),
            .send(.resume([2])), .askPaths([3]), .readLog(true),
        ] {
            #expect(runner.perform(effect) == [])
        }
        #expect(service.commands.isEmpty && service.questions.isEmpty)
        service.isBusy = false
        // The end waits for two seconds only.
        #expect(opening.wait(milliseconds: 20_000))
        #expect(runner.close(unless: { true }) == 0)
        #expect(service.commands == [.pause([1]), .resume([2])])
        #expect(
            service.questions == [
                .figures([1]), .connections([1, 2]), .jobs([2]), .jobs([3]), .figures([2]), .path(3),
            ])
        let told = mailbox.drain().filter { if case .toast = $0 { false } else { true } }
        #expect(told.count == 6, "what an effect leads to is told later")
    }

    @Test("What a service that is not busy says is in the frame of the key")
    func free() {
        let runner = EffectRunner(service: service, publisher: publisher, patience: 20_000)
        guard case .figures(let rows) = runner.perform(.send(.pause([2]))).first else {
            Issue.record("the row should be told at once")
            return
        }
        #expect(rows.map(\.id) == [2])
        #expect(mailbox.drain().isEmpty)
    }

    @Test("The screen is told the numbers of the rows it draws, and those of the others later: each once")
    func drawnRows() throws {
        publisher.attach(service)
        publisher.show([1])
        let rows = (1...3).map { RowSnapshot(id: $0, kind: .download, name: "f", url: "http://a.test/f") }
        // The first time, what is not drawn has not been told for long.
        service.change(rows, notifier: [.moved(1), .moved(1), .moved(3)])
        #expect(try figures() == [[1, 3]])
        service.change(rows, notifier: [.moved(3), .moved(1), .moved(1)])
        var later = try figures()
        while !later.joined().contains(3) { later += try figures() }
        #expect(later == [[1], [3]] || later == [[1, 3]], "on a machine that is slow enough both are due together")
        publisher.show([1, 2])
        service.change(rows, notifier: [.moved(2), .changed(2)])
        #expect(try figures() == [[2]])
        #expect(service.questions.last == .rows([2]))
    }

    /// The ids of the next messages about rows.
    private func figures() throws -> [[UInt64]] {
        var entry = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, 20_000) == 1)
        return mailbox.drain().compactMap { message in
            switch message {
            case .figures(let rows): rows.map(\.id)
            case .rows(let rows): rows.map(\.id)
            default: nil
            }
        }
    }
}

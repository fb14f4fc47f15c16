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
        let runner = EffectRunner(service: service, publisher: publisher)
        service.isBusy = true
        // Each would wait for ever.
        for effect: Effect in [
            .send(.pause([1])), .countConnections([1, 2]), .edit(2), .quote([3], asCommands: false), .watch(1),
            .send(.resume([2])), .askPlace(3), .readLog(true),
        ] {
            #expect(runner.perform(effect) == [])
        }
        #expect(service.commands.isEmpty && service.questions.isEmpty)
        service.isBusy = false
        #expect(runner.close(unless: { true }) == 0)
        #expect(service.commands == [.pause([1]), .resume([2])])
        #expect(
            service.questions == [
                .figures([1]), .connections([1, 2]), .jobs([2]), .jobs([3]), .figures([2]), .path(3),
            ])
        #expect(mailbox.drain().count == 6, "what an effect leads to is told later")
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
}

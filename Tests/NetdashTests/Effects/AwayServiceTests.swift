import SessionSupport
import Testing

@testable import Dashboard
@testable import ServiceWire
@testable import TransferService
@testable import netdash

/// What a window says about a service that is gone, and about the next one.
@Suite("Sentences about a service that is away", .timeLimit(.minutes(1)))
struct AwayServiceTests {
    private static func toasts(_ mailbox: Mailbox<Message>) -> [SafeText] {
        mailbox.drain().compactMap { if case .toast(let text, _) = $0 { text } else { nil } }
    }

    @Test("What the next service lacks is the last sentence, whether it answers before or after that is known")
    func lack() throws {
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        publisher.show(.lost("gone"))
        publisher.tell(lack: "without --rpc")
        publisher.show(.restarted)
        #expect(Self.toasts(mailbox) == ["gone", EffectToasts.reconnected, "without --rpc"])
        publisher.show(.stopped)
        publisher.show(.restarted)
        publisher.tell(lack: "without --log")
        #expect(Self.toasts(mailbox).suffix(2) == [EffectToasts.reconnected, "without --log"])
    }

    @Test("Of a process that says nothing it is told at once, and after its end what helps, but not what does not")
    func hung() throws {
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        var model = Model()
        func shown() -> SafeText? {
            for message in mailbox.drain() { _ = update(&model, message) }
            return model.toasts.current?.text
        }
        publisher.show(.silent)
        #expect(shown() == EffectToasts.serviceSilent)
        publisher.show(.speaks)
        #expect(shown() == nil && !model.isServiceAway)
        publisher.show(.silent)
        publisher.show(.hangs(WireErrors.hangs(8047)))
        let advice: SafeText = "The service does not answer; if it hangs: kill -9 8047"
        #expect(shown() == advice && model.isServiceAway)
        for key in ["z", "J"] as [Character] {
            _ = update(&model, .key(.character(key)))
            #expect(shown() == advice)
        }
        publisher.show(.connected)
        #expect(shown() == EffectToasts.reconnected)
        _ = update(&model, .clock(model.now + 5_000))
        #expect(model.toasts.current == nil && !model.isServiceAway)
    }

    @Test("A sentence about a lost service is withdrawn by the next one, and does not come back when its own line ends")
    func withdrawn() throws {
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        var model = Model()
        for _ in 1...2 {
            publisher.show(.lost("gone"))
            publisher.show(.restarted)
            for message in mailbox.drain() { _ = update(&model, message) }
            #expect(model.toasts.current?.text == EffectToasts.reconnected)
            _ = update(&model, .clock(model.now + 5_000))
            #expect(model.toasts.current == nil)
        }
    }

    @Test("The next service's details of a row are shown without a key, though the row itself has not changed")
    func details() throws {
        let folder = try ServiceListenerTests.Folder()
        let service = ScriptedService(rows: [RowSnapshot(id: 1, kind: .download, name: "f", url: "http://h/f")])
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        var listener = try ServiceListenerTests.listen(service, folder)
        let client = try #require(
            try RemoteService.connect(to: folder.socket, program: "1.0", onConnection: { publisher.show($0) }))
        defer { client.close() }
        publisher.attach(client)
        let known = Locked<[Message]>([])
        _ = publisher.watch(1, of: client) { messages in known.withLock { $0 += messages } }
        for number in 1...2 {
            listener.close()
            var details = RowDetails()
            details.statusLine = "run \(number)"
            service.setDetails(details, of: 1)
            listener = try ServiceListenerTests.listen(service, folder)
            var isShown = false
            while !isShown {
                isShown = mailbox.drain().contains { message in
                    if case .details(1, let shown) = message { shown.statusLine == details.statusLine } else { false }
                }
            }
        }
        listener.close()
    }

    @Test("No update is asked for until all rows have been read, so none takes a newer row back")
    func rowsBeforeUpdates() throws {
        let folder = try ServiceListenerTests.Folder()
        let service = ScriptedService(rows: [RowSnapshot(id: 1, kind: .download, name: "f", url: "http://h/f")])
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        let listener = try ServiceListenerTests.listen(service, folder)
        defer { listener.close() }
        let client = try #require(try RemoteService.connect(to: folder.socket, program: "1.0"))
        defer { client.close() }
        service.isBusy = true
        publisher.attach(client)
        service.waitForCaller()
        service.change(state: .paused, of: 1)
        service.isBusy = false
        service.waitForQuestion(.rows([1]))
        #expect(service.questions.map(Self.name) == ["page", "ids", "rows"])
    }

    @Test("While further rows are being read, the window knows that its table is a part", arguments: [127, 300])
    func reading(count: UInt64) throws {
        let folder = try ServiceListenerTests.Folder()
        let rows = (1...count).map { RowSnapshot(id: $0, kind: .download, name: "f", url: "http://h/f") }
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        let listener = try ServiceListenerTests.listen(ScriptedService(rows: rows), folder)
        defer { listener.close() }
        let client = try #require(try RemoteService.connect(to: folder.socket, program: "1.0"))
        defer { client.close() }
        publisher.attach(client)
        var model = Model()
        var wasReading = false
        var isOver = false
        while !isOver {
            for message in mailbox.drain() {
                _ = update(&model, message)
                let isPart = model.rows.count > 0 && model.rows.count < Int(count)
                #expect(!isPart || model.isReading, "\(model.rows.count)")
                wasReading = wasReading || model.isReading
                if case .remaining = message { isOver = true }
            }
        }
        #expect(wasReading == (count > 128) && model.rows.count == Int(count))
    }

    private static let severalPages = (1...300 as ClosedRange<UInt64>).map {
        RowSnapshot(id: $0, kind: .download, name: "f", url: "http://h/f")
    }

    @Test("Rows that are read again, after an update that was too long, are no part: the table has them all already")
    func readingAgain() throws {
        let folder = try ServiceListenerTests.Folder()
        let service = ScriptedService(rows: Self.severalPages)
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        var listener = try ServiceListenerTests.listen(service, folder)
        let client = try #require(try RemoteService.connect(to: folder.socket, program: "1.0"))
        defer { client.close() }
        publisher.attach(client)
        let first = Self.messages(mailbox) { if case .reading(false) = $0 { true } else { false } }
        #expect(Self.readings(in: first) == [true, false])
        listener.close()
        listener = try ServiceListenerTests.listen(service, folder)
        defer { listener.close() }
        #expect(Self.readings(in: Self.messages(mailbox, until: Self.isEnd)).isEmpty)
    }

    @Test("A table whose reading was broken off is a part until the next connection has read all rows")
    func brokenOff() throws {
        let folder = try ServiceListenerTests.Folder()
        let service = ScriptedService(rows: Self.severalPages)
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        service.setTrouble(TransferFailure(kind: "connectionLost", category: .ordinary, message: "gone"), for: .ids)
        var listener = try ServiceListenerTests.listen(service, folder)
        let client = try #require(try RemoteService.connect(to: folder.socket, program: "1.0"))
        defer { client.close() }
        publisher.attach(client)
        service.waitForQuestion(.ids)
        listener.close()
        service.setTrouble(nil)
        listener = try ServiceListenerTests.listen(service, folder)
        defer { listener.close() }
        let messages = Self.messages(mailbox, until: Self.isEnd)
        #expect(messages.contains { if case .reading(true) = $0 { true } else { false } })
        #expect(!messages.contains { if case .reading(false) = $0 { true } else { false } })
    }

    /// The messages up to one, which is the last.
    private static func messages(_ mailbox: Mailbox<Message>, until isLast: (Message) -> Bool) -> [Message] {
        var found: [Message] = []
        while !found.contains(where: isLast) { found += mailbox.drain() }
        return Array(found.prefix { !isLast($0) }) + found.filter(isLast).prefix(1)
    }

    private static func isEnd(_ message: Message) -> Bool { if case .remaining = message { true } else { false } }

    private static func readings(in messages: [Message]) -> [Bool] {
        messages.compactMap { if case .reading(let isReading) = $0 { isReading } else { nil } }
    }

    private static func name(_ question: TransferQuestion) -> Substring { "\(question)".prefix { $0 != "(" } }

    @Test("The advice names a session that is not the usual one")
    func advice() {
        #expect(ControlLines.command("add", "default") == "netdash add")
        #expect(ControlLines.noService("work").string.hasSuffix(": netdash serve --session work"))
        // It has to be read in a window of 80 columns, behind a mark.
        #expect(EffectToasts.serviceLost("Connection to the service lost").string.count <= 76)
    }
}

import Testing

@testable import Dashboard
@testable import netdash

@Suite("What reaches the main thread of a run without a dashboard") struct RunObserverTests {
    private static let failure = TransferFailure(kind: "timedOut", category: .ordinary, message: "Too late")

    @Test(
        "Of a silent run only failures are told in full; of other ends it is told that there was one",
        arguments: [
            (.completed(TransferEvent.Completion(path: "a", bytes: 1, seconds: 1)), false),
            (.cancelled, false),
            (.paused, false),
            (.failed(failure), true),
        ] as [(TransferEvent.What, Bool)])
    func silentRun(what: TransferEvent.What, isTold: Bool) throws {
        let event = TransferEvent(time: Timestamp(milliseconds: 1), id: 1, what: what)
        #expect(try told(of: event, hearsMilestones: false) == (isTold ? [event] : []))
        #expect(try told(of: event, hearsMilestones: true) == [event])
    }

    /// The events that are taken out of the mailbox, which one message has to be in.
    private func told(of event: TransferEvent, hearsMilestones: Bool) throws -> [TransferEvent] {
        let mailbox = try Mailbox<TransferNotice>()
        let observer = RunObserver(mailbox: mailbox, wantsMoves: false, hearsMilestones: hearsMilestones)
        observer.receive(.event(event))
        let messages = mailbox.drain()
        #expect(messages.count == 1)
        return messages.compactMap { message in
            if case .event(let event) = message { event } else { nil }
        }
    }
}

import Glibc
import Testing

@testable import Dashboard
@testable import TransferService
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

@Suite("Exit codes")
struct ExitCodeTests {
    private func failed(_ category: TransferFailure.Category) -> TransferResult {
        .failed(TransferFailure(kind: "x", category: category, message: "x"))
    }

    @Test("The first failed transfer decides, in the order they were added")
    func codes() {
        #expect(ExitCode.of([]) == .success)
        #expect(ExitCode.of([.completed, .unfinished]) == .success)
        #expect(ExitCode.of([.completed, failed(.ordinary)]) == .taskFailed)
        #expect(ExitCode.of([failed(.disk), failed(.check)]) == .disk)
        #expect(ExitCode.of([.completed, failed(.check), failed(.disk)]) == .check)
        #expect(ExitCode.of([.completed, .cancelled]) == .success)
        #expect(ExitCode.success.counting(undone: 0) == .success)
        #expect(ExitCode.success.counting(undone: 2) == .taskFailed)
        #expect(ExitCode.disk.counting(undone: 2) == .disk)
    }

    @Test("The network counts as unreachable only when no transfer reached it")
    func network() {
        #expect(ExitCode.of([failed(.network), failed(.network)]) == .network)
        #expect(ExitCode.of([failed(.network), .completed]) == .taskFailed)
        #expect(ExitCode.of([failed(.network), failed(.ordinary)]) == .taskFailed)
        #expect(ExitCode.of([failed(.ordinary), failed(.network)]) == .taskFailed)
    }

    @Test("Signals are counted as shells count them")
    func signals() {
        #expect([1, 2, 3, 15].map { ExitCode.signal($0).rawValue } == [129, 130, 131, 143])
    }

    @Test("A signal that nobody reads ends the program after thirty looks in a row, and one that is read never")
    func unreadSignals() {
        var unread = UnreadSignal()
        for _ in 0..<UnreadSignal.patience { #expect(unread.look(SIGTERM) == nil) }
        #expect(unread.look(nil) == nil)
        for _ in 0..<UnreadSignal.patience { #expect(unread.look(SIGINT) == nil) }
        #expect(unread.look(SIGINT) == SIGINT)
    }
}

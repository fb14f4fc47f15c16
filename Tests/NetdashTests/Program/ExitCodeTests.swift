import Glibc
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

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
        #expect(ExitCode.of([.completed, failed(.condition), failed(.disk)]) == .condition)
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

import Testing

@testable import Dashboard
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
        #expect(ExitCode.of([.completed, .cancelled]) == .success)
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
}

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

    @Test(
        "A command line of aria2c ends with aria2c's statuses",
        arguments: [
            (.http, 404, 3), (.http, 410, 22), (.http, 500, 22), (.unknownHost, nil, 19), (.checksum, nil, 32),
            (.destinationExists, nil, 13), (.timedOut, nil, 2), (.stalled, nil, 2), (.authenticationRequired, 401, 24),
            (.tooManyRedirects, nil, 23), (.diskFull, nil, 9), (.connectionLost, nil, 6), (.connectionRefused, nil, 1),
        ] as [(Cause, Int?, Int32)])
    func aria(cause: Cause, status: Int?, number: Int32) {
        let failure = TransferFailure(kind: cause.rawValue, category: .ordinary, message: "x", httpStatus: status)
        #expect(ExitDialect.aria2.status(of: [.completed, .failed(failure), .completed]).rawValue == number)
    }

    @Test(
        "A missing file has another status where aria2c would end for it, before its tries are used up",
        arguments: [
            ([], 3), (["--max-file-not-found=0"], 3), (["--max-file-not-found=2", "--max-tries=0"], 4),
            (["--max-file-not-found=5", "--max-tries=5"], 4), (["--max-file-not-found=5", "--max-tries=2"], 3),
            (["--max-file-not-found=5"], 4), (["--max-file-not-found=6"], 3),
        ] as [([String], Int32)])
    func missingFiles(arguments: [String], number: Int32) throws {
        let exits = try CommandLine.parse(["aria2c"] + arguments + ["http://h/a"]).get().exits
        func failed(_ status: Int) -> TransferResult {
            .failed(TransferFailure(kind: "http", category: .ordinary, message: "x", httpStatus: status))
        }
        #expect(exits.status(of: [failed(404)]).rawValue == number)
        #expect(exits.status(of: [failed(500)]).rawValue == 22)
    }

    @Test("A list that cannot be read is a failure to aria2c, and a wrong option to netdash")
    func lists() {
        let error = UsageError(argument: "-i", "x").ofFile
        #expect(ExitDialect.aria2.status(of: error) == .taskFailed)
        #expect(ExitDialect.netdash.status(of: error) == .usage)
    }

    @Test("aria2c's last failure decides, and unfinished downloads of an ended run only without one")
    func ariaRuns() {
        let dialect = ExitDialect(of: ["aria2c", "http://h/"])
        func failed(_ cause: Cause) -> TransferResult {
            .failed(TransferFailure(kind: cause.rawValue, category: .ordinary, message: "x"))
        }
        #expect(dialect.status(of: [failed(.unknownHost), failed(.checksum), .completed]).rawValue == 32)
        #expect(dialect.status(of: [failed(.partInUse), .unfinished], signal: 2).rawValue == 11)
        #expect(dialect.status(of: [.completed, .unfinished], signal: 15).rawValue == 7)
        #expect(dialect.status(of: [.completed], signal: 15) == .success)
        #expect(dialect.status(beside: .disk) == .taskFailed)
        #expect(dialect.status(of: UsageError(argument: "--split", "x")).rawValue == 28)
        #expect(dialect.status(of: UsageError(argument: "magnet:?x", "x")).rawValue == 1)
        #expect(ExitDialect(of: ["http://h/"]).status(of: [.unfinished], signal: 2) == .signal(2))
        #expect(ExitDialect.netdash.status(of: UsageError(argument: "--split", "x")) == .usage)
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

import Dashboard
import Testing
import TransferService
import TransferValues

@testable import netdash

/// The tasks that operands of a command for a service select.
@Suite("Tasks of an order")
struct TaskSelectionTests {
    private static let rows = [
        row(1, "debian.iso", .running), row(2, "ubuntu.iso", .failed), row(3, "notes a.txt", .failed),
        row(4, "iso", .done), row(5, "a[1].zip", .cancelled), upload(6, "up.bin → /store/up.bin"),
    ]
    private static let tags: [UInt64: String] = [1: "night", 3: "night", 4: "nightly"]

    private static func row(_ id: UInt64, _ name: String, _ state: RowState) -> RowSnapshot {
        var row = RowSnapshot(
            id: id, kind: .download, name: SafeText(untrusted: name), url: SafeText(untrusted: "http://h/\(id)"))
        row.state = state
        return row
    }

    private static func upload(_ id: UInt64, _ name: String) -> RowSnapshot {
        RowSnapshot(id: id, kind: .upload, name: SafeText(untrusted: name), url: "http://h/store/up.bin")
    }

    private static func selected(_ operands: [String]) throws -> [UInt64] {
        let selection = try #require(try TaskSelection(operands, of: .pause))
        return selection.selectedTasks(among: rows) { $0.map { tags[$0] } }.map(\.id)
    }

    @Test(
        "Numbers and names add up, tags and conditions narrow them",
        arguments: [
            (["all"], [1, 2, 3, 4, 5, 6]), (["up.bin"], [6]), (["up*"], [6]), (["up.bin → /store/up.bin"], [6]),
            (["3"], [3]), (["2-4"], [2, 3, 4]), (["4", "1-2"], [1, 2, 4]),
            (["iso"], [4]), (["*.iso"], [1, 2]), (["*.iso", "4"], [1, 2, 4]), (["notes a.txt"], [3]),
            (["a[1].zip"], [5]), (["?ebian.iso", "ubuntu.iso"], [1, 2]), (["state:failed"], [2, 3]),
            (["*.iso", "state:failed"], [2]), (["1-3", "-state:failed"], [1]), (["tag=night"], [1, 3]),
            (["tag=night*"], [1, 3, 4]), (["tag=night", "tag=nightly", "state:done"], [4]),
            (["state:failed", "state:done"], [2, 3, 4]), (["state:failed or state:done", "*.iso"], [2]),
            (["9"], []), (["debian"], []), (["tag="], []),
        ] as [([String], [UInt64])])
    func selections(operands: [String], ids: [UInt64]) throws {
        #expect(try Self.selected(operands) == ids)
    }

    @Test("A negated condition needs no end of the options, and options keep what looks like one")
    func negated() throws {
        let words: [(String, [UInt64])] = [
            ("-state:failed", [1, 4, 5, 6]), ("-~iso$", [3, 5, 6]), ("-kind:upload", [1, 2, 3, 4, 5]),
        ]
        for (word, ids) in words {
            guard case .order(.pause(let tasks)) = try CommandLine.parse(["pause", word]).get().action else {
                Issue.record("\(word) is no task")
                continue
            }
            #expect(tasks.selectedTasks(among: Self.rows) { $0.map { Self.tags[$0] } }.map(\.id) == ids, "\(word)")
        }
        let jobs = try CommandLine.parse(["-HX-A:1", "-uhost:pw", "http://h/"]).get().jobs
        #expect(jobs[0].headers["X-A"] == "1" && jobs[0].options.text(of: .user) == "host:pw")
        #expect(throws: UsageError.self) { try CommandLine.parse(["pause", "-failed"]).get() }
    }

    @Test("An empty word is a mistake, not every task", arguments: [[""], ["  "], ["3", ""]])
    func emptyWord(operands: [String]) {
        #expect(throws: UsageError.self) { try TaskSelection(operands, of: .cancel) }
    }

    @Test("A condition that is none is explained")
    func misspelling() {
        #expect(throws: UsageError.self) { try TaskSelection(["stat:failed"], of: .cancel) }
        #expect(throws: UsageError.self) { try TaskSelection(["state:nonsense"], of: .cancel) }
    }
}

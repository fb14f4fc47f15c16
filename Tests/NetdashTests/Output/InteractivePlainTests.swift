import Foundation
import Glibc
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Commands by line", .timeLimit(.minutes(1)))
struct InteractivePlainTests {
    private let server = LoopbackServer()
    private let observer = EffectsObserver()
    private let folder: URL
    private let bridge: LocalService
    private var session: InteractiveSession

    init() throws {
        try server.start()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("lines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var settings = Settings()
        settings.directory = folder.path
        settings.retries = 0
        bridge = LocalService(settings: settings.forService, printsBodies: false, observer: observer)
        session = InteractiveSession(service: bridge, defaults: Job(kind: .download, url: ""))
    }

    private func end() {
        _ = bridge.close()
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    @Test(
        "Lines are understood as they are typed",
        arguments: [
            ("list", .list), ("  LIST ", .list), ("", .nothing), ("status", .status(.all)), ("quit", .quit),
            ("pause 3", .pause(.ids([3]))), ("pause #3, 4 3", .pause(.ids([3, 4]))), ("resume all", .resume(.all)),
            ("cancel 1", .cancel(.ids([1]), deletingParts: false)), ("help", .help), ("clear", .clear),
            ("delete 1", .cancel(.ids([1]), deletingParts: true)), ("add a b", .add(["a", "b"])),
            ("add http://h/a,b", .add(["http://h/a,b"])), ("undo", .undo), ("body 2", .body(2)), ("limit", .limit("")),
            ("upload 'a b' http://h/x method=POST", .upload(file: "a b", url: "http://h/x", keys: ["method=POST"])),
            ("request http://h/ 'header=A: b'", .request(url: "http://h/", keys: ["header=A: b"])),
            ("edit 3 out=x url=http://h/y", .edit(3, keys: ["out=x", "url=http://h/y"])),
            ("limit 2M  off", .limit("2M off")), ("LIMIT 08:00,1M 18:00,off", .limit("08:00,1M 18:00,off")),
            ("limit task 3 1M", .limitTask(3, "1M")), ("limit #3", .limitTask(3, "")),
        ] as [(String, InteractiveCommand)])
    func understood(line: String, command: InteractiveCommand) throws {
        #expect(try InteractiveCommand.parse(line) == command)
    }

    @Test(
        "What is not understood is answered with what would be right",
        arguments: [
            ("pauze 3", InteractiveErrors.unknown("pauze", hint: InteractiveErrors.didYouMean("pause"))),
            ("pause", InteractiveErrors.needsTask("pause")), ("pause x", InteractiveErrors.notNumber("x")),
            ("add", InteractiveErrors.addNeedsURL), ("upload x", InteractiveErrors.uploadNeedsURL),
            ("request", InteractiveErrors.requestNeedsURL), ("edit 3", InteractiveErrors.editNeedsChange),
            ("edit all x=y", InteractiveErrors.oneTask("edit")), ("add 'x", InteractiveErrors.openQuote),
            ("limit task x 1M", InteractiveErrors.notNumber("x")), ("list 3", InteractiveErrors.noArguments("list")),
            ("\u{1B}[2J", InteractiveErrors.unknown("␛[2J", hint: InteractiveErrors.typeHelp)),
        ])
    func misunderstood(line: String, sentence: SafeText) {
        let error = #expect(throws: InteractiveCommand.Misunderstanding.self) { try InteractiveCommand.parse(line) }
        #expect(error?.sentence == sentence)
    }

    /// Types a line that stands alone.
    private mutating func type(_ line: String) -> InteractiveSession.Answer {
        session.receive(Array((line + "\n").utf8))
    }

    @Test("A task has the word for its kind that lists, filters and JSON have", arguments: Job.Kind.allCases)
    func kinds(kind: Job.Kind) {
        let row = RowSnapshot(id: 1, kind: kind, name: "a", url: "http://h/")
        #expect(InteractiveText.line(of: row).string.hasPrefix("1, \(kind.rawValue), "))
    }

    @Test(
        "A task that has failed, waits or is held has the reason that the state column has",
        arguments: [
            (.failed, .connectionRefused, nil, .none, "failed, refused"),
            (.failed, .checksum, 200, .none, "failed, checksum"), (.failed, .http, 404, .none, "failed with 404"),
            (.retrying, .unknownHost, nil, .none, "retrying, DNS error"),
            (.queued, nil, nil, WaitMoment(rawValue: 163), "queued, from 02:43"),
            (.paused, nil, nil, WaitMoment(rawValue: 163), "paused, from 02:43"),
            (.queued, nil, nil, .afterOthers, "queued, after task"), (.queued, nil, nil, .none, "queued"),
            (.paused, .destinationExists, nil, .none, "paused, file exists"),
        ] as [(RowState, Cause?, Int?, WaitMoment, String)])
    func reasons(state: RowState, cause: Cause?, status: Int?, opening: WaitMoment, words: String) {
        var row = RowSnapshot(id: 8, kind: .download, name: "a", url: "http://h/")
        (row.state, row.cause, row.statusCode, row.opening) = (state, cause, status, opening)
        #expect(InteractiveText.line(of: row).string == "8, download, \(words): http://h/")
    }

    @Test("A task is added, paused, listed, resumed and completed by lines")
    mutating func story() throws {
        defer { end() }
        let gate = try server.gate(named: "half")
        server.setRoute("/f.bin", .file(seed: 1, count: 2_000_000).stalling(after: 1_000_000, until: gate))
        let added = type("add \(server.url("/f.bin"))")
        #expect(added == .init())
        // That the server has sent its half says nothing of how much of it was read here.
        try #require(observer.wait { _ in (bridge.snapshots(of: [1]).first?.received ?? 0) > 0 })
        _ = type("pause 1")
        try #require(observer.wait { $0.contains { $0.what == .paused } })
        try #require(observer.wait { _ in bridge.snapshots(of: [1]).first?.state == .paused })
        let list = type("list")
        let line = try #require(list.lines.first)
        #expect(line.string.hasPrefix("1, download, paused, "))
        #expect(line.string.contains(" of 1.9 MiB"))
        #expect(line.string.hasSuffix(": " + server.url("/f.bin")))
        let refused = type("pause 1 7")
        #expect(refused.lines.count == 2, "one cannot be paused, one is not there")
        gate.release()
        _ = type("resume all")
        try #require(observer.waitForEnds())
        #expect(bridge.results == [.completed])
        let answers = [type("status"), type("clear"), type("list")].flatMap(\.lines)
        #expect(
            answers == [
                InteractiveLines.status("1 done", "1.9 MiB"), InteractiveLines.cleared(1), InteractiveLines.noTasks,
            ])
    }

    @Test("A cancelled download's part is deleted by its line, once, and a refusal says why")
    mutating func deleting() throws {
        defer { end() }
        let gate = try server.gate(named: "half")
        defer { gate.release() }
        server.setRoute("/f.bin", .file(seed: 1, count: 2_000_000).stalling(after: 1_000_000, until: gate))
        _ = type("add \(server.url("/f.bin"))")
        try #require(observer.wait { _ in (bridge.snapshots(of: [1]).first?.received ?? 0) > 0 })
        _ = type("cancel 1")
        try #require(observer.waitForEnds())
        let again = type("cancel 1").lines.map(\.string)
        #expect(again.first?.hasPrefix("Cannot cancel, \(InteractiveLines.hasEnded)") == true, "\(again)")
        let deleted = type("delete 1").lines
        #expect(deleted == [InteractiveLines.partDeleted(1)])
        let refused = type("delete 1").lines.map(\.string)
        #expect(refused.first?.hasPrefix("Cannot delete, \(InteractiveLines.hasNoPart)") == true, "\(refused)")
    }

    @Test("An undone cancel of a paused task says that it is paused again")
    mutating func pausedAgain() throws {
        defer { end() }
        bridge.add([pausedJob("/held")])
        try #require(observer.wait { _ in bridge.snapshots(of: [1]).first?.state == .paused })
        _ = type("cancel 1")
        try #require(observer.waitForEnds())
        let undone = type("undo").lines
        #expect(undone == [InteractiveLines.pausedAgain(1)])
    }

    @Test("Quit asks once while something has not ended, and leaves at once when nothing has")
    mutating func quitting() throws {
        defer { end() }
        let idle = type("quit")
        #expect(idle.ends)
        bridge.add([pausedJob("/held")])
        let attempts = [type("quit"), type("list"), type("quit"), type("quit")].map(\.ends)
        #expect(attempts == [false, false, false, true], "asked again when something else came between")
        let ended = session.receive([])
        #expect(ended.ends, "the end of input leaves")
    }

    @Test("Input may come in any pieces")
    mutating func pieces() {
        defer { end() }
        let answers = ["sta", "tus\nnonsense\nli", "st\n"].map { session.receive(Array($0.utf8)).lines }
        #expect(answers.map(\.count) == [0, 2, 1])
        #expect(answers.last == [InteractiveLines.noTasks])
    }

    private func pausedJob(_ path: String) -> Job {
        var job = Job(kind: .download, url: server.url(path))
        job.startsPaused = true
        return job
    }

    @Test("Milestones are reported once each, and the end is left to the line that says how it ended")
    func milestones() {
        defer { end() }
        var gate = ProgressGate(rule: .milestones, startedAt: 0)
        let admitted = [1, 24, 25, 26, 49, 80, 99, 100].filter { moved in gate.admits(moved: moved, of: 100, at: moved)
        }
        #expect(admitted == [25, 80])
        let isAdmitted = gate.admits(moved: 5, of: nil, at: 200)
        #expect(!isAdmitted, "without a length there is no quarter")
    }

    @Test("A failure rings the bell for those who listen, and only for them", arguments: [true, false])
    func bell(isSpoken: Bool) throws {
        defer { end() }
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var printer = EventPrinter(style: isSpoken ? .spoken : .lines, log: nil, descriptor: ends[1])
        let failure = TransferFailure(kind: "status", category: .ordinary, message: "404 Not Found")
        printer.print(TransferEvent(time: .now(), id: 1, what: .failed(failure)), at: 0)
        #expect(printer.close().isEmpty)
        let bytes = try #require(try Descriptor.read(ends[0], limit: 4096))
        #expect(bytes.contains(7) == isSpoken)
    }
}

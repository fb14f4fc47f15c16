import CLinux
import Foundation
import Glibc
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Hook commands", .timeLimit(.minutes(1)))
struct HookRunnerTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hooks-\(UUID().uuidString)")
    private let reports = Locked<[String]>([])

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func runner() throws -> HookRunner {
        try HookRunner(environment: ["PATH": "/usr/bin:/bin", "FOLDER": folder.path]) { [reports] sentence in
            reports.withLock { $0.append(sentence.string) }
        }
    }

    private func order(_ command: String, _ subject: SafeText = "a.iso") -> HookRunner.Order {
        let summary = RunSummary(results: [.completed], moved: MovedBytes(received: 5), seconds: 1)
        let fields = HookFields(summary, at: Timestamp(milliseconds: 0))
        return HookRunner.Order(moment: .error, command: command, subject: subject, fields: fields)
    }

    private func text(_ name: String) -> String? {
        try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    private func end() { try? FileManager.default.removeItem(at: folder) }

    @Test("A command has the facts in its environment and as JSON on its standard input, and its output goes nowhere")
    func facts() throws {
        defer { end() }
        let runner = try runner()
        runner.run(order(#"cat >"$FOLDER/json"; echo seen; echo "$NETDASH_EVENT $NETDASH_BYTES" >"$FOLDER/words""#))
        #expect(runner.wait(patience: 20_000).isEmpty)
        #expect(text("words") == "all-done 5\n")
        #expect(
            text("json")?.hasPrefix(#"{"event":"all-done","time":"1970-01-01T00:00:00.000Z","completed":1,"#) == true)
        #expect(text("json")?.hasSuffix("}\n") == true)
        #expect(reports.withLock { $0 }.isEmpty)
    }

    @Test("A command reads what it is given, whatever number the descriptor has", arguments: 3..<24)
    func anyDescriptor(number: Int32) throws {
        defer { end() }
        let memory = cl_memfd("input")
        let input = fcntl(memory, F_DUPFD_CLOEXEC, number)
        #expect(write(memory, "word\n", 5) == 5 && lseek(memory, 0, SEEK_SET) == 0)
        let command = ["/bin/sh", "-c", "cat >'\(folder.path)/read'"]
        var words = command.map { (word: String) in strdup(word) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        let process = cl_spawn(nil, "/bin/sh", &words, &environment, input, -1, -1)
        var status: Int32 = -1
        #expect(waitpid(process, &status, 0) == process && status == 0)
        for descriptor in [memory, input] { close(descriptor) }
        for word in words { free(word) }
        #expect(text("read") == "word\n")
    }

    @Test(
        "A command that fails is reported in one harmless sentence",
        arguments: [
            ("exit 1", "on-error command for a.iso failed: exit status 1"),
            (
                "echo '  no mail' >&2; echo more >&2; exit 3",
                "on-error command for a.iso failed: exit status 3:   no mail"
            ),
            ("printf '\\033[31mred' >&2; exit 1", "on-error command for a.iso failed: exit status 1: ␛[31mred"),
            ("kill -9 $$", "on-error command for a.iso failed: ended by signal 9"),
        ])
    func failures(command: String, sentence: String) throws {
        defer { end() }
        let runner = try runner()
        runner.run(order(command))
        #expect(runner.wait(patience: 20_000).isEmpty)
        #expect(reports.withLock { $0 } == [sentence])
    }

    @Test("A fact that is too long for a variable costs no command, and a long name no cause")
    func longFacts() throws {
        defer { end() }
        let runner = try runner()
        let url = "http://h/" + String(repeating: "u", count: 200_000)
        let failure = TransferFailure(kind: "url", category: .ordinary, message: "Too long", partPath: nil)
        let event = TransferEvent(time: Timestamp(milliseconds: 0), id: 1, url: url, what: .failed(failure))
        let fields = HookFields(event, moment: .error, row: nil, source: nil, folder: "/")
        let name = SafeText(untrusted: String(repeating: "n", count: 5_000))
        let command = #"wc -c >"$FOLDER/size"; echo "$NETDASH_ERROR$NETDASH_URL" >"$FOLDER/words"; exit 6"#
        runner.run(HookRunner.Order(moment: .error, command: command, subject: name, fields: fields))
        #expect(runner.wait(patience: 20_000).isEmpty)
        #expect(text("words") == "Too long\n")
        #expect(text("size").flatMap { Int($0.filter(\.isNumber)) }.map { $0 > 200_000 } == true)
        let sentence = "on-error command for " + String(repeating: "n", count: 80) + "… failed: exit status 6"
        #expect(reports.withLock { $0 } == [sentence])
    }

    @Test("A command that is not there, or a path that is a folder, is what the shell says it is")
    func missing() throws {
        defer { end() }
        let runner = try runner()
        runner.run(order("no-such-command-anywhere", ""))
        runner.run(order("\"$FOLDER\"", ""))
        #expect(runner.wait(patience: 20_000).isEmpty)
        let sentences = reports.withLock { $0 }.sorted()
        #expect(sentences.count == 2)
        #expect(sentences.first?.hasPrefix("on-error command failed: exit status 126: ") == true, "\(sentences)")
        #expect(sentences.last?.contains("no-such-command-anywhere: not found") == true, "\(sentences)")
    }

    @Test("Four run at a time; who waits for them is told what is left, and those that run go on")
    func hanging() throws {
        defer { end() }
        let pipe = folder.appendingPathComponent("pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let runner = try runner()
        // Each stands still until somebody opens the pipe.
        for number in 1...6 { runner.run(order("read -r line <\"$FOLDER/pipe\"; echo >\"$FOLDER/done\(number)\"")) }
        var counts = HookRunner.Counts()
        repeat { counts = runner.wait(patience: 0) } while counts.running < HookRunner.concurrentLimit
        #expect(counts.running == HookRunner.concurrentLimit && counts.waiting == 2)
        #expect(runner.wait(patience: 30) == counts)
        #expect(runner.wait(patience: 60_000, unless: { true }) == counts)
        // Both ends, so that opening waits for nobody and every reader finds a writer.
        let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let lines = String(repeating: "x\n", count: 6)
        try #require(Glibc.write(descriptor, lines, lines.utf8.count) == lines.utf8.count)
        #expect(runner.wait(patience: 20_000).isEmpty)
        #expect((1...6).allSatisfy { text("done\($0)") != nil })
    }

    @Test(
        "Commands that are left are counted in a sentence",
        arguments: [
            (0, 0, nil), (1, 0, CommandErrors.hooksSkipped(1)), (3, 0, CommandErrors.hooksSkipped(3)),
            (0, 1, CommandErrors.hooksRunning(1)), (0, 2, CommandErrors.hooksRunning(2)),
            (3, 1, CommandErrors.hooks(running: 1, skipped: 3)), (3, 4, CommandErrors.hooks(running: 4, skipped: 3)),
        ] as [(Int, Int, SafeText?)])
    func closing(waiting: Int, running: Int, sentence: SafeText?) {
        #expect(HookRunner.Counts(waiting: waiting, running: running).closing == sentence)
    }
}

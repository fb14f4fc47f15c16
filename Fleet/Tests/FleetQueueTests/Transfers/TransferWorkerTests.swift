import Foundation
import LoopbackServer
import Testing

@testable import FleetQueue
@testable import FleetTransfers

/// The program's workers with downloads, on a server of this process.
@Suite("Workers with downloads", needsServer, .timeLimit(.minutes(10)))
struct TransferWorkerTests {
    private let test: TestQueue
    private let queue: FleetQueue
    private let server = LoopbackServer()
    private let folder: SimulatedFolder

    init() throws {
        test = try TestQueue()
        queue = try test.open()
        folder = try SimulatedFolder()
        try server.start()
    }

    private func worker(_ words: String..., variables: [String: String] = [:]) throws -> ChildProcess {
        let words = ["worker", "-d", folder.path, "--lease", "3s"] + words
        let environment = test.environment.merging(variables) { $1 }
        return try ChildProcess(ChildProcess.path(of: "netdash-fleet"), words, environment: environment)
    }

    private func add(files: Int, count: Int64 = 10_240) throws {
        for number in 0..<files { server.setRoute("/f\(number)", .file(seed: UInt64(number), count: count)) }
        let list = (0..<files).map { server.url("/f\($0)") }.joined(separator: "\n")
        #expect(try queue.add(text: list).added == files)
    }

    /// Expects that each file is there, has its content, and nothing else is.
    private func expectFiles(_ files: Int, count: Int64 = 10_240) throws {
        #expect(folder.files == files)
        for number in 0..<files {
            let data = try Data(contentsOf: URL(filePath: folder.path + "/f\(number)"))
            let content = DeterministicContent(seed: UInt64(number), count: count)
            #expect(data.count == Int(count) && data.withUnsafeBytes { content.matches($0, offset: 0) }, "f\(number)")
        }
    }

    @Test("Two workers drain a queue: each file is right and was fetched once")
    func drain() throws {
        try add(files: 60)
        let workers = try (1...2).map { _ in try worker("-j", "4", "--drain") }
        for one in workers { #expect(one.wait() == 0, "\(one.output)") }
        #expect(try queue.status().jobs == ["done": 60])
        try expectFiles(60)
        #expect(server.requestCount == 60)
        let result = try #require(try queue.value("SELECT result FROM netdash.job WHERE dest = 'f1'"))
        #expect(result.contains(#""etag": "\"1-10240\"""#) && result.contains(#""status": 200"#))
    }

    @Test("The result of a redirected job has the URL that answered, and another one needs no second copy of its own")
    func resultURLs() throws {
        server.setRoute("/last", .file(seed: 1, count: 100))
        server.setRoute("/first", .respond(.redirect(to: server.url("/last?key=secret"))))
        #expect(try queue.add(text: server.url("/first") + "\n" + server.url("/last?part=1")).added == 2)
        let one = try worker("--drain")
        #expect(one.wait() == 0, "\(one.output)")
        let urls = try ["first", "last"].map { dest in
            try queue.value("SELECT result->>'url' FROM netdash.job WHERE dest = '\(dest)' AND state = 'done'")
        }
        #expect(urls == [server.url("/last"), nil])
    }

    /// The daily run has 10,000 files and a kill each second.
    private static let killedFiles = isLongRun ? 10_000 : 120

    @Test("Workers that are killed again and again: every file is there once and right, and little is fetched twice")
    func killed() throws {
        try add(files: Self.killedFiles)
        let slots = 8
        let steady = try worker("-j", "2", "--drain")
        var kills = 0
        while try isLongRun ? queue.count(.waiting) > 0 : kills < 3 {
            let before = try queue.count(.done)
            let victim = try worker("-j", "\(slots)", "--name", "victim")
            if isLongRun {
                usleep(1_000_000)
            } else {
                try eventually("jobs are done") { try queue.count(.done) > before + 5 || queue.count(.waiting) == 0 }
            }
            victim.send(SIGKILL)
            victim.wait()
            kills += 1
        }
        #expect(steady.wait() == 0, "\(steady.output)")
        #expect(try queue.status().jobs == ["done": Self.killedFiles])
        try expectFiles(Self.killedFiles)
        // A kill costs what was under way or not yet reported; these files are smaller than a checkpoint's distance.
        #expect(server.requestCount <= Self.killedFiles + kills * 2 * slots)
    }

    @Test(
        "A worker whose disk is full stops claiming, and another one gets everything",
        .enabled(if: canMount, "no permission to mount a small disk"))
    func fullDisk() throws {
        try add(files: 12, count: 1 << 20)
        let full = try workerOnDisk(of: "256k", "-j 2")
        try eventually("it has met the obstacle") {
            try full.output.contains("No claims for a minute") && queue.count(.waiting) == 12
        }
        let other = try worker("-j", "4", "--drain")
        #expect(other.wait() == 0, "\(other.output)")
        #expect(try queue.status().jobs == ["done": 12])
        #expect(try queue.value("SELECT sum(attempts) FROM netdash.job") == "0")
        try expectFiles(12, count: 1 << 20)
        full.send(SIGTERM)
        #expect(full.wait() == 0, "\(full.output)")
    }

    /// A worker whose folder is a small disk.
    private func workerOnDisk(of size: String, _ words: String) throws -> ChildProcess {
        let small = try SimulatedFolder()
        let program = ChildProcess.path(of: "netdash-fleet")
        let command = """
            mount -t tmpfs -o size=\(size) none \(small.path) && exec \(program) worker -d \(small.path) --lease 3s \(words)
            """
        return try ChildProcess("/usr/bin/unshare", ["-m", "/bin/sh", "-c", command], environment: test.environment)
    }

    @Test(
        "A file that is larger than the free space is left to other workers, and all others are fetched",
        .enabled(if: canMount, "no permission to mount a small disk"), arguments: [true, false])
    func hugeFile(hasLength: Bool) throws {
        try add(files: 40, count: 1_000)
        let huge = Behaviour.file(seed: 99, count: 8 << 20)
        server.setRoute("/huge", hasLength ? huge : huge.framed(.chunked))
        try queue.add(text: server.url("/huge") + "\n  priority=1")
        let small = try workerOnDisk(of: "4m", "-j 4 --drain")
        #expect(small.wait() == 0, "\(small.output)")
        #expect(try queue.status().jobs == ["done": 40, "waiting": 1])
        #expect(small.output.contains(WorkerLines.leaving(1)), "\(small.output)")
        #expect(!hasLength || !small.output.contains("No claims"), "\(small.output)")
        let cause = try queue.value("SELECT attempts || ' ' || cause FROM netdash.job WHERE dest = 'huge'")
        #expect(cause?.hasPrefix("0 ") == true && cause?.contains("disk full") == true, "\(cause ?? "")")
        let large = try worker("--drain")
        #expect(large.wait() == 0, "\(large.output)")
        #expect(try queue.status().jobs == ["done": 41])
    }

    @Test("A destination below a file makes its job dead at once, and all others are fetched")
    func belowFile() throws {
        try add(files: 12)
        try "x".write(toFile: folder.path + "/data", atomically: true, encoding: .utf8)
        try queue.add(text: server.url("/f0") + "\n  out=data/f\n  priority=1")
        let one = try worker("-j", "4", "--drain")
        #expect(one.wait() == 0, "\(one.output)")
        #expect(try queue.status().jobs == ["done": 12, "dead": 1])
        #expect(try queue.status().causes.first?.example?.contains("not a folder") == true)
    }

    private static let canMount: Bool = {
        guard getuid() == 0 else { return false }
        let probe = try? ChildProcess("/usr/bin/unshare", ["-m", "/bin/mount", "-t", "tmpfs", "none", "/mnt"])
        return probe?.wait() == 0
    }()

    @Test("An empty name is refused", arguments: [["worker", "--name", ""], ["window", "--session="]])
    func emptyValue(words: [String]) throws {
        let program = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), words, environment: test.environment)
        #expect(program.wait() == 2 && program.output.contains("is empty"), "\(program.output)")
    }

    @Test("Another worker goes on with the part of a killed one")
    func part() throws {
        let count: Int64 = 24 << 20
        let gate = try server.gate(named: "middle")
        let file = Behaviour.file(seed: 0, count: count)
        let stalled = file.adjusting { $0.delivery.stalls = [Stall(after: 16 << 20, gate: gate)] }
        server.setRoute("/f0", .sequence([stalled, file]))
        try queue.add(text: server.url("/f0"))
        let first = try worker("-j", "1")
        try eventually("two thirds are there") {
            Int(try queue.value("SELECT received FROM netdash.job") ?? "") ?? 0 >= 16 << 20
        }
        first.send(SIGKILL)
        first.wait()
        let second = try worker("-j", "1", "--drain")
        #expect(second.wait() == 0, "\(second.output)")
        try expectFiles(1, count: count)
        let last = try #require(server.requests.last)
        #expect(last.headers["Range"] != nil && last.responseBodyBytesSent < count / 2)
        #expect(try queue.value("SELECT lapses FROM netdash.job") == "1")
    }

    @Test("A worker that hangs past its lease costs its job no attempt, and lets the part go when it comes back")
    func hanging() throws {
        let count: Int64 = 4 << 20
        let gate = try server.gate(named: "middle")
        let file = Behaviour.file(seed: 0, count: count)
        server.setRoute(
            "/f0", .sequence([file.adjusting { $0.delivery.stalls = [Stall(after: 3 << 20, gate: gate)] }, file]))
        try queue.connection.run("UPDATE netdash.queue SET tries = 1")
        try queue.add(text: server.url("/f0"))
        let first = try worker("-j", "1", "--name", "first")
        defer { first.send(SIGCONT) }
        try eventually("most is there") {
            Int(try queue.value("SELECT received FROM netdash.job") ?? "") ?? 0 > 2 << 20
        }
        first.send(SIGSTOP)
        let second = try worker("-j", "1", "--drain", "--name", "second")
        try eventually("the second one has met the part in use") {
            try queue.value("SELECT state || attempts FROM netdash.job WHERE cause LIKE '%in use%'") == "waiting0"
        }
        first.send(SIGCONT)
        #expect(second.wait() == 0, "\(second.output)")
        #expect(try queue.value("SELECT state || ' ' || worker || ' ' || attempts FROM netdash.job") == "done second 0")
        try expectFiles(1, count: count)
        #expect(server.requests.last?.headers["Range"] != nil)
        first.send(SIGTERM)
        #expect(first.wait() == 0, "\(first.output)")
        #expect(first.output.contains(WorkerLines.ended(done: 0, failed: 0)), "\(first.output)")
    }

    @Test("A worker that is told twice parks its download, and the next one goes on with it")
    func park() throws {
        let count: Int64 = 4 << 20
        let gate = try server.gate(named: "middle")
        let file = Behaviour.file(seed: 0, count: count)
        server.setRoute(
            "/f0", .sequence([file.adjusting { $0.delivery.stalls = [Stall(after: 3 << 20, gate: gate)] }, file]))
        try queue.add(text: server.url("/f0"))
        let first = try worker("-j", "1")
        try eventually("most is there") {
            Int(try queue.value("SELECT received FROM netdash.job") ?? "") ?? 0 > 2 << 20
        }
        first.send(SIGTERM)
        // Two signals at once count as one.
        eventually("it is stopping") { first.output.contains(WorkerLines.stopping) }
        first.send(SIGTERM)
        #expect(first.wait() == 0, "\(first.output)")
        #expect(try queue.status().jobs == ["waiting": 1])
        let second = try worker("-j", "1", "--drain")
        #expect(second.wait() == 0, "\(second.output)")
        try expectFiles(1, count: count)
        #expect(server.requests.last?.headers["Range"] != nil)
        #expect(try queue.value("SELECT attempts FROM netdash.job") == "0", "\(second.output)")
    }

    @Test("Retry-After of one answer keeps all workers from the host")
    func retryAfter() throws {
        for number in 0..<20 {
            server.setRoute("/f\(number)", .respond(ScriptedResponse(429, headers: ["Retry-After": "600"])))
        }
        try queue.add(text: (0..<20).map { server.url("/f\($0)") }.joined(separator: "\n"))
        let workers = try (1...2).map { _ in try worker("-j", "2") }
        try eventually("the host is held") {
            try queue.value("SELECT bool_or(not_before > now() + interval '500 s') FROM netdash.host") == "t"
        }
        try eventually("its jobs are back") { try queue.count(.waiting) == 20 }
        for one in workers {
            one.send(SIGTERM)
            #expect(one.wait() == 0, "\(one.output)")
        }
        // Each worker had two slots when the first answer came.
        #expect(server.requestCount <= 4)
        #expect(try queue.value("SELECT sum(attempts) FROM netdash.job") == "0")
    }

    @Test("A destination with the job's content counts as done, and another file is never replaced")
    func existing() throws {
        try add(files: 2)
        let content = DeterministicContent(seed: 0, count: 10_240)
        let digest = "sha-256=" + (try sha256(content.bytes))
        try queue.connection.run("UPDATE netdash.job SET checksum = '\(digest)' WHERE dest = 'f0'")
        try Data(content.bytes).write(to: URL(filePath: folder.path + "/f0"))
        try Data("mine".utf8).write(to: URL(filePath: folder.path + "/f1"))
        let one = try worker("--drain")
        #expect(one.wait() == 0, "\(one.output)")
        #expect(try queue.status().jobs == ["done": 1, "dead": 1])
        #expect(try queue.value("SELECT received || ' ' || total FROM netdash.job WHERE dest = 'f0'") == "10240 10240")
        #expect(try queue.status().causes.map(\.cause) == [CauseFaults.otherFile])
        #expect(try queue.status().causes.map(\.example) == [TransferFaults.otherFile("f1 (1)")])
        #expect(try String(contentsOfFile: folder.path + "/f1", encoding: .utf8) == "mine")
        #expect(server.requests(for: "/f0").isEmpty)
    }

    private func sha256(_ bytes: [UInt8]) throws -> String {
        let path = folder.path + "/.content"
        try Data(bytes).write(to: URL(filePath: path))
        let program = try ChildProcess("/usr/bin/sha256sum", [path])
        #expect(program.wait() == 0)
        return String(program.output.prefix(64))
    }

    @Test("A secret reaches the server by the worker, and neither the queue nor its lines have it")
    func secret() throws {
        server.setRoute("/f0", .file(seed: 0, count: 10))
        let list = "\(server.url("/f0"))\n  header=Authorization: @env:TOKEN\n"
        try queue.add(text: list + "\(server.url("/f0"))\n  out=b\n  header=X-Key: @env:OTHER\n  priority=-1")
        let one = try worker("--drain", "--secrets", "env:TOKEN", variables: ["TOKEN": "sesame", "OTHER": "x"])
        #expect(one.wait() == 0, "\(one.output)")
        #expect(server.requests.map { $0.headers["Authorization"] } == ["sesame"])
        let host = "127.0.0.1:\(server.port)"
        let refusal = TransferFaults.notAllowed("env:OTHER", host: host, isFirst: false)
        #expect(try queue.status().causes.map(\.cause) == [refusal])
        let all = try #require(try queue.value("SELECT string_agg(j::text, ' ') FROM netdash.job j"))
        #expect(!all.contains("sesame") && !one.output.contains("sesame"))
    }

    @Test("A command of the worker's list gives its secret once for many jobs, and another text runs nothing")
    func secretCommand() throws {
        try add(files: 5, count: 10)
        let mark = folder.path + "/.runs"
        let script = folder.path + "/.secret"
        try "#!/bin/sh\necho run >>\(mark)\necho sesame\n".write(toFile: script, atomically: true, encoding: .utf8)
        try #require(chmod(script, 0o700) == 0)
        try queue.connection.run(
            #"UPDATE netdash.job SET request = '{"bearer":["@cmd:\#(script)"]}' WHERE dest <> 'f4'"#)
        try queue.connection.run(
            #"UPDATE netdash.job SET request = '{"bearer":["@cmd:\#(script) x"]}' WHERE dest = 'f4'"#)
        let one = try worker("--drain", "--secrets", "cmd:\(script)")
        #expect(one.wait() == 0, "\(one.output)")
        #expect(server.requests.map { $0.headers["Authorization"] } == Array(repeating: "Bearer sesame", count: 4))
        #expect(try String(contentsOfFile: mark, encoding: .utf8) == "run\n")
        let host = "127.0.0.1:\(server.port)"
        let refusal = TransferFaults.notAllowed("cmd:\(script) x", host: host, isFirst: false)
        #expect(try queue.status().causes.map(\.cause) == [refusal])
        let all = try #require(try queue.value("SELECT string_agg(j::text, ' ') FROM netdash.job j"))
        #expect(!all.contains("sesame") && !one.output.contains("sesame"))
    }
}

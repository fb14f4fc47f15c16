import Foundation
import Glibc
import LoopbackServer
import Testing

/// Runs that get few descriptors, threads or addresses: they work with what there is, or say in one sentence what is missing.
@Suite("Scarce means", .timeLimit(.minutes(1)))
struct ScarcityTests {
    private static let content = DeterministicContent(seed: 3, count: 100_000).bytes
    /// A user who has no other process.
    private static let user = 60_000 + Int(getpid()) % 5_000
    private static let canChangeUser = getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    @Test("With 64 descriptors two hundred files, a hundred at once, are all right")
    func fewDescriptors() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([:])
        let sizes = (0..<200).map { $0 % 2 == 0 ? 100 : Self.content.count }
        for (number, size) in sizes.enumerated() { server.setRoute("/\(number)", .file(seed: 3, count: Int64(size))) }
        try folder.write(sizes.indices.map { server.url("/\($0)") + "\n" }.joined(), to: "list")
        let run = try await ProgramRun.finished(
            ["--quiet", "-j", "100", "--max-per-host", "100", "--retries", "0", "-d", "out", "-i", "list"], in: folder,
            before: ["/bin/sh", "-c", "ulimit -n 64; exec \"$0\" \"$@\""])
        #expect(run.status == 0, "\(run.messages.prefix(300))")
        let wrong = sizes.enumerated().filter { number, size in
            folder.bytes(of: "out/\(number)") != Array(Self.content.prefix(size))
        }
        #expect(wrong.isEmpty)
        #expect(try ScratchFolder.names(in: folder.path(of: "out")).count == 200)
    }

    @Test(
        "Too few threads are one sentence at the start and never a wait, and enough are enough",
        .enabled(if: canChangeUser), arguments: [1, 4, 7, 10, 40])
    func fewThreads(limit: Int) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(seed: 3, count: 100_000)])
        try #require(chmod(folder.path, 0o755) == 0)
        let change = "exec setpriv --reuid \(Self.user + limit) --clear-groups prlimit --nproc=\(limit)"
        let run = try await ProgramRun.finished(
            ["--plain", "--retries", "0", "-d", "out", server.url("/file")], in: folder,
            environment: ["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""],
            before: [
                "/bin/sh", "-c", "mkdir out && chown \(Self.user + limit) out && \(change) \"$0\" \"$@\"",
            ])
        if limit < 40 {
            #expect(run.status == 2)
            #expect(run.lines.count == 1 && run.messages.contains("cannot create a thread"), "\(run.messages)")
        } else {
            #expect(run.status == 0, "\(run.messages)")
            #expect(folder.bytes(of: "out/file") == Self.content)
        }
    }

    @Test(
        "Memory that runs out while a download runs costs no byte that is on the disk, and the next run brings the rest"
    )
    func memoryRunsOut() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([:])
        let gate = try server.gate(named: "half")
        let complete = Behaviour.file(seed: 3, count: 3_000_000)
        server.setRoute("/file", complete.stalling(after: 1_500_000, until: gate))
        let run = try ProgramRun(["--plain", "--retries", "0", server.url("/file")], in: folder)
        _ = try await waitUntil("the server to stand still") { gate.arrivals > 0 ? true : nil }
        try Self.takeMemory(from: run.process)
        gate.release()
        let first = try await run.waitForEnd()
        if first.status != 0 {
            #expect(folder.bytes(of: "file") == nil, "\(first.messages)")
            server.setRoute("/file", complete)
            let second = try await ProgramRun.finished(["--plain", server.url("/file")], in: folder)
            #expect(second.status == 0, "\(second.messages)")
        }
        #expect(folder.bytes(of: "file") == DeterministicContent(seed: 3, count: 3_000_000).bytes)
    }

    /// Lets a process have no more addresses than it has at the moment.
    private static func takeMemory(from process: pid_t) throws {
        let figures = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
        let pages = try #require(figures.split(separator: " ").first.flatMap { Int($0) })
        let change = Process()
        change.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        change.arguments = ["--pid", "\(process)", "--as=\(pages * Int(getpagesize()))"]
        try change.run()
        change.waitUntilExit()
        try #require(change.terminationStatus == 0)
    }

    @Test(
        "Too little address space is one sentence at the start, and enough is enough",
        arguments: [200_000, 300_000, 360_000, 600_000])
    func fewAddresses(kibibytes: Int) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([:])
        for number in 0..<20 { server.setRoute("/\(number)", .file(seed: 3, count: 100_000)) }
        let run = try await ProgramRun.finished(
            ["--quiet", "-j", "20", "--max-per-host", "20"] + (0..<20).map { server.url("/\($0)") }, in: folder,
            before: ["/bin/sh", "-c", "ulimit -v \(kibibytes); exec \"$0\" \"$@\""])
        if run.status == 0 {
            #expect((0..<20).allSatisfy { folder.bytes(of: "\($0)") == Self.content })
        } else {
            #expect(run.status == 2 && kibibytes < 600_000, "\(run.messages)")
            #expect(run.lines.count == 1 && run.messages.contains("address space"), "\(run.messages)")
        }
    }
}

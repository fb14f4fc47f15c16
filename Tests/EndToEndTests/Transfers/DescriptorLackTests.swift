import Foundation
import Glibc
import LoopbackServer
import Testing

/// Runs that have no descriptor left for a while, as a service with many windows has: its tasks wait and do not fail.
@Suite("No descriptor left", .timeLimit(.minutes(1)))
struct DescriptorLackTests {
    /// What lacks a descriptor first.
    enum Lack: String, Sendable, CaseIterable, CustomTestStringConvertible {
        /// The connection is there, and the file complete in memory.
        case smallFile
        /// The connection is there, and its response begins.
        case part
        case connection
        case folder

        var testDescription: String { rawValue }

        func list(_ first: LoopbackServer, _ second: LoopbackServer, _ folder: ScratchFolder) -> [String] {
            switch self {
            case .smallFile: [first.url("/small")]
            case .part: [first.url("/large")]
            case .connection: [second.url("/large")]
            case .folder: [first.url("/large"), "  dir=\(folder.path(of: "other"))"]
            }
        }
    }

    @Test(
        "A task waits while there is none, says so with what to do, and is done once there is one",
        arguments: Lack.allCases)
    func waits(lack: Lack) async throws {
        let folder = try ScratchFolder()
        let routes: [String: Behaviour] = [
            "/first": .file(seed: 1, count: 10), "/small": .file(seed: 2, count: 10),
            "/large": .file(seed: 3, count: 3_000_000),
        ]
        let (first, second) = (try Served.start(routes), try Served.start(routes))
        let pipe = try Pipeline()
        let run = try ProgramRun(
            ["--plain", "--retries", "1", first.url("/first"), "-i", "-"], in: folder, input: pipe.readEnd,
            before: ["/bin/sh", "-c", "ulimit -Sn 200; exec \"$0\" \"$@\""])
        pipe.closeReadEnd()
        try await run.waitForMessages("the first file") { $0.contains("completed") }
        try Self.limit(run.process, to: 3)
        try pipe.write(Array((lack.list(first, second, folder).joined(separator: "\n") + "\n").utf8))
        pipe.closeWriteEnd()
        try await run.waitForMessages("the lack to be told") { $0.contains("too many open files (see ulimit -n)") }
        try Self.limit(run.process, to: 200)
        let end = try await run.waitForEnd()
        #expect(end.status == 0, "\(end.messages)")
        #expect(end.messages.contains("retrying"), "\(end.messages)")
        switch lack {
        case .smallFile: #expect(folder.bytes(of: "small")?.count == 10)
        case .part, .connection: #expect(folder.bytes(of: "large") == Self.content)
        case .folder: #expect(folder.bytes(of: "other/large") == Self.content)
        }
        #expect(try folder.parts.isEmpty)
    }

    private static let content = DeterministicContent(seed: 3, count: 3_000_000).bytes

    /// Sets how many descriptors a process may have from now on.
    private static func limit(_ process: pid_t, to count: Int) throws {
        let change = Process()
        change.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        change.arguments = ["--pid", "\(process)", "--nofile=\(count):"]
        try change.run()
        change.waitUntilExit()
        try #require(change.terminationStatus == 0)
    }
}

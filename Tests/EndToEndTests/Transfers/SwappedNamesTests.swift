import Foundation
import Glibc
import LoopbackServer
import Testing

/// Somebody who may write to the folder puts links in the place of names while they are used.
@Suite("Names that are swapped", .timeLimit(.minutes(1)))
struct SwappedNamesTests {
    @Test("Links that take the place of file, part and description in a race lead nobody to what they name")
    func race() async throws {
        let folder = try ScratchFolder()
        let victim = try folder.write("precious", to: "victim")
        try #require(chmod(victim, 0o640) == 0)
        let server = try Served.start()
        let gate = try server.gate(named: "middle")
        // Some come in one read, some stand still in their middle, and some are cut and go on.
        let names = (0..<12).map { "file-\($0).bin" }
        for (number, name) in names.enumerated() {
            let file = ServedResource(seed: UInt64(number), count: number % 3 == 0 ? 3_000 : 300_000)
            let stalled = Behaviour.resource(file).stalling(after: 100_000, until: gate)
            server.setRoute("/" + name, number % 3 == 2 ? .flaky(file, after: 100_000) : stalled)
        }
        try FileManager.default.createDirectory(atPath: folder.path(of: "out"), withIntermediateDirectories: false)
        let policy = geteuid() == 0 ? "overwrite" : "rename"
        let run = try ProgramRun(
            ["--quiet", "-j", "3", "--if-exists", policy, "-d", "out"] + names.map { server.url("/" + $0) }, in: folder)
        // At least some swaps come while parts are there.
        _ = try await waitUntil("parts", otherwise: { run.messages }) {
            Self.swapOnce(names, in: folder) > 0 ? true : nil
        }
        gate.release()
        // A thread of its own: one that never waits would keep the other tests from theirs.
        let (stop, stopped) = (try Gate(), try Gate())
        Thread.detachNewThread {
            while !stop.isReleased { _ = Self.swapOnce(names, in: folder) }
            stopped.release()
        }
        let end = try await run.waitForEnd()
        stop.release()
        _ = try await waitUntil("the end of the swapping") { stopped.isReleased ? true : nil }
        #expect(end.status < 128, "\(end.messages)")
        #expect(folder.bytes(of: "victim") == Array("precious".utf8))
        var status = stat()
        #expect(lstat(victim, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o640 && status.st_nlink == 1)
        // Whatever stands under a final name and is a file is right.
        for (number, name) in names.enumerated() {
            let path = folder.path(of: "out/" + name)
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let count: Int64 = number % 3 == 0 ? 3_000 : 300_000
            #expect(
                folder.bytes(of: "out/" + name) == DeterministicContent(seed: UInt64(number), count: count).bytes)
        }
    }

    /// Puts links to the victim in the place of names, one after the other; counts those of parts.
    private static func swapOnce(_ names: [String], in folder: ScratchFolder) -> Int {
        let out = folder.path(of: "out") + "/"
        let link = folder.path(of: "link")
        var swaps = 0
        let present = ((try? ScratchFolder.names(in: out)) ?? []).filter { $0.hasPrefix(".") }
        for name in present + names.shuffled().prefix(2) {
            guard symlink("../victim", link) == 0 else { continue }
            // A user's own links are followed; these are another user's.
            if geteuid() == 0 { guard lchown(link, 65_534, 65_534) == 0 else { continue } }
            if rename(link, out + name) == 0, name.hasSuffix(".part") { swaps += 1 }
            unlink(link)
        }
        return swaps
    }
}

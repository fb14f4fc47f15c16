import Foundation
import Glibc
import LoopbackServer
import Testing

/// What a shell sets for the programs it starts: a limit of files' sizes, and which rights new files lack.
@Suite("Limits and masks of the user", .timeLimit(.minutes(1)))
struct UserLimitsTests {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test("A limit on the size of files fails the one download that meets it, and no signal ends the program")
    func fileSize() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/large": .file(seed: 3, count: 4_000_000), "/small": .file(seed: 3, count: 100_000),
        ])
        // A unit of the shell's limit is 512 bytes.
        let run = try await ProgramRun.finished(
            ["-j", "1", server.url("/large"), server.url("/small")], in: folder,
            before: ["/bin/sh", "-c", "ulimit -f 2000; exec \"$0\" \"$@\""])
        #expect(run.status == 1 || run.status == 3, "\(run.status)")
        #expect(run.messages.contains("larger than the file system or process limit allows"), "\(run.messages)")
        #expect(run.messages.contains("1 completed, 1 failed"), "\(run.messages)")
        #expect(try !folder.names.contains("large"))
        #expect(folder.bytes(of: "small")?.count == 100_000)
    }

    @Test(
        "Under a wide and under a narrow umask parts, state and log are for their user alone, a file is like any other",
        arguments: [("000", 0o666), ("077", 0o600), ("022", 0o644)])
    func umasks(mask: String, wanted: mode_t) async throws {
        let download = try GatedDownload()
        let folder = download.folder
        download.server.setRoute("/small", .file(seed: 1, count: 10))
        let run = try ProgramRun(
            ["--plain", "--session", "s", "--log", "log", download.url, download.server.url("/small")], in: folder,
            environment: ["XDG_STATE_HOME": folder.path(of: "state")],
            before: ["/bin/sh", "-c", "umask \(mask); exec \"$0\" \"$@\""])
        let part = try await waitUntil("the part", otherwise: { run.messages }) { try folder.parts.first }
        _ = try await waitUntil("the small file") { folder.bytes(of: "small") != nil ? true : nil }
        #expect(mode(folder.path(of: part)) == 0o600)
        #expect(mode(folder.path(of: part + ".meta")).map { $0 == 0o600 } ?? true)
        let state = folder.path(of: "state/netdash")
        #expect(mode(state) == 0o700)
        let names = try ScratchFolder.names(in: state)
        #expect(names.contains("s.sqlite"))
        for name in names { #expect(mode(state + "/" + name) == 0o600, "\(name)") }
        download.release()
        #expect(try await run.waitForEnd().status == 0)
        #expect(mode(folder.path(of: "log")) == 0o600)
        #expect(mode(folder.path(of: "file.bin")) == wanted)
        #expect(mode(folder.path(of: "small")) == wanted)
    }
}

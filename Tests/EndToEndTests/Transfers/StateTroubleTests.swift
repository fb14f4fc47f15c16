import Foundation
import Glibc
import LoopbackServer
import Testing

/// Saved sessions whose place fails while they are open: transfers go on, and it is said that nothing is saved.
@Suite("Trouble with saved sessions", .timeLimit(.minutes(1)))
struct StateTroubleTests {
    private let download: GatedDownload
    private var folder: ScratchFolder { download.folder }
    private let words = ["--plain", "--session", "s", "--retries", "0"]

    init() throws {
        download = try GatedDownload()
    }

    private func waitForAnswer(_ run: ProgramRun) async throws {
        try await run.waitForMessages("the server's answer") { $0.contains("response") }
    }

    @Test("A session whose folder is removed while it is open is said not to be saved, and the download is right")
    func removed() async throws {
        let run = try ProgramRun(
            words + [download.url], in: folder, environment: ["XDG_STATE_HOME": folder.path(of: "state")])
        try await waitForAnswer(run)
        try FileManager.default.removeItem(atPath: folder.path(of: "state/netdash"))
        download.release()
        let end = try await run.waitForEnd()
        #expect(end.status == 3, "\(end.messages)")
        #expect(end.messages.contains("Changes are not saved"), "\(end.messages)")
        #expect(end.messages.contains("moved or removed"), "\(end.messages)")
        #expect(end.lines.count { $0.contains("not saved") } <= 2)
        #expect(download.file == GatedDownload.content.bytes)
    }

    @Test("Cookies that cannot be written are named, and fail a run that succeeded otherwise")
    func unwrittenCookies() async throws {
        let jars = folder.path(of: "jars")
        try FileManager.default.createDirectory(atPath: jars, withIntermediateDirectories: false)
        let run = try ProgramRun(["--plain", "--cookie-jar", "jars/jar", download.url], in: folder)
        try await waitForAnswer(run)
        try FileManager.default.removeItem(atPath: jars)
        download.release()
        let end = try await run.waitForEnd()
        #expect(end.status == 3 && end.messages.contains("Cannot write the cookies to jars/jar"), "\(end.messages)")
        #expect(download.file == GatedDownload.content.bytes)
    }

    @Test(
        "A disk that is full for the session alone stops no download, is named, and leaves the session readable",
        .enabled(if: RowStoryTests.canMount))
    func full() async throws {
        try #require(mkfifo(folder.path(of: "fill"), 0o600) == 0)
        download.server.setRoute("/small", .file(seed: 1, count: 10))
        let script = """
            mkdir state && mount -t tmpfs -o size=400k tmpfs state && "$0" --plain --session s -d out "$SMALL" \
            && { { read -r line <fill; cat /dev/zero >state/filler 2>errors; : >filled; } & } \
            && "$0" "$@"; code=$?; rm state/filler; "$0" --plain --session s --if-exists skip && : >again; exit $code
            """
        let run = try ProgramRun(
            words + [download.url], in: folder,
            environment: ["XDG_STATE_HOME": folder.path(of: "state"), "SMALL": download.server.url("/small")],
            before: ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script])
        _ = try await waitUntil("the server's answer", otherwise: { run.messages }) {
            download.server.requests.contains { $0.path == "/file.bin" } ? true : nil
        }
        let fill = try DeviceFile(folder.path(of: "fill"))
        #expect(write(fill.descriptor, "x\n", 2) == 2)
        _ = try await waitUntil("a full disk") { folder.bytes(of: "filled") }
        download.release()
        let end = try await run.waitForEnd()
        #expect(end.status == 3, "\(end.messages)")
        #expect(end.messages.contains("Changes are not saved"), "\(end.messages)")
        #expect(folder.bytes(of: "out/small")?.count == 10)
        #expect(download.file == GatedDownload.content.bytes)
        // The session opened again, and what it had was done.
        #expect(folder.bytes(of: "again") != nil, "\(end.messages)")
    }

    /// Too little for the file, for its shared memory, and for what follows: what is mapped was written before, so that no
    /// page of it is missing.
    @Test(
        "A disk with no more than a few pages for a session is named, and no page of shared memory is missing",
        .enabled(if: RowStoryTests.canMount), arguments: [2, 9, 15])
    func fewPages(_ count: Int) async throws {
        download.release()
        let script = """
            mkdir state && mount -t tmpfs -o size=400k tmpfs state && mkdir -m 700 state/netdash \
            && { cat /dev/zero >state/filler 2>errors; truncate -s -$((\(count) * 4096)) state/filler; } && "$0" "$@"
            """
        let run = try await ProgramRun.finished(
            words + [download.url], in: folder, environment: ["XDG_STATE_HOME": folder.path(of: "state")],
            before: ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script])
        #expect((1...3).contains(run.status), "\(run.status) \(run.messages)")
        #expect(run.messages.contains("full"), "\(run.messages)")
        #expect(run.messages.contains("cannot be opened") || download.file == GatedDownload.content.bytes)
    }

    @Test("A session on a file system without locks is refused in one sentence")
    func withoutLocks() async throws {
        guard let environment = RefusingFileSystem.environment(refusing: [RefusingFileSystem.Call.databaseLocks]) else {
            return
        }
        let run = try await ProgramRun.finished(words + [download.url], in: folder, environment: environment)
        #expect(run.status != 0 && run.status < 128, "\(run.messages)")
        #expect(run.lines.count == 1 && run.messages.contains("session \"s\" cannot be opened"), "\(run.messages)")
        #expect(download.server.requests.isEmpty)
    }

    @Test("A copy of a session that was made while it was used goes on elsewhere, from the first byte without the part")
    func copied() async throws {
        let user = try UserFolder()
        let first = try ProgramRun(words + [download.url], in: folder, environment: user.environment)
        try await waitForAnswer(first)
        _ = try await waitUntil("the row on the disk") {
            SessionLog(path: user.path(of: "s.sqlite-wal")).hasCommitted(Data("/file.bin".utf8)) ? true : nil
        }
        let copy = try UserFolder(copying: user)
        try first.signal(SIGKILL)
        #expect(try await first.waitForEnd().status == 137)
        for name in try folder.names { try FileManager.default.removeItem(atPath: folder.path(of: name)) }
        let second = try await ProgramRun.finished(words, in: folder, environment: copy.environment)
        #expect(second.status == 0, "\(second.messages)")
        #expect(download.file == GatedDownload.content.bytes)
        #expect(try folder.names == ["file.bin"])
    }

    @Test(
        "Folders that cannot be written, are missing or are no paths stop no download",
        arguments: [
            ["HOME": "/proc", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""], ["TMPDIR": "/nowhere"],
            ["HOME": "", "XDG_STATE_HOME": "relative", "XDG_CONFIG_HOME": "relative"],
            ["HOME": "/nowhere", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""],
        ])
    func noHome(environment: [String: String]) async throws {
        download.release()
        let run = try await ProgramRun.finished(["--plain", download.url], in: folder, environment: environment)
        #expect(run.status == 0, "\(run.messages)")
        #expect(download.file == GatedDownload.content.bytes)
        #expect(try folder.names == ["file.bin"])
        guard environment["HOME"] == "/proc" else { return }
        let saved = try await ProgramRun.finished(words + [download.url], in: folder, environment: environment)
        #expect(saved.status != 0 && saved.lines.count == 1 && saved.messages.contains("/proc"), "\(saved.messages)")
    }
}

import Foundation
import Glibc
import LoopbackServer
import Testing

/// Disks that are taken away while files arrive on them.
@Suite("Detached disks", .timeLimit(.minutes(1)))
struct DetachedDiskTests {
    @Test(
        "A file whose disk is detached while it arrives is told at the path that it had, and at no other one",
        .enabled(if: RowStoryTests.canMount))
    func detached() async throws {
        let download = try GatedDownload()
        let folder = download.folder
        try #require(mkfifo(folder.path(of: "turn"), 0o600) == 0)
        let script = """
            mkdir disk && mount -t tmpfs -o size=4m tmpfs disk && \
            { { read -r line <turn; umount -l disk; : >detached; } & } && exec "$0" "$@"
            """
        let run = try ProgramRun(
            ["--json", "-d", folder.path(of: "disk"), download.url], in: folder,
            before: ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script])
        try await download.waitUntilRead()
        let turn = try DeviceFile(folder.path(of: "turn"))
        #expect(write(turn.descriptor, "x\n", 2) == 2)
        _ = try await waitUntil("the detached disk") { folder.bytes(of: "detached") }
        download.release()
        let end = try await run.waitForEnd()
        let line = end.text.split(separator: "\n").first { $0.contains(#""completed""#) }
        #expect(line?.contains(#""path":"\#(folder.path)/disk/file.bin""#) ?? false, "\(end)")
    }
}

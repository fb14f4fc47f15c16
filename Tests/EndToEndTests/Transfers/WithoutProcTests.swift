import Foundation
import Glibc
import LoopbackServer
import Testing

/// A system in which `/proc` is not mounted, such as a bare chroot.
@Suite("Without /proc", .timeLimit(.minutes(1)))
struct WithoutProcTests {
    @Test(
        "Without /proc a file has the rights that the mask gives, and add starts the service",
        .enabled(if: RowStoryTests.canMount))
    func withoutProc() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(seed: 1, count: 10)])
        let user = try UserFolder()
        let environment = try user.environmentWithService()
        let script = """
            umask 022 && mount -t tmpfs tmpfs /proc && "$0" --plain -d plain "$1" && "$0" add -d added "$1" \
            && "$0" wait; code=$?; "$0" stop; exit $code
            """
        let end = try await ProgramRun.finished(
            [server.url("/file")], in: folder, environment: environment,
            before: ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script])
        #expect(end.status == 0, "\(end)")
        for name in ["plain/file", "added/file"] {
            var status = stat()
            #expect(lstat(folder.path(of: name), &status) == 0 && status.st_mode & 0o777 == 0o644, "\(name)")
        }
    }
}

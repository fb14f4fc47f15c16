import Foundation
import Glibc
import Testing

/// What doctor says of folders in which no session can be saved, and no service can listen.
@Suite("Folders that doctor looks at", .timeLimit(.minutes(1)))
struct DoctorFolderTests {
    private func line(_ topic: String, _ report: ProgramRun.Result) -> String {
        report.text.split(separator: "\n").first { $0.contains(" \(topic) ") }.map(String.init) ?? ""
    }

    @Test("A folder of sessions that others can enter is an error")
    func openFolder() async throws {
        let folder = try ScratchFolder()
        let state = folder.path(of: "state/netdash")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try #require(chmod(state, 0o777) == 0)
        let report = try await ProgramRun.finished(
            ["doctor"], in: folder, environment: ["XDG_STATE_HOME": folder.path(of: "state")])
        #expect(report.status == 1)
        #expect(line("sessions", report).hasPrefix("ERROR"), "\(report.text)")
        #expect(line("sessions", report).contains("chmod 700 \(state)"), "\(report.text)")
    }

    @Test(
        "Folders that are missing on a file system that is read-only are an error, and the service is warned of",
        .enabled(if: RowStoryTests.canMount))
    func readOnly() async throws {
        let folder = try ScratchFolder()
        let disk = folder.path(of: "disk")
        let script = "mkdir disk && mount -t tmpfs -o ro tmpfs disk && exec \"$0\" \"$@\""
        let report = try await ProgramRun.finished(
            ["doctor"], in: folder, environment: ["XDG_STATE_HOME": disk + "/state", "XDG_RUNTIME_DIR": disk],
            before: ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script])
        #expect(report.status == 1)
        #expect(line("sessions", report).hasPrefix("ERROR"), "\(report.text)")
        #expect(line("sessions", report).contains("cannot be made in \(disk)"), "\(report.text)")
        #expect(line("service", report).hasPrefix("warn"), "\(report.text)")
    }

    @Test("Folders that are missing and can be made are right, and doctor makes none")
    func missing() async throws {
        let folder = try ScratchFolder()
        let report = try await ProgramRun.finished(
            ["doctor"], in: folder,
            environment: ["XDG_STATE_HOME": folder.path(of: "a/b"), "XDG_RUNTIME_DIR": folder.path])
        #expect(line("sessions", report).hasPrefix("ok"), "\(report.text)")
        #expect(line("service", report).hasPrefix("ok"), "\(report.text)")
        #expect(try folder.names.isEmpty)
    }
}

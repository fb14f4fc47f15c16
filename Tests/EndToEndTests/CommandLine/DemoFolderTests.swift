import Foundation
import Testing

/// The folder in which the demo makes its files.
@Suite("The demo's folder", .timeLimit(.minutes(1)))
struct DemoFolderTests {
    @Test("A demo without a folder for its files says so in a sentence, with what to do")
    func demo() async throws {
        let folder = try ScratchFolder()
        try folder.write("no folder", to: "file")
        let end = try await ProgramRun.finished(
            ["demo", "--plain"], in: folder, environment: ["TMPDIR": folder.path(of: "file")])
        #expect(end.status == 3 && end.lines.count == 1, "\(end)")
        #expect(end.messages.contains("set TMPDIR to another folder"), "\(end.messages)")
    }
}

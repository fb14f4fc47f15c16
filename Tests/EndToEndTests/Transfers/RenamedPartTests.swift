import Foundation
import Glibc
import LoopbackServer
import Testing

/// A partial file that another program renames while it is written.
@Suite("Renamed partial files", .timeLimit(.minutes(1)))
struct RenamedPartTests {
    @Test(
        "The failure names no partial file that is not there, in lines, in JSON and for hooks",
        arguments: [false, true])
    func renamed(isJSON: Bool) async throws {
        let download = try GatedDownload()
        let folder = download.folder
        let hook = #"printf '%s' "$NETDASH_PART" >hook"#
        let run = try ProgramRun(
            [isJSON ? "--json" : "--plain", "--retries", "0", "--on-error", hook, download.url], in: folder)
        try await download.waitUntilRead()
        let part = try await waitUntil("the part") { try folder.parts.first }
        #expect(rename(folder.path(of: part), folder.path(of: "mine")) == 0)
        download.release()
        let end = try await run.waitForEnd()
        #expect(end.status != 0)
        #expect(!end.messages.contains("kept") && !end.text.contains("\"path\":\""), "\(end)")
        #expect(folder.bytes(of: "hook")?.isEmpty == true)
        #expect(folder.bytes(of: "mine") != nil)
    }
}

import Foundation
import LoopbackServer
import Testing

/// The steps of a transfer in the events of its end.
@Suite("Timings", .timeLimit(.minutes(1)))
struct TimingsTests {
    @Test("The end of a request and of a download has its timings in --json")
    func timings() async throws {
        let (server, folder) = (try Served.start(["/file": .file(count: 1000)]), try ScratchFolder())
        for words in [["--json", "GET"], ["--json"]] {
            let result = try await ProgramRun.finished(words + [server.url("/file")], in: folder)
            let line = try #require(result.text.split(separator: "\n").first { $0.contains(#""event":"completed""#) })
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let timings = try #require(object["timings"] as? [String: Any])
            #expect(timings.keys.sorted() == ["connect", "dns", "firstByte", "tls", "total"])
            #expect(timings["total"] is Double && timings["tls"] is NSNull, "\(line)")
        }
    }
}

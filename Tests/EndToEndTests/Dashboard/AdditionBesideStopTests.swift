import Foundation
import LoopbackServer
import Testing

/// Additions while the service is stopped again and again.
@Suite("netdash add beside netdash stop", .timeLimit(.minutes(3)))
struct AdditionBesideStopTests {
    @Test("Each addition is carried out once, and its number is told")
    func beside() async throws {
        let shared = try SharedService()
        defer { shared.download.release() }
        let server = shared.download.server
        let rounds = 12
        #expect(try await shared.run("add", "--start-at", "+9h", server.url("/first")).status == 0)
        var numbers: [String] = ["1"]
        for round in 0..<rounds {
            let stop = try ProgramRun(["stop"], in: shared.download.folder, environment: shared.environment)
            let added = try await shared.run("add", "--start-at", "+9h", server.url("/\(round)"))
            _ = try await stop.waitForEnd()
            #expect(added.status == 0 && added.messages.isEmpty, "round \(round): \(added)")
            numbers += added.text.split(separator: "\n").map(String.init)
        }
        #expect(numbers.count == rounds + 1 && Set(numbers).count == numbers.count, "\(numbers)")
        // The last stop may have ended the service after the addition.
        #expect(try await shared.run("add", "--start-at", "+9h", server.url("/last")).status == 0)
        let status = try await shared.run("status").text
        for number in numbers { #expect(status.contains("\n\(number), "), "\(number) in \(status)") }
        #expect(status.split(separator: "\n").count == rounds + 4, "\(status)")
        _ = try await shared.run("stop")
    }
}

import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// The reason for which a source is left names that source's server, whichever connections took the lead before.
@Suite("Reasons for leaving a source", .timeLimit(.minutes(1)))
struct SourceReasonTests {
    @Test("A source that cuts its answers is named where it is left")
    func namesItsServer() throws {
        let (first, second) = (LoopbackServer(), LoopbackServer())
        for server in [first, second] { try server.start() }
        let harness = try EngineHarness { ($0.maximumRetries, $0.maximumConcurrentTransfersPerHost) = (2, 64) }
        let good = Behaviour.file(seed: 7, count: 6_000_000).limited(to: 400_000)
        first.setRoute("/file", good.cutting(after: 150_000, .reset))
        second.setRoute("/file", good)
        let named = second.url("/file").replacingOccurrences(of: "127.0.0.1", with: "localhost")
        let ids = (0..<12).map { number in
            harness.download(first.url("/file"), name: .fixed("\(number)")) {
                $0.segmentation = Segmentation(connections: .exactly(4), minimumSegment: 500_000)
                $0.mirrors = Mirrors(urls: [named])
            }
        }
        for id in ids { harness.resume(id) }
        for id in ids { #expect(harness.outcome(of: id, resuming: false)?.error == nil) }
        let reasons = ids.flatMap { id in
            harness.events(of: id).compactMap { event -> String? in
                guard case .source(_, .switched(_, let url, let reason)) = event, url == first.url("/file") else {
                    return nil
                }
                return reason
            }
        }
        #expect(first.requestCount > ids.count, "Its answers were cut, and it was asked again")
        #expect(reasons.filter { !$0.contains("127.0.0.1") } == [])
    }
}

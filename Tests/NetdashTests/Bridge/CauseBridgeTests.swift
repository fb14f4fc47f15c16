import Foundation
import LoopbackServer
import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Rows know why they failed", .timeLimit(.minutes(1)))
struct CauseBridgeTests {
    @Test("Every kind of error of the library has its word")
    func everyCode() {
        for code in SessionError.Code.allCases { #expect(Cause(rawValue: code.rawValue) != nil, "\(code)") }
        for failure in [BodyOutput.Failure.readerGone, .notAFile, .notText, .system(errno: EIO)] {
            #expect(Cause(rawValue: TransferFailure(failure, path: nil).kind) != nil, "\(failure)")
        }
    }

    @Test("A row that waits for another attempt knows the answer that it waits after")
    func waiting() throws {
        let fixture = try BridgeFixture { $0.retries = 5 }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .respond(.text("no\n", status: 503)))
        fixture.bridge.add([fixture.job(.download, "/f")])
        let waits = fixture.observer.wait { events in
            events.contains { if case .retrying = $0.what { true } else { false } }
        }
        try #require(waits)
        // The status is published at the end of the turn that told of the wait.
        var row = fixture.bridge.figures(of: [1]).first
        let deadline = Date(timeIntervalSinceNow: 20)
        while row?.state != .retrying, Date() < deadline {
            row = fixture.bridge.figures(of: [1]).first
            sched_yield()
        }
        #expect(row?.cause == .http)
        #expect(row?.statusCode == 503)
    }

    @Test("A row that failed knows the kind of its failure, and a 404's body is no part of its file")
    func failed() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .respond(.text("no such thing\n", status: 404)))
        fixture.bridge.add([fixture.job(.download, "/f")])
        try #require(fixture.observer.waitForEnds())
        let missing = try #require(fixture.bridge.figures(of: [1]).first)
        #expect(missing.cause == .http)
        #expect(missing.statusCode == 404)
        #expect(missing.received == 0)
        fixture.bridge.add([Job(kind: .download, url: "http://127.0.0.1:1/f")])
        try #require(fixture.observer.waitForEnds(2))
        #expect(fixture.bridge.figures(of: [2]).first?.cause == .connectionRefused)
    }

    @Test("A redirect loop is one, and its last answer is not told as the reason")
    func redirectLoop() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        fixture.server.setRoute("/loop", .respond(.redirect(to: "/loop")))
        fixture.bridge.add([fixture.job(.download, "/loop")])
        try #require(fixture.observer.waitForEnds())
        let row = try #require(fixture.bridge.snapshots(of: [1]).first)
        #expect(row.cause == .tooManyRedirects)
        #expect(row.cause?.word(status: row.statusCode, cells: 11) == "redirects")
        #expect(row.error?.string.contains("Redirect loop") == true)
        #expect(row.error?.string.contains("Moved") == false)
    }
}

import LoopbackServer
import Testing

@testable import SessionCore

/// Parts that a later run, or the same one after a pause, goes on with at several sources.
extension MirrorTests {
    /// Leaves the part of a mirror, which holds the rest back until then.
    private func leavePart() throws {
        first.setRoute("/file", .respond(.text("no", status: 404)))
        let gate = try second.gate(named: "rest")
        second.setRoute("/file", good.stalling(after: 1_200_000, until: gate))
        let id = download(mirrors: [second])
        harness.resume(id)
        #expect(harness.waitForReceived(1 << 20, id))
        harness.intent(.cancelled(keepsPart: true), id)
        _ = harness.outcome(of: id, resuming: false)
        gate.release()
    }

    @Test("A part that a mirror began goes on with it, with and without the first source", arguments: [true, false])
    func goesOn(isBack: Bool) throws {
        try leavePart()
        for server in [first, second] { server.clearRequests() }
        if isBack { first.setRoute("/file", good.header("ETag", "\"another\"")) }
        let after = download(mirrors: isBack ? [second] : [third, second])
        #expect(hasFile(harness.outcome(of: after)))
        #expect(harness.restarts(of: after).isEmpty)
        #expect(sent(second) < 2 << 20 + 100_000)
        #expect(requests(second).first?.header("If-Range") == resource.entityTag)
    }

    @Test("A part that a mirror began goes on at a source that knows nothing of it, after a comparison")
    func goesOnElsewhere() throws {
        try leavePart()
        first.clearRequests()
        first.setRoute("/file", good.header("ETag", "\"another\""))
        let after = harness.download(first.url("/file"))
        #expect(hasFile(harness.outcome(of: after)))
        #expect(harness.restarts(of: after).isEmpty)
        #expect(sent(first) < 2 << 20 + 300_000)
    }

    @Test("A pause ends the connections to all sources, and they are made again")
    func paused() throws {
        // So slow that much is missing still when the pause has come to everybody.
        for server in [first, second] { server.setRoute("/file", good.limited(to: 256 << 10)) }
        let id = download(3, mirrors: [second])
        harness.resume(id)
        #expect(second.wait { $0.count >= 3 })
        #expect(harness.suspendAndWait(id))
        #expect(second.wait { $0.allSatisfy { $0.outcome != .running } })
        for server in [first, second] { server.setRoute("/file", good) }
        harness.resume(id)
        #expect(hasFile(harness.outcome(of: id, resuming: false)))
    }
}

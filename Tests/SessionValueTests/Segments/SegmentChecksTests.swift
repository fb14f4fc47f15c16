import Testing

@testable import SessionCore

/// What a segmented download decides about its connections, without any.
@Suite("Checks of a segmented download")
struct SegmentChecksTests {
    private func download(_ connections: Segmentation.Connections = .exactly(4)) -> SegmentedDownload {
        SegmentedDownload(
            Segmentation(connections: connections, minimumSegment: 64 << 10),
            plan: SegmentPlan(length: 64 << 20, contiguousEnd: 0), known: nil, now: 0)
    }

    private func lead(
        at position: Int64, isAccepted: Bool = true, isBlocked: Bool = false, mayStand: Bool = false
    ) -> LeadCheck {
        LeadCheck(position: position, isAccepted: isAccepted, isBlocked: isBlocked, mayStand: mayStand)
    }

    private let look = SegmentGrowth.Look(now: 0, received: 0, rest: 64 << 20, working: 1)

    @Test("The lead's speed is measured from its accepted bytes, and not while its sink has no room")
    func pulses() {
        let segments = download()
        segments.takePulses(lead(at: 1000, isAccepted: false), now: 1000)
        #expect(segments.leadPulse.speed == nil)
        segments.takePulses(lead(at: 1000, isBlocked: true), now: 1000)
        #expect(segments.leadPulse.speed == nil && segments.leadPulse.movedAt == 1000)
        segments.takePulses(lead(at: 2000), now: 2000)
        #expect(segments.leadPulse.speed == 1000)
        segments.takePulses(lead(at: 2000), now: 3000)
        #expect(segments.leadPulse.movedAt == 2000)
        segments.takePulses(lead(at: 2000, mayStand: true), now: 4000)
        #expect(segments.leadPulse.movedAt == 4000, "a limit of ours stops it")
    }

    @Test("A connection is replaced sooner than a transfer stalls")
    func limit() {
        #expect([4_000, 20_000, 60_000].map { SegmentedDownload.limit(stall: $0) } == [2_000, 10_000, 10_000])
    }

    @Test("A server gets one branch until it has shown that it sends ranges, and no more than it has room for")
    func wanted() {
        let segments = download()
        #expect(segments.wanted(look, isProven: false) { 8 } == 2)
        #expect(segments.wanted(look, isProven: true) { 8 } == 4)
        #expect(segments.wanted(look, isProven: true) { 0 } == 1 && segments.wantsMore)
        segments.hasSeenPart = true
        #expect(segments.wanted(look, isProven: false) { 8 } == 4)
        segments.end()
        #expect(segments.wanted(look, isProven: true) { 8 } == 1)
    }

    @Test("An earlier redirect's target that refuses is dropped, unless it asks for patience")
    func endpoints() {
        let segments = download()
        func hasExpired(_ asked: String, _ status: Int?) -> Bool {
            segments.hasExpired(asked, of: 0, status: status, original: "http://host/file", nil)
        }
        #expect(!hasExpired("http://host/file", 403), "it is the original one")
        #expect(![nil, 200, 429, 503].contains { hasExpired("http://cdn/file", $0) })
        #expect(hasExpired("http://cdn/file", 403))
        guard case .original = segments.endpoint else { Issue.record("the next branch asks the original URL"); return }
    }

    @Test("The target of a mirror is its own, and that of the lead's source is for all branches")
    func targets() {
        let segments = download()
        let request = TransferRequest(url: "http://cdn/file")
        let target = RequestTarget(request, original: request, nil)
        let sources = DownloadSources(SourceBoard("http://host/file", Mirrors(urls: ["http://mirror/file"])))
        segments.keep(target, of: 1, in: sources)
        #expect(sources.board[1].request?.url == "http://cdn/file")
        guard case .asLead = segments.endpoint else { Issue.record("the lead's stays"); return }
        let isGone = segments.hasExpired("http://cdn/file", of: 1, status: 404, original: "http://host/file", sources)
        #expect(isGone && sources.board[1].request == nil)
        segments.keep(target, of: 0, in: sources)
        guard case .renewed(let kept) = segments.endpoint else { Issue.record("the lead's is new"); return }
        #expect(kept === target)
    }
}

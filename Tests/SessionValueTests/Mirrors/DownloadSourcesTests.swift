import Testing

@testable import SessionCore

/// What the sources of one download decide about their connections, without one.
@Suite("Sources of a download")
struct DownloadSourcesTests {
    private func sources(_ count: Int) -> DownloadSources {
        let urls = (1..<count).map { "http://mirror\($0)/file" }
        return DownloadSources(SourceBoard("http://host/file", Mirrors(urls: urls)))
    }

    @Test("One source leaves no choice, and connections move at most once a second")
    func choice() {
        #expect(!sources(1).hasChoice && !sources(1).mayMove(now: 60_000))
        let several = sources(2)
        several.movedAt = 5_000
        #expect(several.hasChoice)
        #expect([5_999, 6_000].map { several.mayMove(now: $0) } == [false, true])
    }

    @Test("The lead counts for its source while it receives bytes, or may yet")
    func loads() {
        let sources = sources(3)
        sources.board.lead = 1
        #expect(sources.loads(nil, hasLead: true, now: 0).map(\.connections) == [0, 1, 0])
        #expect(sources.loads(nil, hasLead: false, now: 0).map(\.connections) == [0, 0, 0])
    }

    @Test("A refusal beside a working connection is a limit, and any other one ends a source that does not lead")
    func refusals() {
        let sources = sources(3)
        let isDroppedBesideOthers = sources.failed(isAccepted: false, source: 1, others: 2)
        #expect(!isDroppedBesideOthers && sources.board[1].cap == 2)
        let isLeadDropped = sources.failed(isAccepted: false, source: 0, others: 0)
        #expect(!isLeadDropped && sources.board[0].cap == 1, "the lead is a connection of the first one")
        let isDropped = sources.failed(isAccepted: false, source: 2, others: 0)
        #expect(isDropped && sources.board[2].cap == nil)
    }

    @Test("A source may break off once before it is dropped, and the lead's as often as it likes")
    func breaks() {
        let sources = sources(2)
        #expect((1...3).map { _ in sources.failed(isAccepted: true, source: 1, others: 0) } == [false, true, true])
        #expect((1...3).map { _ in sources.failed(isAccepted: true, source: 0, others: 0) } == [false, false, false])
    }

    // MARK: - Review

    private let lost = SessionError(.connectionLost, "lost")

    @Test("A failure that another source may avoid is its source's, and one of this machine is not")
    func review() {
        let sources = sources(2)
        func review(_ next: NextStep, madeProgress: Bool = false, working: Int = 1) -> SourceReview {
            sources.review(next, madeProgress: madeProgress, working: working, now: 0)
        }
        #expect(review(.fail(lost)) == .failed(SourceFailure(error: lost, passes: false)))
        let full = SessionError(.diskFull, "full")
        #expect(review(.fail(full)) == .carryOut(.fail(full)))
        let retry = NextStep.retry(lost, afterMilliseconds: nil)
        #expect(review(retry) == .failed(SourceFailure(error: lost, passes: true)))
        #expect(review(retry, madeProgress: true, working: 2) == .carryOut(retry), "others go on meanwhile")
        #expect(review(retry, madeProgress: true).isFailure)
        #expect(review(.compared) == .compare)
        #expect(review(.complete) == .carryOut(.complete))
    }

    @Test("A file that differs is a failure of a source that did not begin it, and a restart for the one that did")
    func restarts() {
        let sources = sources(2)
        let changed = SourceFailure(error: SessionError(.resourceChanged, "r"), passes: false)
        #expect(sources.review(.restart(reason: "r"), madeProgress: false, working: 1, now: 0) == .failed(changed))
        let short = SourceFailure(error: SessionError(.badResponse, "r"), passes: false)
        let takeBack = NextStep.takeBack(reason: "r")
        let review = sources.review(takeBack, madeProgress: false, working: 1, now: 0)
        #expect(review == .tookBack(short, reason: "r"))
        sources.board.began()
        for next in [NextStep.restart(reason: "r"), takeBack] {
            #expect(sources.review(next, madeProgress: false, working: 1, now: 0) == .carryOut(next))
        }
    }

    @Test("Each source is tried once, then the usual retries begin, and with the last one dropped nothing is left")
    func turns() {
        let sources = sources(2)
        let failure = SourceFailure(error: lost, passes: true)
        #expect(sources.turn(after: failure, now: 0) == .next(1, wholly: false))
        #expect(sources.turn(after: failure, now: 0) == .carryOut(.retry(lost, afterMilliseconds: nil)))
        let single = DownloadSources(SourceBoard("http://host/file", nil))
        _ = single.board.drop(0, "gone", passes: false)
        let end = single.turn(after: SourceFailure(error: lost, passes: false), now: 0)
        #expect(end == .carryOut(.fail(lost)))
    }

    @Test("No source is asked before its server has said; where all have to be left alone the shortest time is waited")
    func askedWait() {
        func busy(_ milliseconds: Int64?) -> SourceFailure {
            SourceFailure(error: lost, passes: true, askedWait: milliseconds)
        }
        let sources = sources(2)
        #expect(sources.turn(after: busy(120_000), now: 0) == .next(1, wholly: false))
        let both = sources.turn(after: busy(60_000), now: 1_000)
        #expect(both == .carryOut(.retry(lost, afterMilliseconds: 60_000)) && sources.board.lead == 1)
        let broken = sources.turn(after: busy(nil), now: 61_000)
        #expect(broken == .carryOut(.retry(lost, afterMilliseconds: nil)) && sources.board.lead == 1)
        _ = sources.board.drop(1, "gone", passes: false)
        let gone = SourceFailure(error: SessionError(.http, "404"), passes: false)
        let last = sources.turn(after: gone, now: 61_000)
        #expect(last == .carryOut(.retry(lost, afterMilliseconds: 59_000)) && sources.board.lead == 0)
    }

    @Test("Progress is the lead's, and opens the sources that do not have to be left alone")
    func progress() {
        let sources = sources(3)
        _ = sources.turn(after: SourceFailure(error: lost, passes: true, askedWait: 9_000), now: 0)
        _ = sources.turn(after: SourceFailure(error: lost, passes: true), now: 0)
        _ = sources.review(.retry(lost, afterMilliseconds: nil), madeProgress: true, working: 1, now: 1_000)
        #expect(sources.board.sources.map(\.hasFailed) == [true, false, false])
    }

    @Test("The lead's first block proves its source, or is its failure")
    func firstBlock() {
        let sources = sources(2)
        #expect(sources.compared(.same) == nil && sources.leadHasFirstBlock)
        sources.leadChanges()
        #expect(!sources.leadHasFirstBlock)
        #expect(sources.compared(.differs)?.passes == false && sources.board[0].hasOther)
        #expect(sources.compared(.incomplete)?.passes == true)
    }

    // MARK: - Comparing

    /// A partial file of zeros.
    private final class Part: SourcedFile {
        var sources: DownloadSources?
        var hasPart = true
        var length: Int64? = 10 * DownloadSources.blockLength
        var contiguousEnd = DownloadSources.blockLength
        var written = DownloadSources.blockLength
        func metadata(of source: Int) -> StoredMetadata? { nil }
        /// What a broken disk says.
        var damage: SessionError?

        func hasBytes(_ bytes: [UInt8], at offset: Int64) throws(SessionError) -> Bool {
            if let damage { throw damage }
            return bytes.allSatisfy { $0 == 0 }
        }
        func compareFirstBlock(_ sources: DownloadSources) -> BlockComparison { .same }
    }

    private func probe(_ order: DownloadSources.ProbeOrder, _ sources: DownloadSources, now: Int64 = 0) -> MirrorProbe {
        let request = TransferRequest(url: sources.board[order.source].url)
        let probe = MirrorProbe(
            source: order.source, ranges: order.ranges,
            requestTarget: RequestTarget(request, original: request, nil), now: now)
        sources.probes.append(probe)
        return probe
    }

    private func receive(_ byte: UInt8, _ probe: MirrorProbe) {
        let block = [UInt8](repeating: byte, count: Int(DownloadSources.blockLength))
        _ = block.withUnsafeBytes { probe.receive($0) }
        probe.verdict = .accepted
    }

    @Test("The last block of the file comes first, then at most three mirrors are compared at once")
    func orders() throws {
        let (sources, part) = (sources(6), Part())
        #expect(sources.nextProbes(of: part) { _ in true }.isEmpty, "the lead is not proven yet")
        sources.board.began()
        let block = DownloadSources.blockLength
        let tail = sources.nextProbes(of: part) { _ in true }
        #expect(tail == [DownloadSources.ProbeOrder(source: 0, ranges: [9 * block..<10 * block])])
        #expect(sources.nextProbes(of: part) { _ in true }.isEmpty, "it is awaited")
        let first = probe(try #require(tail.first), sources)
        receive(0, first)
        guard case .finish(let verdict) = sources.ended(first) else { Issue.record("one block"); return }
        #expect(try sources.finish(first, verdict, part) == nil && sources.probes.isEmpty)
        let orders = sources.nextProbes(of: part) { $0 != 2 }
        #expect(orders.map(\.source) == [1, 3, 4])
        #expect(orders.allSatisfy { $0.ranges == [9 * block..<10 * block, 0..<block] })
        part.length = DownloadSources.blockLength
        #expect(sources.nextProbes(of: part) { _ in true }.isEmpty, "it is too short")
    }

    @Test("Equal blocks prove a mirror, and other ones drop it", arguments: [0, 1] as [UInt8])
    func comparison(byte: UInt8) throws {
        let (sources, part) = (sources(2), Part())
        sources.board.began()
        sources.tail = .bytes([UInt8](repeating: 0, count: Int(DownloadSources.blockLength)))
        let probe = probe(try #require(sources.nextProbes(of: part) { _ in true }.first), sources)
        probe.metadata = StoredMetadata(url: "u", finalURL: "u", method: "GET", status: 206)
        receive(0, probe)
        guard case .goOn = sources.ended(probe) else { Issue.record("two blocks"); return }
        receive(byte, probe)
        guard case .finish(let verdict) = sources.ended(probe) else { Issue.record("no third"); return }
        let fault = try sources.finish(probe, verdict, part)
        #expect(fault?.reason == (byte == 0 ? nil : MirrorReasons.otherBytes))
        #expect(sources.board.isProven(1) == (byte == 0))
        #expect(sources.board[1].hasOther == (byte == 1))
    }

    @Test("A disk with which nothing can be compared fails, and says nothing of the mirror")
    func brokenDisk() {
        let (sources, part) = (sources(2), Part())
        let full = SessionError(.diskFull, "full")
        part.damage = full
        let block = DownloadSources.blockLength
        let probe = probe(DownloadSources.ProbeOrder(source: 1, ranges: [block..<2 * block, 0..<block]), sources)
        receive(0, probe)
        _ = sources.ended(probe)
        receive(0, probe)
        _ = sources.ended(probe)
        #expect(throws: full) { try sources.finish(probe, .accepted, part) }
        #expect(!sources.board[1].isDropped && !sources.board[1].hasOther && sources.probes.isEmpty)
    }

    @Test("A mirror that is not compared now says for how long it has to be left alone")
    func busyMirror() throws {
        let (sources, part) = (sources(2), Part())
        let block = DownloadSources.blockLength
        let probe = probe(DownloadSources.ProbeOrder(source: 1, ranges: [block..<2 * block, 0..<block]), sources)
        let fault = try sources.finish(probe, .refused("503", passes: true, askedWait: 7_000), part)
        #expect(fault == DownloadSources.ProbeFault(reason: "503", passes: true, askedWait: 7_000))
    }

    @Test("A comparison may take ten seconds")
    func overdue() {
        let sources = sources(2)
        _ = probe(DownloadSources.ProbeOrder(source: 1, ranges: [0..<1]), sources, now: 500)
        #expect(sources.overdueProbes(now: 10_499).isEmpty)
        #expect(sources.overdueProbes(now: 10_500).count == 1)
    }
}

extension SourceReview {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}

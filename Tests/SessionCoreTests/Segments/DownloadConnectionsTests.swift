import CCurl
import Dispatch
import SessionSupport
import Testing

@testable import SessionCore

/// The connections beside a lead, with an owner that is no transfer.
@Suite("Connections beside a lead", .timeLimit(.minutes(1)))
struct DownloadConnectionsTests {
    /// A transfer's part in its further connections: it records what it is told.
    private final class Owner: DownloadOwner {
        let core: LoopCore
        let id = TransferID.next()
        let control = TransferControl()
        let handler: any ResponseHandler
        let firstRequest = TransferRequest(url: "http://host/file")
        var log: [String] = []

        init(_ core: LoopCore, mirrors: [String]) {
            self.core = core
            let target = DownloadTarget(
                folder: core.stagingFolder, name: .fixed("file"),
                mirrors: mirrors.isEmpty ? nil : Mirrors(urls: mirrors))
            let description = TransferDescription(
                id: id, kind: .download, request: firstRequest, sink: .file(target), control: control)
            handler = DownloadWriter(description, target: target, core: core)
        }

        var request: TransferRequest { handler.sources?.leadRequest(firstRequest) ?? firstRequest }
        var attempt: Attempt? { nil }
        var host: String { "http://host:80" }
        var leadTarget: RequestTarget { RequestTarget(request, original: firstRequest, nil) }
        var isEncrypted: Bool { false }
        var hasReusedConnection: Bool { false }
        var asksItsHost: Bool { true }
        var isTransferring: Bool { true }
        var isHolding: Bool { false }
        var isPaced: Bool { false }

        func begin(
            _ work: Attempt.Work, adding fields: HeaderFields, to target: RequestTarget?
        ) throws(SessionError) -> Attempt { throw SessionError(.internal, "begins nothing") }
        func letGo(_ attempt: Attempt) { log.append("letGo") }
        func furtherError(of attempt: Attempt, _ result: CURLcode, systemError: Int) -> SessionError {
            SessionError(.internal, "no attempt")
        }
        func tellHost(of error: SessionError, _ attempt: Attempt, askedWait: Int64?) { log.append("tellHost") }
        func fail(_ error: SessionError) { log.append("fail") }
        func leadFailed() { log.append("leadFailed") }
        func startOver() { log.append("startOver") }
        func enqueueStatus() {}
        func judge(_ head: ResponseHead, of attempt: Attempt) {}
        func hearInterim(of attempt: Attempt) -> Bool { true }
        func isAnswer(of attempt: Attempt) -> Bool { true }
        func passedSizeLimit(_ attempt: Attempt) {}
        func refusalToRepeat(_ attempt: Attempt) -> SessionError? { nil }
        func mayMove(_ direction: Pace.Direction, _ attempt: Attempt) -> Bool { true }
        func hasMoved(_ direction: Pace.Direction, _ count: Int64, _ attempt: Attempt) {}
        func step(of buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer { buffer }
        func isCurrent(_ socket: SocketName) -> Bool { true }
        func made(_ socket: Int32) -> SocketName { SocketName(number: socket) }
        func mark(_ socket: Int32, _ marking: PacketMarking) -> Bool { true }
        func locate(_ attempt: Attempt) {}
        func bytesInFlight(for attempt: Attempt) -> Int64 { 0 }
    }

    /// Runs a body on the loop's thread, where connections live.
    private func onLoop<Value: Sendable>(
        mirrors: [String], _ body: @escaping @Sendable (DownloadConnections, Owner) -> Value
    ) throws -> Value {
        let harness = try EngineHarness()
        let result = Locked<Value?>(nil)
        let turn = DispatchSemaphore(value: 0)
        harness.engine.run { core in
            let owner = Owner(core, mirrors: mirrors)
            let value = body(DownloadConnections(owner), owner)
            result.withLock { $0 = value }
            turn.signal()
        }
        turn.wait()
        return try #require(result.withLock { $0 })
    }

    private static let mirrors = ["http://mirror/file", "http://third/file"]
    private static let lost = SessionError(.connectionLost, "lost")

    @Test("Without sources and segments there is nothing to end, to resume or to promote")
    func nothing() throws {
        let log = try onLoop(mirrors: []) { connections, owner in
            connections.endAll()
            connections.resume()
            connections.balance()
            connections.segmentsDue()
            let isIdle = connections.promote() == nil && !connections.carriesOn && connections.detour() == nil
            return owner.log + (isIdle && connections.furtherAttempts.isEmpty ? ["idle"] : [])
        }
        #expect(log == ["idle"])
    }

    @Test("A source that fails is followed by the next one, and the last one's failure is the transfer's")
    func failures() throws {
        let (log, leads, last) = try onLoop(mirrors: Self.mirrors) { connections, owner in
            guard let sources = owner.handler.sources else { return ([String](), [Int](), NextStep?.none) }
            var leads: [Int] = []
            var last: NextStep?
            for _ in 0..<3 {
                leads.append(sources.board.lead)
                switch connections.review(.fail(Self.lost), sources, of: nil, madeProgress: false) {
                case .again: owner.log.append("again")
                case .carryOut(let next, _): last = next
                }
            }
            return (owner.log, leads, last)
        }
        #expect(leads == [0, 1, 2])
        #expect(log == ["leadFailed", "startOver", "again", "leadFailed", "startOver", "again"])
        guard case .fail(let error) = last else {
            Issue.record("the transfer goes on: \(String(describing: last))")
            return
        }
        #expect(error.code == .connectionLost)
    }

    @Test("A source that is asked again after all have failed has to prove its file like any other new lead")
    func newRound() throws {
        let (leads, facts) = try onLoop(mirrors: Self.mirrors) { connections, owner in
            guard let sources = owner.handler.sources else { return ([Int](), [Bool]()) }
            var (leads, facts) = ([Int](), [Bool]())
            // The first source has made progress, and the others do not answer.
            for madeProgress in [true, false, false] {
                sources.leadHasFirstBlock = true
                let retry = NextStep.retry(Self.lost, afterMilliseconds: nil)
                let after = connections.review(retry, sources, of: nil, madeProgress: madeProgress)
                if case .carryOut(_, let failure) = after { facts.append(failure?.hasSuccessor == true) }
                facts.append(sources.leadHasFirstBlock)
                leads.append(sources.board.lead)
            }
            return (leads, facts)
        }
        #expect(leads == [1, 2, 0])
        #expect(facts == [false, false, true, false])
    }

    @Test("A branch of another source that becomes the lead is not proven by what the earlier lead has said")
    func promotion() throws {
        let (turns, facts) = try onLoop(mirrors: Self.mirrors) { connections, owner in
            guard let sources = owner.handler.sources else { return ([Bool](), [Bool]()) }
            (sources.leadHasFirstBlock, sources.leadMetadata) = (true, StoredMetadata(unproven: "u", length: 1))
            let turns = [connections.takeLead(at: 1), connections.takeLead(at: 1)]
            return (turns, [sources.leadHasFirstBlock, sources.leadMetadata != nil])
        }
        #expect(turns == [true, false] && facts == [false, false])
    }

    @Test("Before it has a connection a download turns to a source whose server may be used, once")
    func detours() throws {
        let (hosts, url, log) = try onLoop(mirrors: Self.mirrors) { connections, owner in
            let other = DownloadConnections.Detour(source: 1, host: "http://mirror:80")
            let before = connections.detour()?.host
            connections.take(other, because: "trouble")
            connections.take(other, because: "trouble")
            let isLeft = connections.hasAnotherSource && connections.hasOpenSource
            let target = owner.handler.sources.map { connections.requestTarget(at: 1, $0).host }
            for source in 0...2 { owner.handler.sources?.board.leaveAlone(source, until: owner.core.now + 60_000) }
            let isOpen = connections.hasAnotherSource || connections.hasOpenSource
            return ([before, target], owner.request.url, owner.log + (isLeft && !isOpen ? ["left"] : []))
        }
        #expect(hosts == ["http://host:80", "http://mirror:80"] && url == "http://mirror/file")
        #expect(log == ["startOver", "left"])
    }

    @Test(
        "After a wrong checksum the file comes from a source that is left, and after another failure from the same one")
    func checksums() throws {
        let (reasons, urls) = try onLoop(mirrors: ["http://mirror/file"]) { connections, owner in
            guard let sources = owner.handler.sources else { return ([String?](), [String]()) }
            _ = sources.board.drop(0, "wrong", passes: false)
            let wrong = SessionError(.checksum, "wrong")
            let other = connections.switchAfterMismatch(SessionError(.diskFull, "full"), sources)
            let first = connections.switchAfterMismatch(wrong, sources)
            return ([other, first], [owner.request.url])
        }
        #expect(reasons == [nil, ResumeReasons.mirrorChecksum] && urls == ["http://mirror/file"])
    }
}

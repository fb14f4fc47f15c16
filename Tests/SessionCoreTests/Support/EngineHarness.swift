import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// The real engine with nothing above it: commands go in, events are kept, and tests wait for them.
final class EngineHarness: EngineClient, @unchecked Sendable {
    private let condition = NSCondition()
    private var log: [EngineEvent] = []
    private var controls: [TransferID: TransferControl] = [:]
    let engine: TransferLoop
    let folder: TemporaryFolder

    init(
        checkpoints: CheckpointLane = CheckpointLane(), network: NetworkView = .system,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 2
        folder = try TemporaryFolder()
        configuration.stagingFolder = folder.path + "/staging"
        change(&configuration)
        engine = try TransferLoop(configuration: configuration, checkpoints: checkpoints, network: network)
        engine.setClient(self)
    }

    deinit {
        engine.submit(.invalidate(cancelling: true))
    }

    func engineDidPublish(_ events: [EngineEvent]) {
        condition.withLock {
            log += events
            condition.broadcast()
        }
    }

    // MARK: - Commands

    func add(
        _ request: TransferRequest, kind: TransferKind = .data,
        sink: TransferDescription.Sink = .memory(limit: 1 << 20), id: TransferID = .next(),
        arrange: (inout TransferArrangement) -> Void = { _ in }
    ) -> TransferID {
        let control = TransferControl()
        condition.withLock { controls[id] = control }
        var arrangement = TransferArrangement()
        arrange(&arrangement)
        engine.submit(
            .add(
                TransferDescription(
                    id: id, kind: kind, request: request, sink: sink, control: control, arrangement: arrangement)))
        return id
    }

    func download(
        _ url: String, name: DownloadTarget.Name = .fixed("file"), change: (inout DownloadTarget) -> Void = { _ in }
    ) -> TransferID {
        var target = DownloadTarget(folder: folder.path, name: name)
        change(&target)
        return add(TransferRequest(url: url), kind: .download, sink: .file(target))
    }

    func intent(_ intent: TransferControl.Intent, _ id: TransferID) {
        condition.withLock { controls[id] }?.setIntent(intent)
        engine.submit(.reconcile(id))
    }

    /// A wish that the loop is not told of yet.
    func wishUntold(_ intent: TransferControl.Intent, _ id: TransferID) {
        condition.withLock { controls[id] }?.setIntent(intent)
    }

    func changeRank(of id: TransferID, _ change: (inout TransferControl.Rank) -> Void) {
        condition.withLock { controls[id] }?.changeRank(change)
        engine.submit(.reconcile(id))
    }

    func resume(_ id: TransferID) { intent(.running, id) }
    func suspend(_ id: TransferID) { intent(.suspended, id) }

    /// Waits until so many responses were asked about; the numbers of the questions, in order.
    func dispositionQuestions(of id: TransferID, count: Int = 1) -> [Int] {
        var numbers: [Int] = []
        _ = wait(id) { events in
            numbers = events.compactMap { if case .response(_, _, let number) = $0 { number } else { nil } }
            return numbers.count >= count
        }
        return numbers
    }

    /// Pauses and waits until the loop has seen it.
    func suspendAndWait(_ id: TransferID) -> Bool {
        let count = events(of: id).count(where: \.isPausedStatus)
        suspend(id)
        return wait(id) { $0.count(where: \.isPausedStatus) > count }
    }

    /// Pauses and waits until the loop has seen it; false where the transfer has ended instead.
    func suspendOrEnd(_ id: TransferID) -> Bool {
        let count = events(of: id).count(where: \.isPausedStatus)
        suspend(id)
        return wait(id) { $0.count(where: \.isPausedStatus) > count || $0.contains(where: \.isEnd) }
            && outcomeIfAny(id) == nil
    }

    /// Has the engine give a held connection up now, after everything that it was told before.
    func expireHold(_ id: TransferID) { engine.run { core in core.transfer(id)?.due(.hold(id)) } }

    /// Has the engine look whether a transfer's time is over, as if its deadline had come.
    func comeToTimeLimit(_ id: TransferID) { engine.run { core in core.transfer(id)?.due(.limit(id)) } }

    /// Whether the clock of a transfer's time stands; nil where no time is counted.
    func timeStands(of id: TransferID) -> Bool? {
        let answer = Locked<Bool?>(nil)
        let turn = DispatchSemaphore(value: 0)
        engine.run { core in
            let stands = core.transfer(id)?.asking.allowance?.isStopped
            answer.withLock { $0 = stands }
            turn.signal()
        }
        turn.wait()
        return answer.withLock { $0 }
    }

    func status(_ id: TransferID) -> TaskStatus { condition.withLock { controls[id] }?.status ?? TaskStatus() }

    func metrics(_ id: TransferID) -> TransferMetrics {
        condition.withLock { controls[id] }?.metrics ?? TransferMetrics()
    }

    // MARK: - Waiting

    /// Seconds after which what did not happen has failed: a busy machine needs many.
    private static let patience: TimeInterval = 30

    func events(of id: TransferID) -> [EngineEvent] {
        condition.withLock { log.filter { $0.transferID == id } }
    }

    /// Waits until a condition on a transfer's events holds; false after thirty seconds.
    func wait(_ id: TransferID, until holds: ([EngineEvent]) -> Bool) -> Bool {
        let deadline = Date().addingTimeInterval(Self.patience)
        condition.lock()
        defer { condition.unlock() }
        while !holds(log.filter { $0.transferID == id }) {
            if !condition.wait(until: deadline) { return false }
        }
        return true
    }

    /// Waits until a condition on the events of all transfers holds; false after thirty seconds.
    func waitForEvents(until holds: ([EngineEvent]) -> Bool) -> Bool {
        let deadline = Date().addingTimeInterval(Self.patience)
        condition.lock()
        defer { condition.unlock() }
        while !holds(log) {
            if !condition.wait(until: deadline) { return holds(log) }
        }
        return true
    }

    /// Waits until the engine has ended.
    func waitForInvalidation() -> Bool {
        let deadline = Date().addingTimeInterval(Self.patience)
        return condition.withLock {
            while !log.contains(where: { if case .invalidated = $0 { true } else { false } }) {
                if !condition.wait(until: deadline) { return false }
            }
            return true
        }
    }

    func waitForPhase(_ phase: Phase, _ id: TransferID) -> Bool {
        wait(id) { events in
            events.contains { if case .status(_, let status) = $0 { status.phase == phase } else { false } }
        }
    }

    /// Waits until the loop has carried out everything that it was told before, and published what came of it.
    func waitForLoop() {
        for _ in 1...2 {
            let turn = DispatchSemaphore(value: 0)
            engine.run { _ in turn.signal() }
            turn.wait()
        }
    }

    /// Waits until storage has done what it was told of a transfer before, and the loop has heard of it.
    func waitForStorage(of id: TransferID) {
        let turn = DispatchSemaphore(value: 0)
        engine.run { core in
            let loop = core.loop
            core.storage.submit(key: id) { loop.run { _ in turn.signal() } }
        }
        turn.wait()
    }

    func waitForReceived(_ count: Int64, _ id: TransferID) -> Bool {
        wait(id) { events in
            events.contains { if case .status(_, let status) = $0 { status.received >= count } else { false } }
        }
    }

    /// Resumes and waits for the end.
    func outcome(of id: TransferID, resuming: Bool = true) -> TransferEnd? {
        if resuming { resume(id) }
        _ = wait(id) { $0.contains(where: \.isEnd) }
        return outcomeIfAny(id)
    }

    /// The hosts that were held, each time that changed.
    var hostBackoffs: [[HostBackoff]] {
        condition.withLock { log.compactMap { if case .backoffs(let hosts) = $0 { hosts } else { nil } } }
    }

    /// The hosts that got fewer transfers at once, each time that changed.
    var limitedHosts: [[LimitedHost]] {
        condition.withLock { log.compactMap { if case .limited(let hosts) = $0 { hosts } else { nil } } }
    }

    /// What a download has dropped of false answers.
    func takenBack(of id: TransferID) -> [(bytes: Int64, reason: String)] {
        events(of: id).compactMap { event in
            if case .source(_, .tookBack(_, let bytes, let reason)) = event { (bytes, reason) } else { nil }
        }
    }

    /// Why bytes were given up, in order.
    func restarts(of id: TransferID) -> [String] {
        events(of: id).compactMap { if case .restarted(_, let reason) = $0 { reason } else { nil } }
    }
}

extension EngineEvent {
    /// Whether the transfer ended with it.
    var isEnd: Bool { if case .finished = self { true } else { false } }

    /// Whom the event is about.
    var transferID: TransferID? {
        switch self {
        case .status(let id, _), .response(let id, _, _), .redirect(let id, _, _, _), .data(let id, _),
            .hop(let id, _),
            .resumedAtOffset(let id, _, _), .restarted(let id, _), .retrying(let id, _, _, _), .finished(let id, _, _),
            .challenge(let id, _, _), .needsBody(let id, _), .uploadPlaced(let id, _),
            .source(let id, _):
            id
        case .backoffs, .limited, .admitted, .invalidated: nil
        }
    }
}

extension EngineHarness {
    /// Bytes of a streamed body that were handed over.
    func delivered(_ id: TransferID) -> Int { events(of: id).map(\.deliveredCount).reduce(0, +) }

    /// What was handed over of a streamed body.
    func streamed(_ id: TransferID) -> [UInt8] {
        events(of: id).flatMap { (event) -> [UInt8] in if case .data(_, let bytes) = event { bytes } else { [] } }
    }

    /// Waits until more of a streamed body was handed over than before, or the transfer has ended.
    func waitForDelivery(after count: Int, _ id: TransferID) -> Bool {
        wait(id) { $0.map(\.deliveredCount).reduce(0, +) > count || $0.contains(where: \.isEnd) }
    }

    /// The outcome, if the transfer has ended.
    func outcomeIfAny(_ id: TransferID) -> TransferEnd? {
        events(of: id).compactMap { TransferEnd($0) }.first
    }
}

extension EngineEvent {
    /// Whether it reports a pause.
    var isPausedStatus: Bool {
        if case .status(_, let status) = self { status.phase == .paused } else { false }
    }

    /// Bytes of a streamed body that came with it.
    var deliveredCount: Int { if case .data(_, let bytes) = self { bytes.count } else { 0 } }

    /// Whether it reports at least so many received bytes.
    func hasReceived(_ count: Int64) -> Bool {
        if case .status(_, let status) = self { status.received >= count } else { false }
    }

    /// Whether it reports at least so many sent bytes.
    func hasSent(_ count: Int64) -> Bool {
        if case .status(_, let status) = self { status.sent >= count } else { false }
    }
}

extension LoopbackServer {
    /// Stops once a transfer has reached it: the patience with a server that was never reached ends after seconds.
    func stop(reachedBy harness: EngineHarness) {
        setRoute("/reached", .respond(.text("")))
        #expect(harness.outcome(of: harness.add(TransferRequest(url: url("/reached"))))?.error == nil)
        stop()
    }
}

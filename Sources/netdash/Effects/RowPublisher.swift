import CAllocator
import CLinux
import Dashboard
import Foundation
import Support

/// Tells the dashboard what became of rows: many changes of a moment become one message.
///
/// A change that is worth a line (a pause, an end) is shown at once; bytes that moved wait for the next frame.
final class RowPublisher: TransferObserver {
    private struct State: Sendable {
        weak var bridge: SessionBridge?
        var changed: Set<UInt64> = []
        var plan = PublicationPlan()
        /// When the latest message was posted; nil before the first.
        var publishedAt: Int64?
        var log: LogFile?
        var hasFinished = false
        /// New rows among those that changed.
        var added = 0
        /// Batches so far that brought many rows.
        var longAdditions = 0
        /// The transfer whose details are on the screen.
        var watched: UInt64?
    }

    /// How long a change of state may wait, so that a burst of them is one message.
    private static let urgentDelay: Int64 = 5
    /// How long the first rows of all wait: a page of them is added in less.
    private static let firstDelay: Int64 = 2

    /// From so many new rows on, what bringing them took is worth giving back.
    private static let longBatch = 2_000
    /// When many new rows have reached the screen's own lists.
    private static let settlingTime = DispatchTimeInterval.seconds(3)

    private let mailbox: Mailbox<Message>
    private let movementDelay: Int64
    private let announcesEnd: Bool
    let showsRows = true
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "netdash.rows")

    /// A publisher into a mailbox; with `announcesEnd` it says when every transfer has ended.
    init(mailbox: Mailbox<Message>, framesPerSecond: Int, announcesEnd: Bool, log: LogFile?) {
        self.mailbox = mailbox
        // One message for each frame: the frame is drawn as soon as the message is there, so more would be wasted.
        movementDelay = Int64(1_000 / max(framesPerSecond, 1))
        self.announcesEnd = announcesEnd
        state = Locked(State(log: log))
    }

    /// Names the bridge that knows the rows.
    ///
    /// Called once, before the first transfer.
    func attach(_ bridge: SessionBridge) { state.withLock { $0.bridge = bridge } }

    /// Writes what is left of the log, and answers why lines are missing in it; nothing is published any more.
    func finish() -> UnwrittenReport? {
        state.withLock { state in
            defer { state.log = nil }
            state.hasFinished = true
            return state.log?.close()
        }
    }

    /// Posts a message as if it came from a transfer.
    func post(_ message: Message) { mailbox.post(message) }

    /// From now on this transfer's details are published too; answers how they stand.
    func watch(_ id: UInt64?) -> [Message] {
        let bridge = state.withLock { state in
            state.watched = id
            return state.bridge
        }
        return details(of: id, bridge)
    }

    private func details(of id: UInt64?, _ bridge: SessionBridge?) -> [Message] {
        guard let id, let details = bridge?.details(of: id) else { return [] }
        return [.details(id, details)]
    }

    // MARK: - TransferObserver

    func transferDidReport(_ event: TransferEvent) {
        state.withLock { $0.log?.note(event, at: cl_monotonic_milliseconds()) }
        plan(event.id, within: delay(of: event.what), isNew: event.what.isAddition)
    }

    func transferDidMove(_ id: UInt64) { plan(id, within: movementDelay, isNew: false) }

    func transfersWereRemoved(_ ids: [UInt64]) { mailbox.post(.removed(ids)) }

    // MARK: - Collecting

    /// The first rows of a list are wanted at once; those behind them must not be sorted in a few at a time.
    private func delay(of what: TransferEvent.What) -> Int64 {
        guard what.isAddition else { return Self.urgentDelay }
        guard let last = state.withLock({ $0.publishedAt }) else { return Self.firstDelay }
        return cl_monotonic_milliseconds() - last > movementDelay ? Self.urgentDelay : movementDelay
    }

    private func plan(_ id: UInt64, within delay: Int64, isNew: Bool) {
        let moment = cl_monotonic_milliseconds() + delay
        let isSooner = state.withLock { state in
            state.changed.insert(id)
            if isNew { state.added += 1 }
            return state.plan.add(by: moment)
        }
        guard isSooner else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { [weak self] in self?.publish() }
    }

    private func publish() {
        let now = cl_monotonic_milliseconds()
        let (ids, added, bridge, watched) = state.withLock { state -> (Set<UInt64>, Int, SessionBridge?, UInt64?) in
            state.log?.flushIfDue(at: now)
            guard state.plan.takeDue(at: now) else { return ([], 0, nil, nil) }
            defer {
                state.changed.removeAll(keepingCapacity: state.changed.count < Self.longBatch)
                state.added = 0
                state.publishedAt = now
            }
            return (state.hasFinished ? [] : state.changed, state.added, state.bridge, state.watched)
        }
        guard !ids.isEmpty, let bridge else { return }
        if added >= Self.longBatch { keepMemoryLow() }
        mailbox.post(.rows(bridge.snapshots(of: ids.sorted())))
        if let watched, ids.contains(watched) { for message in details(of: watched, bridge) { mailbox.post(message) } }
        if announcesEnd, bridge.isIdle { mailbox.post(.allWorkEnded) }
    }

    /// Gives back at once what many rows take on their way, until no more of them come.
    private func keepMemoryLow() {
        ca_return_memory_at_once()
        let number = state.withLock { state in
            state.longAdditions += 1
            return state.longAdditions
        }
        queue.asyncAfter(deadline: .now() + Self.settlingTime) { [weak self] in
            if self?.state.withLock({ $0.longAdditions }) == number { ca_keep_memory_at_hand() }
        }
    }
}

import CAllocator
import CLinux
import Dashboard
import Foundation
import SessionSupport
import TransferService

/// Tells the dashboard about changes of rows: many changes of a moment become one message.
///
/// A change that is worth a line (a pause, an end) is shown at once; bytes that moved wait for the next frame.
final class RowPublisher: TransferObserver {
    private struct State: Sendable {
        weak var service: (any TransferService)?
        var changed: Set<UInt64> = []
        /// Rows of which only numbers changed, unless they are in ``changed`` too.
        var moved: Set<UInt64> = []
        var plan = PublicationPlan()
        /// The moment of the latest message; nil before the first.
        var publishedAt: Int64?
        var log: LogFile?
        /// Whether a timer writes the log's lines, and whether it was said that they cannot be written.
        var flushesLog = false
        var complainsOfLog = false
        /// What the log was told of servers that nobody asks.
        var heldReport = HeldReport()
        /// The events that the event log shows.
        var latest = LatestEvents()
        /// Tells ends to somebody who does not look; nil when nobody wants that.
        var telling: Telling?
        var isClosed = false
        /// Batches so far that told of many rows.
        var longBatchCount = 0
        /// The transfer whose details are on the screen.
        var watched: UInt64?

        /// What is to be told now; nil when nothing is due.
        mutating func takeBatch(at now: Int64) -> Batch? {
            guard plan.takeDue(at: now) else { return nil }
            defer {
                changed.removeAll(keepingCapacity: changed.count < RowPublisher.longBatch)
                moved.removeAll(keepingCapacity: moved.count < RowPublisher.longBatch)
                publishedAt = now
            }
            guard !isClosed, !changed.isEmpty || !moved.isEmpty else { return nil }
            return Batch(
                changed: changed, moved: moved.subtracting(changed), service: service, watched: watched)
        }
    }

    /// What one round of messages tells.
    private struct Batch {
        /// Rows that are told whole.
        var changed: Set<UInt64>
        /// Rows of which only numbers are told: no text of theirs is made safe or compared.
        var moved: Set<UInt64>
        var service: (any TransferService)?
        var watched: UInt64?
    }

    /// The milliseconds that a change of state may wait, so that a burst of them is one message.
    private static let urgentDelay: Int64 = 5
    /// The milliseconds that the first rows of all wait: a page of them is added in less.
    private static let firstDelay: Int64 = 2

    /// The number of rows from which on the memory that telling of them took is given back.
    private static let longBatch = 2_000
    /// When what many rows took is given back: once they have reached the screen's own lists, and once the threads have ended
    /// that worked for a queue, whose memory nobody else looks at before.
    private static let settlingTimes: [DispatchTimeInterval] = [.seconds(3), .seconds(12)]

    private let mailbox: Mailbox<Message>
    private let movementDelay: Int64
    private let announcesEnd: Bool
    let interest = Interest(showsRows: true)
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "netdash.rows")
    /// Whether rows were posted, or never will be.
    private let hasFirstRows = Monitor(false)

    /// A publisher into a mailbox; with `announcesEnd` it says when every transfer has ended.
    init(mailbox: Mailbox<Message>, framesPerSecond: Int, announcesEnd: Bool, log: LogFile?) {
        self.mailbox = mailbox
        // One message for each frame: the frame is drawn as soon as the message is there, so more would be wasted.
        movementDelay = Int64(1_000 / max(framesPerSecond, 1))
        self.announcesEnd = announcesEnd
        state = Locked(State(log: log))
    }

    /// Names the service that knows the rows.
    ///
    /// Called once, before the first transfer.
    func attach(_ service: any TransferService) { state.withLock { $0.service = service } }

    /// Names who tells ends to somebody who does not look.
    ///
    /// Called once, before the first transfer.
    func attach(_ telling: Telling?) { state.withLock { $0.telling = telling } }

    /// Whoever tells ends to somebody who does not look.
    var telling: Telling? { state.withLock { $0.telling } }

    /// Says and logs that something went wrong beside the transfers.
    func complain(_ sentence: SafeText) {
        state.withLock { $0.log?.append(sentence, at: cl_monotonic_milliseconds()) }
        mailbox.post(.toast(sentence, isError: true))
    }

    /// Writes what is left of the log, and answers why lines are missing in it; nothing is published any more.
    func close() -> UnwrittenReport? {
        hasFirstRows.change { $0 = true }
        return state.withLock { state in
            defer { state.log = nil }
            state.isClosed = true
            return state.log?.close()
        }
    }

    /// Waits until the first rows of all are posted, or nothing is published any more.
    func waitForFirstRows() { hasFirstRows.wait { $0 ? () : nil } }

    /// Posts a message as if it came from a transfer.
    func post(_ message: Message) { mailbox.post(message) }

    /// Publishes this transfer's details too from now on; returns how they stand.
    func watch(_ id: UInt64?) -> [Message] {
        let service = state.withLock { state in
            state.watched = id
            return state.service
        }
        return details(of: id, service)
    }

    /// Publishes what happens to transfers as lines too from now on, or no more; returns what has happened so far.
    func readLog(_ isRead: Bool) -> [Message] {
        let (events, service) = state.withLock { state in
            (isRead ? state.latest.beginReading() : state.latest.endReading(), state.service)
        }
        return isRead ? [.log(LatestEvents.entries(events, from: service))] : []
    }

    private func details(of id: UInt64?, _ service: (any TransferService)?) -> [Message] {
        guard let id, let details = service?.details(of: id) else { return [] }
        return [.details(id, details)]
    }

    // MARK: - TransferObserver

    func receive(_ notice: TransferNotice) {
        switch notice {
        case .event(let event):
            let (telling, service) = state.withLock { state in
                state.log?.append(event, at: cl_monotonic_milliseconds())
                if TransferRow.keeps(event.what) { state.latest.append(event) }
                return (state.telling, state.service)
            }
            telling?.tell(event, from: service)
            plan(event.id, within: delay(of: event.what))
        case .changed(let id): plan(id, within: movementDelay)
        case .moved(let id): plan(id, within: movementDelay, onlyMoved: true)
        case .removed(let ids): mailbox.post(.removed(ids))
        case .held(let servers):
            state.withLock { state in
                let now = cl_monotonic_milliseconds()
                for news in state.heldReport.news(servers) { state.log?.append(news, at: now) }
            }
            mailbox.post(.held(servers))
        case .limited(let counts):
            state.withLock { state in
                let now = cl_monotonic_milliseconds()
                for news in state.heldReport.news(limits: counts) { state.log?.append(news, at: now) }
            }
            mailbox.post(.limited(counts))
        case .bounded(let rates): mailbox.post(.bounded(rates))
        case .complaint(let sentence): complain(sentence)
        case .saving, .saved, .lost: break
        case .idle:
            let (telling, service) = state.withLock { ($0.telling, $0.service) }
            telling?.tellAllDone(from: service)
        }
    }

    // MARK: - Collecting

    /// The first rows of a list are wanted at once; those behind them must not be sorted in a few at a time.
    private func delay(of what: TransferEvent.What) -> Int64 {
        guard what.isAddition else { return Self.urgentDelay }
        guard let last = state.withLock({ $0.publishedAt }) else { return Self.firstDelay }
        return cl_monotonic_milliseconds() - last > movementDelay ? Self.urgentDelay : movementDelay
    }

    private func plan(_ id: UInt64, within delay: Int64, onlyMoved: Bool = false) {
        let moment = cl_monotonic_milliseconds() + delay
        let isSooner = state.withLock { state in
            if onlyMoved { state.moved.insert(id) } else { state.changed.insert(id) }
            return state.plan.add(by: moment)
        }
        guard isSooner else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { [weak self] in self?.publish() }
    }

    private func publish() {
        let now = cl_monotonic_milliseconds()
        writeLog(at: now)
        guard let batch = state.withLock({ $0.takeBatch(at: now) }), let service = batch.service else { return }
        if batch.changed.count >= Self.longBatch { keepMemoryLow() }
        if !batch.changed.isEmpty {
            mailbox.post(.rows(service.snapshots(of: batch.changed.sorted())))
            hasFirstRows.change { $0 = true }
        }
        if !batch.moved.isEmpty { mailbox.post(.figures(service.figures(of: batch.moved.sorted()))) }
        // Details are texts; the numbers among them are those of steps, each of which is a change.
        if let watched = batch.watched, batch.changed.contains(watched) {
            for message in details(of: watched, service) { mailbox.post(message) }
        } else if let watched = batch.watched, batch.moved.contains(watched),
            let details = service.details(of: watched), !details.segments.isEmpty
        {
            // The map of a file moves with its bytes.
            mailbox.post(.details(watched, details))
        }
        let news = state.withLock { $0.latest.takeUnread() }
        if !news.isEmpty { mailbox.post(.logged(LatestEvents.entries(news, from: service))) }
        if announcesEnd, service.counts.isIdle { mailbox.post(.allWorkEnded) }
    }

    /// Writes lines of the log file that have waited long enough, and sees to it that the others are written too; says
    /// once when they cannot be.
    private func writeLog(at now: Int64) {
        let (deadline, failure) = state.withLock { state -> (Int64?, UnwrittenReport?) in
            guard state.log != nil else { return (nil, nil) }
            state.log?.flushIfDue(at: now)
            let failure = state.complainsOfLog ? nil : state.log?.failure
            if failure != nil { state.complainsOfLog = true }
            let deadline = state.flushesLog ? nil : state.log?.deadline
            if deadline != nil { state.flushesLog = true }
            return (deadline, failure)
        }
        if let failure {
            mailbox.post(.toast(SafeText(untrusted: failure.sentence) + "; the log ends there", isError: true))
        }
        guard let deadline else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(max(deadline - now, 0)) + 1)) { [weak self] in
            self?.state.withLock { $0.flushesLog = false }
            self?.writeLog(at: cl_monotonic_milliseconds())
        }
    }

    /// Gives memory back at once while many rows are added, paused or resumed.
    private func keepMemoryLow() {
        ca_return_memory_at_once()
        let number = state.withLock { state in
            state.longBatchCount += 1
            return state.longBatchCount
        }
        for time in Self.settlingTimes {
            queue.asyncAfter(deadline: .now() + time) { [weak self] in
                if self?.state.withLock({ $0.longBatchCount }) == number { ca_keep_memory_at_hand() }
            }
        }
    }
}

/// The moment at which the next message about rows is due.
///
/// A sooner wish makes a timer of its own and the later one still goes off: it finds nothing due then. A timer that
/// published all the same would begin a second row of messages beside the first, for as long as anything moves.
struct PublicationPlan: Sendable, Equatable {
    /// A timer may read another clock than its plan did, and one that went off too soon would be the last.
    private static let tolerance: Int64 = 2

    /// The moment, in milliseconds of the monotonic clock; nil when nothing waits.
    private var due: Int64?

    /// Plans a message by a moment; true when that needs a timer.
    mutating func add(by moment: Int64) -> Bool {
        if let due, due <= moment { return false }
        due = moment
        return true
    }

    /// Whether it is time, when a timer has gone off; the next wish begins anew then.
    mutating func takeDue(at now: Int64) -> Bool {
        guard let due, due <= now + Self.tolerance else { return false }
        self.due = nil
        return true
    }
}

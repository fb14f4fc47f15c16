import Foundation
import SessionSupport

/// Delivers the notices of a service in this process to one subscriber.
///
/// Unread notices wait in at most 1 MiB, unless the interest says otherwise, and never delay the service. Safe from any
/// thread.
package final class LocalSubscription: Subscription, TransferObserver {
    /// Reads the values of rows.
    package struct Source: Sendable {
        var rows: @Sendable ([UInt64]) -> [RowSnapshot]
        var figures: @Sendable ([UInt64]) -> [RowFigures]
        var progress: @Sendable ([UInt64]) -> [TransferUpdate.Progress]

        package init(
            rows: @escaping @Sendable ([UInt64]) -> [RowSnapshot],
            figures: @escaping @Sendable ([UInt64]) -> [RowFigures],
            progress: @escaping @Sendable ([UInt64]) -> [TransferUpdate.Progress]
        ) {
            (self.rows, self.figures, self.progress) = (rows, figures, progress)
        }
    }

    private struct State {
        var queue: NoticeQueue
        var plan = DeliveryPlan()
        /// When notices were taken last; nil before the first time.
        var takenAt: Int64?
    }

    package let interest: Interest
    private let state: Locked<State>
    private let source: Source
    private let wake: @Sendable () -> Void
    private let end = Locked<(@Sendable () -> Void)?>(nil)
    /// The queue that wakes a subscriber with a frame rate.
    private let queue: DispatchQueue?
    /// Milliseconds between two frames.
    private let frame: Int64

    /// - Parameter wake: called when something waits that did not before; must not block. A subscriber with a frame
    ///   rate is woken for each frame on its own queue, any other on the notice's thread.
    package init(_ interest: Interest, source: Source, wake: @escaping @Sendable () -> Void) {
        self.interest = interest
        self.source = source
        self.wake = wake
        state = Locked(State(queue: NoticeQueue(interest, byteLimit: interest.keepsAll ? .max : NoticeQueue.byteLimit)))
        queue = interest.framesPerSecond == nil ? nil : DispatchQueue(label: "netdash.rows")
        frame = 1_000 / Int64(max(interest.framesPerSecond ?? 1, 1))
    }

    package func receive(_ notice: TransferNotice) {
        guard queue != nil else { return receiveAtOnce(notice) }
        let now = MonotonicClock.milliseconds
        let delay = state.withLock { state -> Int64? in
            guard let urgency = state.queue.add(notice) else { return nil }
            let delay = urgency.delay(frame: frame, idle: state.takenAt.map { now - $0 })
            // An earlier timer may serve.
            return state.plan.add(by: now + delay) ? delay : nil
        }
        if let delay { wake(after: delay) }
    }

    private func receiveAtOnce(_ notice: TransferNotice) {
        let isFirst = state.withLock { state in
            let wasEmpty = state.queue.isEmpty
            return state.queue.add(notice) != nil && wasEmpty
        }
        if isFirst { wake() }
    }

    private func wake(after delay: Int64) {
        queue?.asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { [weak self] in
            guard let self else { return }
            let now = MonotonicClock.milliseconds
            if state.withLock({ $0.plan.takeDue(at: now) }) { wake() }
        }
    }

    package func show(_ ids: Set<UInt64>) {
        let now = MonotonicClock.milliseconds
        let isDue = state.withLock { $0.queue.show(ids) && $0.plan.add(by: now) }
        if isDue { wake(after: 0) }
    }

    package func take() -> TransferUpdate {
        let now = MonotonicClock.milliseconds
        let (content, delay, hasMore) = state.withLock { state -> (NoticeQueue.Content, Int64?, Bool) in
            let content = state.queue.take(at: now)
            state.takenAt = now
            let hasMore = !state.queue.isEmpty
            guard let due = hasMore ? now : state.queue.restDue, state.plan.add(by: due) else {
                return (content, nil, hasMore)
            }
            return (content, max(due - now, 0), hasMore)
        }
        if let delay { wake(after: delay) }
        if hasMore, queue == nil { wake() }
        var update = TransferUpdate(isCut: content.isCut, notices: content.notices)
        if !content.changed.isEmpty { update.rows = source.rows(content.changed) }
        guard !content.moved.isEmpty else { return update }
        if interest.showsRows { update.figures = source.figures(content.moved) }
        if interest.hearsProgress { update.progress = source.progress(content.moved) }
        return update
    }

    package func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    package func onCancel(_ body: @escaping @Sendable () -> Void) { end.withLock { $0 = body } }
}

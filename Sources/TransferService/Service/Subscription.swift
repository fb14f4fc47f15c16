import SessionSupport

/// The news of one subscriber, which reads them at its own pace.
///
/// Unread news waits in at most 1 MiB and never delays the service. Safe from any thread.
package final class Subscription: TransferObserver {
    package let interest: Interest
    private let queue = Locked(NoticeQueue())
    private let wake: @Sendable () -> Void
    private let end = Locked<(@Sendable () -> Void)?>(nil)

    /// - Parameter wake: called on any thread when something waits that did not before; must not block.
    init(_ interest: Interest, wake: @escaping @Sendable () -> Void) {
        self.interest = interest
        self.wake = wake
    }

    package func receive(_ notice: TransferNotice) {
        if queue.withLock({ $0.add(notice) }) { wake() }
    }

    /// Removes and returns what waits: ``TransferNotice/lost`` first where something was dropped, then events in their order,
    /// then the rows that have changed, each once.
    package func take() -> [TransferNotice] { queue.withLock { $0.take() } }

    /// Ends it: nothing is told any more.
    package func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    /// Says what ends it.
    func onCancel(_ body: @escaping @Sendable () -> Void) { end.withLock { $0 = body } }
}

import Dispatch

/// Where completion handlers run: the queue and the group as they were when the task ended.
struct CompletionDelivery: Sendable {
    /// The group of every manager without its own.
    ///
    /// Nothing in the library waits for it.
    static let defaultGroup = DispatchGroup()

    var lane = CompletionLane.main
    var group: DispatchGroup?

    func run(_ work: @escaping @Sendable () -> Void) {
        lane.run(in: group ?? Self.defaultGroup, work)
    }
}

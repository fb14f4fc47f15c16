import Dispatch

/// Where completion handlers run: the queue and the group as they were when the task ended.
struct CompletionDelivery: Sendable {
    /// The group of every manager without its own.
    ///
    /// Nothing in the library waits for it.
    static let defaultGroup = DispatchGroup()

    /// That of every manager without a queue of its own.
    static let mainLane = CompletionLane<DueCompletion>(.main)

    var lane = Self.mainLane
    var group: DispatchGroup?

    /// Hands over what became due together: those of one lane at once, in order.
    static func run(_ due: [DueCompletion]) {
        var rest = due[...]
        while let lane = rest.first?.delivery.lane {
            let batch = rest.prefix { $0.delivery.lane === lane }
            lane.run(batch)
            rest = rest.dropFirst(batch.count)
        }
    }
}

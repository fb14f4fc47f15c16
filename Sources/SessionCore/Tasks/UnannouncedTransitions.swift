/// The transitions of a task that nobody has been told of, in order.
///
/// A task is resumed and suspended in turns, so the latest transition and how many there are say everything, and nothing
/// has to be allocated for them.
struct UnannouncedTransitions: Sendable, Equatable, Sequence {
    /// The latest one; nil when all are announced.
    private(set) var last: TaskTransition?
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ transition: TaskTransition) {
        precondition(transition != last, "A task made the transition \(transition) twice in a row")
        last = transition
        count += 1
    }

    func makeIterator() -> Iterator { Iterator(last: last, left: count) }

    /// Goes through them, oldest first.
    struct Iterator: IteratorProtocol {
        fileprivate let last: TaskTransition?
        fileprivate var left: Int

        mutating func next() -> TaskTransition? {
            guard left > 0 else { return nil }
            left -= 1
            return left.isMultiple(of: 2) ? last : last?.opposite
        }
    }
}

extension TaskTransition {
    fileprivate var opposite: TaskTransition {
        switch self {
        case .resumed: .suspended
        case .suspended: .resumed
        }
    }
}

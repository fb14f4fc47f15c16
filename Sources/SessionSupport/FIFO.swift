/// A queue with amortised constant cost at both ends.
public struct FIFO<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    /// An empty queue.
    @inlinable
    public init() {}

    /// Whether the queue has no elements.
    @inlinable public var isEmpty: Bool { head == elements.count }

    /// The number of elements.
    @inlinable public var count: Int { elements.count - head }

    /// The oldest element; nil if empty.
    @inlinable public var first: Element? { isEmpty ? nil : elements[head] }

    /// Adds an element at the end.
    @inlinable
    public mutating func append(_ element: Element) { elements.append(element) }

    /// Removes and returns the oldest element; nil if empty.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}

extension FIFO: Sendable where Element: Sendable {}

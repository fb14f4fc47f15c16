/// The contents of one or two cells: a scalar and its combining marks.
///
/// A plain number of 16 bytes, because a screen has thousands of them and is compared with its predecessor at every
/// frame. Five scalars of 21 bits fit, as many as ncurses takes for a cell; an empty cluster is the right half of a
/// wide one.
package struct Cluster: Sendable, Equatable {
    /// The maximum number of scalars.
    @inlinable package static var limit: Int { 5 }

    @inlinable static var bits: Int { 21 }
    @inlinable static var mask: UInt64 { 1 << bits - 1 }

    /// The first three scalars, then the others; 0 ends them.
    @usableFromInline private(set) var head: UInt64 = 0
    @usableFromInline private(set) var tail: UInt64 = 0

    package init() {}

    package init(_ scalar: Unicode.Scalar) { head = UInt64(scalar.value) }

    init(ascii byte: UInt8) { head = UInt64(byte) }

    /// Takes the first scalars of a text.
    package init(_ text: String) {
        for scalar in text.unicodeScalars { append(scalar) }
    }

    @inlinable package var isEmpty: Bool { head == 0 }

    @inlinable package var count: Int {
        if head >> Self.bits == 0 { return isEmpty ? 0 : 1 }
        var count = 2
        while count < Self.limit, self[count] != 0 { count += 1 }
        return count
    }

    /// A scalar's value; 0 after the last one.
    @inlinable package subscript(index: Int) -> UInt32 {
        UInt32((index < 3 ? head >> (Self.bits * index) : tail >> (Self.bits * (index - 3))) & Self.mask)
    }

    /// Adds a mark; one that does not fit is dropped.
    package mutating func append(_ scalar: Unicode.Scalar) {
        let index = count
        guard index < Self.limit else { return }
        if index < 3 {
            head |= UInt64(scalar.value) << (Self.bits * index)
        } else {
            tail |= UInt64(scalar.value) << (Self.bits * (index - 3))
        }
    }

    var scalars: [Unicode.Scalar] { (0..<count).compactMap { Unicode.Scalar(self[$0]) } }

    package var text: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}

extension Cluster: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self.init(value) }
}

/// The slots of rows by their ids.
///
/// Ids are counted up, so that most of those that follow each other are there: 64 of them share a page, and a row takes four
/// bytes of it. A page whose rows have all gone is used again, so that what takes room is the rows there are, and not all
/// that there ever were.
struct SlotIndex: Sendable {
    private static let pageBits: UInt64 = 6
    private static let pageLength = 1 << 6
    /// The mark of an id without a slot.
    private static let none: Int32 = -1

    /// The places of pages, by the ids' upper bits.
    private var pages: [UInt64: Int32] = [:]
    private var slots: [Int32] = []
    /// The ids of each page that have slots.
    private var used: [UInt8] = []
    private var freePages: [Int32] = []
    /// The ids that have slots.
    private(set) var count = 0

    /// The slot of an id; nil where it has none.
    subscript(id: UInt64) -> Int32? {
        guard let page = pages[id >> Self.pageBits] else { return nil }
        let slot = slots[Self.place(id, page)]
        return slot == Self.none ? nil : slot
    }

    /// Gives an id its slot.
    mutating func set(_ id: UInt64, _ slot: Int32) {
        let page = pages[id >> Self.pageBits] ?? addPage(id >> Self.pageBits)
        let place = Self.place(id, page)
        if slots[place] == Self.none {
            used[Int(page)] += 1
            count += 1
        }
        slots[place] = slot
    }

    /// Takes an id out and answers its slot; nil where it had none.
    mutating func remove(_ id: UInt64) -> Int32? {
        guard let page = pages[id >> Self.pageBits] else { return nil }
        let place = Self.place(id, page)
        let slot = slots[place]
        guard slot != Self.none else { return nil }
        slots[place] = Self.none
        used[Int(page)] -= 1
        count -= 1
        if used[Int(page)] == 0 {
            pages[id >> Self.pageBits] = nil
            freePages.append(page)
        }
        return slot
    }

    private static func place(_ id: UInt64, _ page: Int32) -> Int {
        Int(page) << Int(pageBits) | Int(truncatingIfNeeded: id & UInt64(pageLength - 1))
    }

    private mutating func addPage(_ number: UInt64) -> Int32 {
        let page: Int32
        if let free = freePages.popLast() {
            page = free
        } else {
            page = Int32(truncatingIfNeeded: used.count)
            used.append(0)
            slots.append(contentsOf: repeatElement(Self.none, count: Self.pageLength))
        }
        pages[number] = page
        return page
    }
}

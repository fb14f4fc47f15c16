/// The slots of rows by their ids.
///
/// Ids are consecutive, so most neighbours exist: 64 of them share a page, and a row takes four bytes of it. A page
/// whose rows have all gone is reused, so that memory grows with the existing rows, not with all rows ever added.
struct SlotIndex: Sendable {
    private static let pageBits: UInt64 = 6
    private static let pageLength = 1 << 6
    /// The mark of an id without a slot.
    private static let none: Int32 = -1

    /// The indices of pages, by the ids' upper bits.
    private var pages: [UInt64: Int32] = [:]
    private var slots: [Int32] = []
    /// The number of ids with slots, by page.
    private var used: [UInt8] = []
    private var freePages: [Int32] = []
    /// The number of ids with slots.
    private(set) var count = 0

    subscript(id: UInt64) -> Int32? {
        guard let page = pages[id >> Self.pageBits] else { return nil }
        let slot = slots[Self.index(id, page)]
        return slot == Self.none ? nil : slot
    }

    mutating func set(_ id: UInt64, _ slot: Int32) {
        let page = pages[id >> Self.pageBits] ?? addPage(id >> Self.pageBits)
        let index = Self.index(id, page)
        if slots[index] == Self.none {
            used[Int(page)] += 1
            count += 1
        }
        slots[index] = slot
    }

    /// Removes an id and returns its slot; nil if it had none.
    mutating func remove(_ id: UInt64) -> Int32? {
        guard let page = pages[id >> Self.pageBits] else { return nil }
        let index = Self.index(id, page)
        let slot = slots[index]
        guard slot != Self.none else { return nil }
        slots[index] = Self.none
        used[Int(page)] -= 1
        count -= 1
        if used[Int(page)] == 0 {
            pages[id >> Self.pageBits] = nil
            freePages.append(page)
        }
        return slot
    }

    private static func index(_ id: UInt64, _ page: Int32) -> Int {
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

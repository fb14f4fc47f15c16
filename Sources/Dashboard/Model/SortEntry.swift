/// A row on its way through a sort: what it is compared by, and its slot.
struct SortEntry: Comparable {
    var value: UInt64
    var id: UInt64
    var slot: Int32

    static func < (left: SortEntry, right: SortEntry) -> Bool {
        left.value != right.value ? left.value < right.value : left.id < right.id
    }

    /// Sorts by name or host.
    ///
    /// Eight bytes are compared at a time, as one number, and only rows that are equal so far are looked at again: names
    /// tend to begin alike, and comparing whole texts again and again costs ten times as much.
    static func sortByText(_ entries: inout [SortEntry], in texts: RowTexts, byHost: Bool, isInverted: Bool) {
        var work: [(range: Range<Int>, chunk: Int)] = [(entries.indices, 0)]
        while let (range, chunk) = work.popLast() {
            var isUniform = true
            for index in range {
                let value = texts.chunk(Int(entries[index].slot), byHost: byHost, number: chunk)
                entries[index].value = isInverted ? ~value : value
                if entries[index].value != entries[range.lowerBound].value { isUniform = false }
            }
            if !isUniform { entries[range].sort() }
            var start = range.lowerBound
            while start < range.upperBound {
                var end = start + 1
                while end < range.upperBound, entries[end].value == entries[start].value { end += 1 }
                let bytes = isInverted ? ~entries[start].value : entries[start].value
                let isOver = bytes & 0xFF == 0
                if end - start > 1 {
                    if !isOver {
                        work.append((start..<end, chunk + 1))
                    } else if isUniform {
                        entries[start..<end].sort()
                    }
                }
                start = end
            }
        }
    }
}

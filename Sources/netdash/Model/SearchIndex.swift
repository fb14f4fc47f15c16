/// The rows' names and URLs in lower case, in one block of memory, so that a filter is one pass over bytes.
struct SearchIndex: Sendable {
    private struct Entry {
        var start: UInt32 = 0
        /// Where the host begins, after the name.
        var host: UInt32 = 0
        var count: UInt32 = 0
    }

    /// No safe text contains it, and it comes before everything that does.
    private static let separator: UInt8 = 0x0A

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var wasted = 0

    /// Sets what a slot is found by.
    mutating func set(_ slot: Int, to row: RowSnapshot) {
        while entries.count <= slot { entries.append(Entry()) }
        wasted += Int(entries[slot].count)
        if wasted > 1 << 16, wasted > bytes.count / 2 { compact(except: slot) }
        let start = bytes.count
        appendLowercased(row.name.string)
        bytes.append(SearchIndex.separator)
        let host = bytes.count
        appendLowercased(row.host.string)
        bytes.append(SearchIndex.separator)
        appendLowercased(row.url.string)
        entries[slot] = Entry(
            start: UInt32(truncatingIfNeeded: start), host: UInt32(truncatingIfNeeded: host),
            count: UInt32(truncatingIfNeeded: bytes.count - start))
    }

    /// Eight bytes of a slot's name, or host, as a number that sorts like them; zeros after the text's end.
    func chunk(_ slot: Int, byHost: Bool, number: Int) -> UInt64 {
        bytes.withUnsafeBufferPointer { bytes in
            let position = Int(byHost ? entries[slot].host : entries[slot].start) + number * 8
            var value: UInt64 = 0
            for offset in 0..<8 {
                guard bytes[position + offset] != SearchIndex.separator else {
                    return value << UInt64(8 * (8 - offset))
                }
                value = value << 8 | UInt64(bytes[position + offset])
            }
            return value
        }
    }

    /// Whether one slot's name, or host, comes before another's; nil when they are the same.
    func precedes(_ left: Int, _ right: Int, byHost: Bool) -> Bool? {
        bytes.withUnsafeBufferPointer { bytes in
            var leftPosition = Int(byHost ? entries[left].host : entries[left].start)
            var rightPosition = Int(byHost ? entries[right].host : entries[right].start)
            while bytes[leftPosition] == bytes[rightPosition] {
                if bytes[leftPosition] == SearchIndex.separator { return nil }
                leftPosition += 1
                rightPosition += 1
            }
            return bytes[leftPosition] < bytes[rightPosition]
        }
    }

    /// Whether the slot's text contains the needle, which is lower case already.
    func contains(_ needle: [UInt8], in slot: Int) -> Bool {
        guard let first = needle.first else { return true }
        let entry = entries[slot]
        let start = Int(entry.start)
        let last = start + Int(entry.count) - needle.count
        guard last >= start else { return false }
        return bytes.withUnsafeBufferPointer { haystack in
            needle.withUnsafeBufferPointer { needle in
                var position = start
                while position <= last {
                    if haystack[position] == first, matches(haystack, at: position, needle) { return true }
                    position += 1
                }
                return false
            }
        }
    }

    private func matches(
        _ haystack: UnsafeBufferPointer<UInt8>, at position: Int, _ needle: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var offset = 1
        while offset < needle.count {
            if haystack[position + offset] != needle[offset] { return false }
            offset += 1
        }
        return true
    }

    /// ASCII, which nearly all of it is, needs no Unicode tables.
    private mutating func appendLowercased(_ text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            bytes.append(contentsOf: text.utf8.lazy.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 })
        } else {
            bytes.append(contentsOf: text.lowercased().utf8)
        }
    }

    private mutating func compact(except dropped: Int) {
        var packed: [UInt8] = []
        packed.reserveCapacity(bytes.count - wasted)
        for slot in entries.indices {
            let entry = entries[slot]
            let start = UInt32(truncatingIfNeeded: packed.count)
            if slot == dropped {
                entries[slot] = Entry()
            } else {
                packed.append(contentsOf: bytes[Int(entry.start)..<Int(entry.start + entry.count)])
                entries[slot].start = start
                entries[slot].host = start + (entry.host - entry.start)
            }
        }
        bytes = packed
        wasted = 0
    }
}

/// The positions of row texts in their block, by slot.
///
/// Short entries, which nearly every row has, take half of an ``RowTexts/Entry``: their pieces are counted from the
/// row's first byte in 16 bits. The few others are kept unchanged.
struct TextEntries: Sendable {
    /// An entry whose pieces are all within 64 KiB.
    private struct Short: Sendable {
        /// The start value of an entry that is kept elsewhere.
        static let elsewhere = UInt32.max

        var start: UInt32 = 0
        var folder: Int32 = -1
        var found: UInt16 = 0
        var url: UInt16 = 0
        var length: UInt16 = 0
        var name = Piece()
        var host = Piece()
        var leaf = Piece()
        var method: UInt8 = 0
        var protocolName: UInt8 = 0
        var route: UInt8 = 0
        var isFolded = false
    }

    /// A piece of a row's own bytes.
    private struct Piece: Sendable {
        var offset: UInt16 = 0
        var count: UInt16 = 0
    }

    private var shorts: [Short] = []
    private var others: [Int: RowTexts.Entry] = [:]

    var count: Int { shorts.count }

    var indices: Range<Int> { shorts.indices }

    subscript(slot: Int) -> RowTexts.Entry {
        get {
            let short = shorts[slot]
            return short.start == Short.elsewhere ? others[slot] ?? RowTexts.Entry() : Self.entry(short)
        }
        set {
            let wasElsewhere = shorts[slot].start == Short.elsewhere
            if let short = Self.short(newValue) {
                shorts[slot] = short
                if wasElsewhere { others[slot] = nil }
            } else {
                shorts[slot] = Short(start: Short.elsewhere)
                others[slot] = newValue
            }
        }
    }

    /// The bytes of a slot that a filter searches; nil if it searches their lower-case copies.
    ///
    /// Cheaper than the entry.
    func found(_ slot: Int) -> TextSpan? {
        let short = shorts[slot]
        guard short.start != Short.elsewhere else { return self[slot].isFolded ? nil : self[slot].found }
        return short.isFolded ? nil : Self.span(short, Piece(offset: 0, count: short.found))
    }

    /// The name or host of a slot; nil if lower-case copies decide the order.
    ///
    /// Cheaper than the entry.
    func sorted(_ slot: Int, byHost: Bool) -> TextSpan? {
        let short = shorts[slot]
        guard short.start != Short.elsewhere else {
            let entry = self[slot]
            return entry.isFolded ? nil : byHost ? entry.host : entry.name
        }
        return short.isFolded ? nil : Self.span(short, byHost ? short.host : short.name)
    }

    /// Adds slots without texts up to a count.
    mutating func grow(to count: Int) {
        while shorts.count < count { shorts.append(Short()) }
    }

    /// An entry in half its size; nil if it does not fit.
    private static func short(_ entry: RowTexts.Entry) -> Short? {
        let start = entry.found.start
        guard start != Short.elsewhere, entry.url.start == start || entry.url.count == 0,
            let found = UInt16(exactly: entry.found.count), let url = UInt16(exactly: entry.url.count),
            let length = UInt16(exactly: entry.length), let name = piece(entry.name, behind: start),
            let host = piece(entry.host, behind: start), let leaf = piece(entry.leaf, behind: start),
            let method = UInt8(exactly: entry.method), let protocolName = UInt8(exactly: entry.protocolName),
            let route = UInt8(exactly: entry.route)
        else { return nil }
        return Short(
            start: start, folder: entry.folder, found: found, url: url, length: length, name: name, host: host,
            leaf: leaf, method: method, protocolName: protocolName, route: route, isFolded: entry.isFolded)
    }

    private static func piece(_ span: TextSpan, behind start: UInt32) -> Piece? {
        guard span.count > 0 else { return Piece() }
        guard span.start >= start, let offset = UInt16(exactly: span.start - start),
            let count = UInt16(exactly: span.count)
        else { return nil }
        return Piece(offset: offset, count: count)
    }

    private static func span(_ short: Short, _ piece: Piece) -> TextSpan {
        let first = Int(short.start) + Int(piece.offset)
        return TextSpan(first..<first + Int(piece.count))
    }

    private static func entry(_ short: Short) -> RowTexts.Entry {
        var entry = RowTexts.Entry()
        entry.found = span(short, Piece(offset: 0, count: short.found))
        entry.url = span(short, Piece(offset: 0, count: short.url))
        entry.name = span(short, short.name)
        entry.host = span(short, short.host)
        entry.leaf = span(short, short.leaf)
        entry.length = UInt32(short.length)
        entry.folder = short.folder
        entry.method = Int32(short.method)
        entry.protocolName = Int32(short.protocolName)
        entry.route = Int32(short.route)
        entry.isFolded = short.isFolded
        return entry
    }
}

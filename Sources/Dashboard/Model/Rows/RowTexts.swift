/// The texts of all rows, in one block of memory.
///
/// Most of a row's texts are part of its URL: the host, and a download's name. Such texts are pieces of the URL's bytes
/// and take no memory of their own, and a filter is one pass over the block. Rows are identified by their slots here.
struct RowTexts: Sendable {
    /// The pieces of the block that are the texts of a slot.
    struct Entry: Sendable {
        /// URL, name and host as far as they are not pieces of one another, with separators between.
        var found = TextSpan()
        var url = TextSpan()
        var name = TextSpan()
        var host = TextSpan()
        /// The path after its folder.
        var leaf = TextSpan()
        /// The slot's bytes from the beginning of `found` on.
        var length: UInt32 = 0
        /// The number of the path's folder, with its slash; negative without a path.
        var folder: Int32 = -1
        var method: Int32 = 0
        var protocolName: Int32 = 0
        var route: Int32 = 0
        /// Whether a filter has to search other bytes than the shown ones, because lower case needs more than ASCII's
        /// rules.
        var isFolded = false
    }

    /// Lower-case copies of a slot's texts.
    struct Folded: Sendable {
        var found = TextSpan()
        var name = TextSpan()
        var host = TextSpan()
    }

    /// No safe text contains it, and it sorts before every text byte.
    static let separator: UInt8 = 0x0A

    var bytes: [UInt8] = []
    var entries = TextEntries()
    /// Lower-case texts by slot, for the few rows that need them.
    var folded: [Int: Folded] = [:]
    /// Causes of failures by slot, for the few rows that have one.
    private var errors: [Int: SafeText] = [:]
    /// Workers by slot, which only the rows of a queue have.
    private var workers: [Int: SafeText] = [:]
    private var folders = TextTable()
    private var words = TextTable()
    private var wasted = 0

    init() {
        // Entries start with the numbers of the empty text.
        _ = words.number(of: .empty)
    }

    // MARK: - Reading

    func snapshot(_ slot: Int, _ figures: RowFigures) -> RowSnapshot {
        let entry = entries[slot]
        var row = RowSnapshot(id: figures.id, kind: figures.kind, name: text(entry.name), url: text(entry.url))
        row.figures = figures
        row.host = text(entry.host)
        row.method = words[entry.method]
        row.protocolName = words[entry.protocolName]
        row.route = words[entry.route]
        row.error = errors[slot]
        row.worker = worker(slot)
        row.path = path(entry)
        return row
    }

    func name(_ slot: Int) -> SafeText { text(entries[slot].name) }

    func url(_ slot: Int) -> SafeText { text(entries[slot].url) }

    func path(_ slot: Int) -> SafeText? { path(entries[slot]) }

    func protocolName(_ slot: Int) -> SafeText { words[entries[slot].protocolName] }

    func route(_ slot: Int) -> SafeText { words[entries[slot].route] }

    func host(_ slot: Int) -> SafeText { text(entries[slot].host) }

    /// The worker of a slot; empty without one.
    func worker(_ slot: Int) -> SafeText { workers[slot] ?? .empty }

    /// The host of a slot as it was stored, for comparison only, not for display.
    func hostText(_ slot: Int) -> String { String(decoding: bytes[entries[slot].host.range], as: UTF8.self) }

    /// The folder of a slot's path as it was stored; empty without a path.
    func folderText(_ slot: Int) -> String {
        entries[slot].folder < 0 ? "" : folders[entries[slot].folder].string
    }

    /// Whether the cause of a slot's failure contains a lower-case text; every cause contains an empty one.
    func errorContains(_ part: String, in slot: Int) -> Bool {
        guard let error = errors[slot] else { return false }
        return part.isEmpty || error.string.lowercased().contains(part)
    }

    func hasURL(_ url: SafeText, _ slot: Int) -> Bool { holds(url, entries[slot].url) }

    /// Reads a piece as safe text.
    ///
    /// It was safe when it was stored, and is sanitised again because only the sanitiser may make safe text.
    private func text(_ span: TextSpan) -> SafeText { SafeText(untrusted: bytes[span.range]) }

    private func path(_ entry: Entry) -> SafeText? {
        guard entry.folder >= 0 else { return nil }
        let folder = folders[entry.folder]
        return folder + text(entry.leaf)
    }

    // MARK: - Writing

    /// Sets the texts of a slot; returns whether its searchable text has changed.
    @discardableResult
    mutating func set(_ slot: Int, to row: RowSnapshot) -> Bool {
        entries.grow(to: slot + 1)
        if row.error != errors[slot] { errors[slot] = row.error }
        if row.worker != worker(slot) { workers[slot] = row.worker.isEmpty ? nil : row.worker }
        let isFoundAlike =
            holds(row.url, entries[slot].url) && holds(row.name, entries[slot].name)
            && holds(row.host, entries[slot].host)
        if !isFoundAlike || !holds(row.path, entries[slot]) { write(slot, row) }
        if words[entries[slot].method] != row.method { entries[slot].method = words.number(of: row.method) }
        if words[entries[slot].protocolName] != row.protocolName {
            entries[slot].protocolName = words.number(of: row.protocolName)
        }
        if words[entries[slot].route] != row.route { entries[slot].route = words.number(of: row.route) }
        return !isFoundAlike
    }

    mutating func clear(_ slot: Int) {
        wasted += Int(entries[slot].length)
        entries[slot] = Entry()
        folded[slot] = nil
        errors[slot] = nil
        workers[slot] = nil
    }

    /// Whether a piece equals a text.
    func holds(_ text: SafeText, _ span: TextSpan) -> Bool {
        text.string.utf8.count == Int(span.count) && holds(text, from: 0, span)
    }

    /// Whether the rest of a text equals a piece.
    private func holds(_ text: SafeText, from start: Int, _ span: TextSpan) -> Bool {
        ByteComparison.isSame(
            text.string.utf8Span.span.bytes, from: start, bytes.span.bytes, from: Int(span.start),
            count: Int(span.count))
    }

    /// Whether an entry's folder and leaf equal a path.
    private func holds(_ path: SafeText?, _ entry: Entry) -> Bool {
        guard let path else { return entry.folder < 0 }
        guard entry.folder >= 0 else { return false }
        let folder = folders[entry.folder].string
        let count = folder.utf8.count
        return path.string.utf8.count == count + Int(entry.leaf.count)
            && ByteComparison.isSame(
                path.string.utf8Span.span.bytes, from: 0, folder.utf8Span.span.bytes, from: 0, count: count)
            && holds(path, from: count, entry.leaf)
    }

    private mutating func write(_ slot: Int, _ row: RowSnapshot) {
        wasted += Int(entries[slot].length)
        entries[slot] = Entry()
        folded[slot] = nil
        if wasted > 1 << 16, wasted > bytes.count / 2 { compact() }
        let start = bytes.count
        var entry = Entry()
        entry.url = append(row.url)
        entry.name = piece(row.name, after: start)
        entry.host = piece(row.host, after: start)
        entry.found = TextSpan(start..<bytes.count)
        entry.isFolded = bytes[start...].contains { $0 >= 0x80 }
        if let path = row.path { setPath(path, of: &entry) }
        if entry.isFolded { folded[slot] = fold(row) }
        entry.length = UInt32(truncatingIfNeeded: bytes.count - start)
        entries[slot] = entry
    }

    private mutating func setPath(_ path: SafeText, of entry: inout Entry) {
        let (folder, leaf) = path.splitAfterLastSlash
        entry.folder = folders.number(of: folder)
        entry.leaf = piece(leaf, after: Int(entry.found.start))
    }

    /// A text among the slot's bytes: existing ones, or new ones after a separator.
    private mutating func piece(_ text: SafeText, after start: Int) -> TextSpan {
        if let known = find(text, after: start) { return known }
        bytes.append(Self.separator)
        return append(text)
    }

    private mutating func append(_ text: SafeText) -> TextSpan {
        let start = bytes.count
        bytes.append(contentsOf: text.string.utf8)
        return TextSpan(start..<bytes.count)
    }

    private func find(_ text: SafeText, after start: Int) -> TextSpan? {
        var text = text.string
        return text.withUTF8 { needle in
            guard let first = needle.first else { return TextSpan(start..<start) }
            return bytes.withUnsafeBufferPointer { bytes in
                // The search runs backwards because a name is at the end of its URL.
                var position = bytes.count - needle.count
                while position >= start {
                    if bytes[position] == first, needle.elementsEqual(bytes[position..<position + needle.count]) {
                        return TextSpan(position..<position + needle.count)
                    }
                    position -= 1
                }
                return nil
            }
        }
    }

    private mutating func fold(_ row: RowSnapshot) -> Folded {
        var folded = Folded()
        let start = bytes.count
        folded.name = append(row.name.lowercased)
        bytes.append(Self.separator)
        folded.host = append(row.host.lowercased)
        bytes.append(Self.separator)
        _ = append(row.url.lowercased)
        folded.found = TextSpan(start..<bytes.count)
        return folded
    }

    /// Moves everything in use together.
    private mutating func compact() {
        var packed: [UInt8] = []
        packed.reserveCapacity(bytes.count - wasted)
        for slot in entries.indices where entries[slot].length > 0 {
            let start = Int(entries[slot].found.start)
            let distance = packed.count - start
            packed.append(contentsOf: bytes[start..<start + Int(entries[slot].length)])
            entries[slot].move(by: distance)
            folded[slot]?.move(by: distance)
        }
        bytes = packed
        wasted = 0
    }
}

extension RowTexts.Entry {
    fileprivate mutating func move(by distance: Int) {
        found = found.moved(by: distance)
        url = url.moved(by: distance)
        name = name.moved(by: distance)
        host = host.moved(by: distance)
        leaf = leaf.moved(by: distance)
    }
}

extension RowTexts.Folded {
    fileprivate mutating func move(by distance: Int) {
        found = found.moved(by: distance)
        name = name.moved(by: distance)
        host = host.moved(by: distance)
    }
}

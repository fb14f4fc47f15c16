import Glibc

/// The pages of a store that SQLite refuses, read one by one: from the log if it has them, else from the file.
///
/// A class because it owns descriptors. Whatever the bytes are, reads never leave a page.
final class StorePages {
    enum Content {
        /// The numbers of the child pages.
        case branch([Int])
        case leaf([StoreRecord], unreadable: Int)
        /// Any other page, such as an overflow page.
        case other
    }

    private let file: Int32
    private let log: Int32
    private let offsets: [Int: Int64]
    let pageSize: Int
    /// The bytes of a page without its reserved end.
    let usable: Int
    /// The pages that the store should have.
    let count: Int

    static func isPageSize(_ size: Int) -> Bool { (512...65_536).contains(size) && size & (size - 1) == 0 }

    /// Opens the files of these names in a folder; either may be missing.
    init(folder: Folder, name: String, log logName: String) {
        let file = folder.open(name, flags: O_RDONLY)
        let log = folder.open(logName, flags: O_RDONLY)
        self.file = file
        self.log = log
        let loaded = StoreLog(descriptor: log)
        let length = FileStatus(descriptor: file)?.size ?? 0
        let inFile = StoreLog.read(file, 100, at: 0).flatMap(Self.header)
        let inLog = loaded?.offsets[1].flatMap { StoreLog.read(log, 100, at: $0) }.flatMap(Self.header)
        offsets = loaded?.offsets ?? [:]
        let pageSize = loaded?.pageSize ?? inFile?.pageSize ?? 4_096
        self.pageSize = pageSize
        usable = max(pageSize - ((inLog ?? inFile)?.reserved ?? 0), 480)
        let known = loaded.map(\.databasePages).flatMap { $0 > 0 ? $0 : nil } ?? inFile?.pages ?? 0
        // A damaged header may name any number of pages, so the number is limited.
        let there = max(Int(length) / pageSize, loaded?.offsets.keys.max() ?? 0)
        count = known > 0 && known < there * 1_000 + 1_000 ? known : there
    }

    deinit {
        for descriptor in [file, log] where descriptor >= 0 { Glibc.close(descriptor) }
    }

    private static func header(_ bytes: [UInt8]) -> (pageSize: Int, reserved: Int, pages: Int)? {
        guard bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
        let raw = Int(bytes[16]) << 8 | Int(bytes[17])
        let size = raw == 1 ? 65_536 : raw
        guard isPageSize(size) else { return nil }
        return (size, Int(bytes[20]), Int(StoreLog.number(bytes, 28)))
    }

    /// Returns the bytes of a page, counted from 1; nil if unreadable.
    func page(_ number: Int) -> [UInt8]? {
        if let offset = offsets[number] { return StoreLog.read(log, pageSize, at: offset) }
        return StoreLog.read(file, pageSize, at: Int64(number - 1) * Int64(pageSize))
    }

    /// Returns what a page has; nil if it cannot be read, ``Content/other`` if it is damaged or no page of a table.
    func content(_ number: Int) -> Content? {
        guard let page = page(number) else { return nil }
        // The first page begins with the header of the file.
        let start = number == 1 ? 100 : 0
        let isLeaf = page[start] == 0x0D
        guard isLeaf || page[start] == 0x05 else { return .other }
        let cells = Self.short(page, start + 3)
        let first = start + (isLeaf ? 8 : 12)
        let content = Self.short(page, start + 5)
        guard first + cells * 2 <= (content == 0 ? 65_536 : content), first + cells * 2 <= usable else { return .other }
        let pointers = (0..<cells).map { Self.short(page, first + $0 * 2) }
        guard !isLeaf else {
            let records = pointers.map { record(page, at: $0) }
            let readable = records.compactMap(\.self)
            return .leaf(readable, unreadable: records.count - readable.count)
        }
        let children = pointers.filter { $0 + 4 <= usable }.map { Int(StoreLog.number(page, $0)) }
        return .branch(children + [Int(StoreLog.number(page, start + 8))])
    }

    private static func short(_ bytes: [UInt8], _ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }

    // MARK: Rows

    private func record(_ page: [UInt8], at offset: Int) -> StoreRecord? {
        guard offset >= 8, offset < usable else { return nil }
        var reader = StoreRecordReader(page[offset..<usable])
        guard let length = reader.number(), let row = reader.number(), (1...(1 << 26)).contains(length),
            let payload = payload(Int(length), reader.rest)
        else { return nil }
        return StoreRecord(row: row, payload: payload)
    }

    /// Returns the bytes of a row; a long row has most of them on other pages.
    private func payload(_ length: Int, _ rest: ArraySlice<UInt8>) -> [UInt8]? {
        let most = usable - 35
        guard length > most else { return rest.count >= length ? Array(rest.prefix(length)) : nil }
        let least = (usable - 12) * 32 / 255 - 23
        let wanted = least + (length - least) % (usable - 4)
        let local = wanted <= most ? wanted : least
        // A row cannot be longer than all pages together; without this limit a few damaged bytes would cause endless
        // reads.
        guard rest.count >= local + 4, length - local <= count * (usable - 4) else { return nil }
        var bytes = Array(rest.prefix(local))
        var next = Int(StoreLog.number(Array(rest.dropFirst(local).prefix(4)), 0))
        while bytes.count < length {
            guard (1...count).contains(next), let page = page(next) else { return nil }
            bytes += page[4..<min(usable, 4 + length - bytes.count)]
            next = Int(StoreLog.number(page, 0))
        }
        return bytes
    }
}

@available(*, unavailable) extension StorePages: Sendable {}

/// A row of a table in the file format.
struct StoreRecord: Sendable {
    let row: Int64
    let values: [SQLiteValue]

    /// Parses a row's bytes; nil if SQLite cannot have written them.
    fileprivate init?(row: Int64, payload: [UInt8]) {
        var header = StoreRecordReader(payload[...])
        // The header's length includes its own bytes.
        guard let length = header.number(), length >= header.rest.startIndex, length <= payload.count else {
            return nil
        }
        var kinds = StoreRecordReader(payload[header.rest.startIndex..<Int(length)])
        var body = StoreRecordReader(payload[Int(length)...])
        var values: [SQLiteValue] = []
        while !kinds.rest.isEmpty {
            guard let kind = kinds.number(), let value = body.value(kind) else { return nil }
            values.append(value)
        }
        self.row = row
        self.values = values
    }
}

/// Reads numbers and values from the front of bytes; nil if too few are left.
private struct StoreRecordReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Reads a number of one to nine bytes.
    mutating func number() -> Int64? {
        var result: UInt64 = 0
        for index in 0..<9 {
            guard let byte = rest.popFirst() else { return nil }
            guard index < 8 else { return Int64(bitPattern: result << 8 | UInt64(byte)) }
            result = result << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: result)
    }

    /// Reads a value; its kind, SQLite's serial type, comes from the row's header.
    mutating func value(_ kind: Int64) -> SQLiteValue? {
        switch kind {
        case 0: return .null
        case 1...6: return integer(bytes: [1, 2, 3, 4, 6, 8][Int(kind) - 1]).map { .integer($0) }
        case 7: return integer(bytes: 8).map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
        case 8, 9: return .integer(kind - 8)
        case 12...:
            guard let bytes = take(Int((kind - 12) / 2)) else { return nil }
            guard kind % 2 == 1 else { return .blob(Array(bytes)) }
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
        default: return nil
        }
    }

    private mutating func integer(bytes count: Int) -> Int64? {
        guard let bytes = take(count), let first = bytes.first else { return nil }
        let start: Int64 = first >= 0x80 ? -1 : 0
        return bytes.reduce(start) { $0 << 8 | Int64($1) }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

import Glibc

/// Caches the parts that successive requests to one server, and its responses, have in common.
///
/// The thousands of transfers of a list go to one server: comparing with the previous value costs less than building
/// it. A class, because parsers share parts of it. Confined to the transfer loop's thread.
final class RecentAnswers {
    let origins = OriginCache()
    let headerLines = HeaderLineCache()
    let endpoints = EndpointCache()
    private let additionalHeaders: HeaderFields
    private var latestList: (fields: RequestFields, list: HeaderList)?

    init(additionalHeaders: HeaderFields) {
        self.additionalHeaders = additionalHeaders
    }

    /// Returns the list for fields without a body; the previous one if the fields are the same.
    func headerList(of fields: RequestFields) throws(SessionError) -> HeaderList {
        if let latestList, latestList.fields == fields { return latestList.list }
        let framing = try RequestFraming(fields.merged(session: additionalHeaders), body: .none)
        let list = try HeaderList(framing, withholding: fields.withheld)
        latestList = (fields, list)
        return list
    }
}

/// Caches parsed header lines: the responses of one server differ in few lines, and comparing a line costs a tenth of
/// parsing it.
///
/// A class, because parsers share it. Confined to one thread.
final class HeaderLineCache {
    /// The meaning of a status line.
    struct Status {
        var code: Int
        var reason: String
        var version: HTTPVersion
    }

    /// The meaning of a field line.
    struct Line {
        var field: HeaderFields.Field
        var trait: Trait = .none
    }

    /// What few field lines have.
    enum Trait: Equatable {
        case none
        /// It names a file in bytes that are not UTF-8.
        case rawName
        /// It names a transfer coding besides chunked.
        case unaskedCoding(String)
    }

    private struct Entry<Meaning> {
        var line: [UInt8]
        var meaning: Meaning
    }

    /// Longer lines are rarely sent twice.
    private static let lengthLimit = 256
    private static let slotCount = 64
    /// The slots in which a line may be: fields whose names share the first one must not replace each other.
    private static let reach = 4

    private var starts = [UInt64](repeating: 0, count: slotCount)
    private var lines = [Entry<Line>?](repeating: nil, count: slotCount)
    private var status: Entry<Status>?

    /// Returns the meaning of a field line, parsed only if its name's slot has another line.
    func field(_ line: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> Line?) -> Line? {
        guard line.count <= Self.lengthLimit else { return read(line) }
        let start = Self.start(line)
        let slot = slot(of: start)
        if starts[slot] == start, let line = same(line, at: slot) { return line }
        guard let meaning = read(line) else { return nil }
        starts[slot] = start
        lines[slot] = Entry(line: Array(line), meaning: meaning)
        return meaning
    }

    /// Returns the meaning of a status line, parsed only if it differs from the previous one.
    func status(_ line: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> Status?) -> Status? {
        guard line.count <= Self.lengthLimit else { return read(line) }
        if let status, Self.isSame(line, status.line) { return status.meaning }
        guard let meaning = read(line) else { return nil }
        status = Entry(line: Array(line), meaning: meaning)
        return meaning
    }

    private func same(_ line: UnsafeRawBufferPointer, at slot: Int) -> Line? {
        guard let known = lines[slot], Self.isSame(line, known.line) else { return nil }
        return known.meaning
    }

    private static func isSame(_ line: UnsafeRawBufferPointer, _ known: [UInt8]) -> Bool {
        guard line.count == known.count, let base = line.baseAddress else { return false }
        return known.withUnsafeBytes { bytes in bytes.baseAddress.map { memcmp(base, $0, line.count) == 0 } ?? false }
    }

    /// Returns the slot of the lines with a start: the one that has such a line, otherwise a free one, otherwise the
    /// first.
    private func slot(of start: UInt64) -> Int {
        let first = Int((start &* 0x9E37_79B9_7F4A_7C15) >> 58)
        var free = first
        var isFull = true
        for step in 0..<Self.reach {
            let slot = (first + step) & (Self.slotCount - 1)
            if starts[slot] == start { return slot }
            if isFull, starts[slot] == 0 { (free, isFull) = (slot, false) }
        }
        return free
    }

    /// Returns the first twelve bytes of a line, mixed, or all of a shorter one: enough of a name to separate the usual
    /// ones, whatever their values.
    private static func start(_ line: UnsafeRawBufferPointer) -> UInt64 {
        guard line.count >= 12 else { return line.reduce(1) { ($0 << 5) ^ UInt64($1) } }
        let first = line.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        return first ^ (UInt64(line.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) << 29)
    }
}

/// Caches addresses with ports as text: a connection serves many transfers, each with the same two endpoints.
///
/// A class, so that reading fills the cache. Confined to one thread.
final class EndpointCache {
    private struct Entry {
        var address: String
        var port: Int
        var text: String
    }

    private static let slotCount = 128

    private var entries = [Entry?](repeating: nil, count: slotCount)

    /// Formats an address and a port; an IPv6 address is put in brackets.
    func text(_ address: UnsafePointer<CChar>, port: Int) -> String {
        let slot = port & (Self.slotCount - 1)
        if let known = entries[slot], known.port == port, known.address.withCString({ strcmp($0, address) == 0 }) {
            return known.text
        }
        let address = String(cString: address)
        let host = address.utf8.contains(0x3A) ? "[" + address + "]" : address
        let text = host + ":" + String(port)
        entries[slot] = Entry(address: address, port: port, text: text)
        return text
    }
}

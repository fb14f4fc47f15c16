import Glibc

/// What the requests to one server, and its answers, mostly have in common, remembered for the next one.
///
/// The thousands of transfers of a list go to one server: what is the same each time is compared instead of made again.
/// A class because parsers share parts of it. Belongs to the transfer loop's thread.
final class RecentAnswers {
    let origins = OriginCache()
    let headerLines = HeaderLineCache()
    let endpoints = EndpointCache()
    /// The fields that the session adds to each request.
    private let additionalHeaders: HeaderFields
    private var latestList: (fields: RequestFields, list: HeaderList)?

    init(additionalHeaders: HeaderFields) {
        self.additionalHeaders = additionalHeaders
    }

    /// The list for fields without a body; the one that was made last, when it is of the same fields.
    func headerList(of fields: RequestFields) throws(SessionError) -> HeaderList {
        if let latestList, latestList.fields == fields { return latestList.list }
        let list = try HeaderList(try RequestFraming(fields.merged(session: additionalHeaders), body: .none))
        latestList = (fields, list)
        return list
    }
}

/// The header lines read last, with what they mean: the answers of one server differ in few lines, and comparing a line
/// costs a tenth of reading it.
///
/// A class because parsers share it. Belongs to one thread.
final class HeaderLineCache {
    /// What a status line says.
    struct Status {
        var code: Int
        var reason: String
        var version: HTTPVersion
    }

    /// What a field line says.
    struct Line {
        var field: HeaderFields.Field
        /// Whether it names a file in bytes that are not UTF-8.
        var hasRawName: Bool
        /// The transfer coding that it names besides chunks; nil for every other field.
        var unaskedCoding: String?
    }

    private struct Entry<Meaning> {
        var line: [UInt8]
        var meaning: Meaning
    }

    /// Longer lines are rarely sent twice.
    private static let lengthLimit = 256
    private static let slotCount = 64

    private var lines = [Entry<Line>?](repeating: nil, count: slotCount)
    private var status: Entry<Status>?

    /// What a field line says, read only when it is not the one its place remembers.
    func field(_ line: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> Line?) -> Line? {
        guard line.count <= Self.lengthLimit else { return read(line) }
        let slot = Self.slot(line)
        if let known = lines[slot], Self.isSame(line, known.line) { return known.meaning }
        guard let meaning = read(line) else { return nil }
        lines[slot] = Entry(line: Array(line), meaning: meaning)
        return meaning
    }

    /// The meaning of a status line.
    func status(_ line: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) -> Status?) -> Status? {
        guard line.count <= Self.lengthLimit else { return read(line) }
        if let status, Self.isSame(line, status.line) { return status.meaning }
        guard let meaning = read(line) else { return nil }
        status = Entry(line: Array(line), meaning: meaning)
        return meaning
    }

    private static func isSame(_ line: UnsafeRawBufferPointer, _ known: [UInt8]) -> Bool {
        guard line.count == known.count, let base = line.baseAddress else { return false }
        return known.withUnsafeBytes { bytes in bytes.baseAddress.map { memcmp(base, $0, line.count) == 0 } ?? false }
    }

    /// The place of a line, told from its first twelve bytes: enough of a name to keep the usual ones apart, whatever
    /// their values are.
    private static func slot(_ line: UnsafeRawBufferPointer) -> Int {
        guard line.count >= 12 else { return line.count }
        let first = line.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let second = UInt64(line.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        let mixed = (first ^ (second << 29)) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 58)
    }
}

/// Addresses with their ports as text: connections are used for many transfers, and each has the same two.
///
/// A class because it remembers while its owner only asks. Belongs to one thread.
final class EndpointCache {
    private struct Entry {
        var address: String
        var port: Int
        var text: String
    }

    private static let slotCount = 128

    private var entries = [Entry?](repeating: nil, count: slotCount)

    /// An address and a port; the colons of an address stand in brackets.
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

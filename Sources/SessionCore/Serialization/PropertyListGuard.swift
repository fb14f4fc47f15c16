import Foundation

/// Checks a property list before Foundation's parsers, which recurse once per nested list: `PropertyListDecoder` ends
/// the process with one nested deep enough.
enum PropertyListGuard {
    /// The reason a list is not parsed.
    enum Refusal: Error {
        case tooDeep, tooLarge, isBroken, isForeign, isNone

        var words: String {
            switch self {
            case .tooDeep: BodyReasons.tooDeep
            case .tooLarge: BodyReasons.tooLarge
            case .isBroken: BodyReasons.broken
            case .isForeign: BodyReasons.foreignValue
            case .isNone: BodyReasons.noPropertyList
            }
        }
    }

    /// The maximum nesting depth.
    static let depthLimit = 256

    /// Throws for a list that must not be parsed; every other fault is left to the parser.
    static func check(_ bytes: [UInt8]) throws(Refusal) {
        if bytes.starts(with: Array("bplist0".utf8)) {
            var list = try BinaryList(bytes)
            try list.check()
            return
        }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        guard let first = bytes.dropFirst(isMarked ? 3 : 0).first(where: { $0 > 0x20 }), first == UInt8(ascii: "<")
        else {
            throw .isNone
        }
        try checkDepth(ofXML: bytes)
    }

    /// Throws a decoder's error for a list that it must not parse; `JSONDecoder` has a limit of its own.
    static func check(_ data: Data, for decoder: any ResponseDecoder) throws {
        guard decoder is PropertyListDecoder else { return }
        do throws(Refusal) {
            try check([UInt8](data))
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: error.words))
        }
    }

    // MARK: XML

    /// Counts the nesting depth of elements, ignoring text that only resembles tags.
    private static func checkDepth(ofXML bytes: [UInt8]) throws(Refusal) {
        var depth = 0
        var offset = 0
        while let start = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = bytes[start...]
            if rest.starts(with: Array("<!--".utf8)) {
                offset = try end(of: "-->", in: rest, behind: 4)
            } else if rest.starts(with: Array("<?".utf8)) {
                offset = try end(of: "?>", in: rest, behind: 2)
            } else if rest.starts(with: Array("<![CDATA[".utf8)) {
                offset = try end(of: "]]>", in: rest, behind: 9)
            } else {
                guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { throw .isBroken }
                let second = bytes[start + 1]
                if second == UInt8(ascii: "/") {
                    depth -= 1
                } else if second != UInt8(ascii: "!"), bytes[close - 1] != UInt8(ascii: "/") {
                    depth += 1
                }
                offset = close + 1
            }
            guard depth <= depthLimit else { throw .tooDeep }
            // An end without a beginning would make up for a list that is open elsewhere.
            guard depth >= 0 else { throw .isBroken }
        }
    }

    /// Returns the offset behind a mark that ends what begins with `length` bytes.
    ///
    /// Parsers disagree about a mark that shares bytes with the beginning, such as `<!-->`, so that is refused.
    private static func end(
        of mark: String, in bytes: ArraySlice<UInt8>, behind length: Int
    ) throws(Refusal) -> Int {
        let mark = Array(mark.utf8)
        var offset = bytes.startIndex + 1
        while let next = bytes[offset...].firstIndex(of: mark[0]) {
            if bytes[next...].starts(with: mark) {
                guard next >= bytes.startIndex + length else { throw .isBroken }
                return next + mark.count
            }
            offset = next + 1
        }
        throw .isBroken
    }
}

/// The objects of a binary property list and their references.
///
/// The format is CoreFoundation's `CFBinaryPList.c`: a mark, objects, a table of their offsets, and 32 bytes at the end
/// that locate the table.
private struct BinaryList {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    private let table: Int
    /// The number of values each object expands to; 0 if not computed yet, -1 while it is being computed.
    private var sizes: [Int: Int] = [:]

    init(_ bytes: [UInt8]) throws(PropertyListGuard.Refusal) {
        guard bytes.count >= 8 + 32 else { throw .isBroken }
        self.bytes = bytes
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8), count > 0, top < count, table >= 8, table < trailer,
            count <= (trailer - table) / offsetSize
        else { throw .isBroken }
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// Reads an unsigned number of some bytes; nil outside the list, and for a number no length can have.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + size] { value = value << 8 | UInt64(byte) }
        return value > UInt64(Int32.max) ? nil : Int(value)
    }

    /// Throws for objects nested too deep, that contain themselves, or that expand to more values than the list has
    /// bytes: each reference takes a byte at least, so an honest list stays below.
    mutating func check() throws(PropertyListGuard.Refusal) {
        guard try size(of: top, depth: 0) <= bytes.count else { throw .tooLarge }
    }

    private mutating func size(of object: Int, depth: Int) throws(PropertyListGuard.Refusal) -> Int {
        if let known = sizes[object] {
            guard known > 0 else { throw .tooDeep }
            return known
        }
        guard depth <= PropertyListGuard.depthLimit else { throw .tooDeep }
        sizes[object] = -1
        var size = 1
        for reference in try references(of: object) {
            size += try self.size(of: reference, depth: depth + 1)
            // This is far above the sum of an accepted list and far below integer overflow.
            guard size <= bytes.count else { throw .tooLarge }
        }
        sizes[object] = size
        return size
    }

    /// The object kinds: constants, integers, reals, dates, data, two kinds of strings, arrays and dictionaries.
    ///
    /// Sets and references, which archives have, are not property list values, and Foundation ends the process at some.
    private static let kinds: Set<UInt8> = [0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0xA, 0xD]

    /// The offset of an object.
    private func offset(of object: Int) throws(PropertyListGuard.Refusal) -> Int {
        guard object < count, let offset = Self.number(bytes, table + object * offsetSize, offsetSize), offset < table
        else { throw .isBroken }
        return offset
    }

    /// The elements of an array, or the keys and values of a dictionary.
    private func references(of object: Int) throws(PropertyListGuard.Refusal) -> [Int] {
        let offset = try offset(of: object)
        let kind = bytes[offset] >> 4
        guard Self.kinds.contains(kind) else { throw .isForeign }
        guard kind == 0xA || kind == 0xD else { return [] }
        var length = Int(bytes[offset] & 0xF)
        var start = offset + 1
        if length == 0xF {
            guard start < table, bytes[start] >> 4 == 1 else { throw .isBroken }
            let size = 1 << Int(bytes[start] & 0xF)
            guard size <= 8, let long = Self.number(bytes, start + 1, size) else { throw .isBroken }
            (length, start) = (long, start + 1 + size)
        }
        let total = kind == 0xD ? 2 * length : length
        guard total <= (table - start) / referenceSize else { throw .isBroken }
        var references: [Int] = []
        for index in 0..<total {
            guard let next = Self.number(bytes, start + index * referenceSize, referenceSize) else { throw .isBroken }
            // The keys of a dictionary are strings.
            if kind == 0xD, index < length, try ![0x5, 0x6].contains(bytes[self.offset(of: next)] >> 4) {
                throw .isForeign
            }
            references.append(next)
        }
        return references
    }
}

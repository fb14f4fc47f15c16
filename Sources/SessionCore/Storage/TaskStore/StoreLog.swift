import Glibc

/// The contents of the log next to a store's database, as far as its checksums prove them.
///
/// SQLite reads a log up to the first invalid frame and silently skips the rest, which is right after a crash: an
/// unfinished transaction was not yet confirmed. A log that was truncated later gives the same picture, so the store
/// compares the result with its own ``StoreCommitMarker``.
struct StoreLog: Sendable {
    private static let headerLength = 32
    private static let frameHeaderLength = 24

    /// The two salts that SQLite draws whenever it restarts the log.
    private var salts: UInt64 = 0
    private(set) var pageSize = 0
    /// The frames up to the end of the last complete transaction.
    private(set) var frames = 0
    /// The pages of the database after that transaction; 0 without one.
    private(set) var databasePages = 0
    /// Offsets in the log of each page's latest bytes.
    private(set) var offsets: [Int: Int64] = [:]

    /// Reads the log from a descriptor; nil for an invalid header.
    init?(descriptor: Int32) {
        guard let header = Self.read(descriptor, Self.headerLength, at: 0) else { return nil }
        let magic = Self.number(header, 0)
        guard magic & ~1 == 0x377F_0682 else { return nil }
        let isBigEndian = magic & 1 == 1
        var sum = StoreLogSum(isBigEndian: isBigEndian)
        sum.add(header[0..<24])
        guard sum.matches(Self.number(header, 24), Self.number(header, 28)) else { return nil }
        pageSize = Int(Self.number(header, 8))
        guard StorePages.isPageSize(pageSize) else { return nil }
        salts = Self.long(header, 16)
        readFrames(descriptor, sum)
    }

    private mutating func readFrames(_ descriptor: Int32, _ start: StoreLogSum) {
        var sum = start
        var open: [Int: Int64] = [:]
        var count = 0
        while true {
            let offset = Int64(Self.headerLength + count * (Self.frameHeaderLength + pageSize))
            guard let frame = Self.read(descriptor, Self.frameHeaderLength + pageSize, at: offset),
                Self.long(frame, 8) == salts
            else { return }
            sum.add(frame[0..<8])
            sum.add(frame[Self.frameHeaderLength...])
            guard sum.matches(Self.number(frame, 16), Self.number(frame, 20)) else { return }
            count += 1
            open[Int(Self.number(frame, 0))] = offset + Int64(Self.frameHeaderLength)
            let size = Int(Self.number(frame, 4))
            guard size > 0 else { continue }
            (frames, databasePages) = (count, size)
            offsets.merge(open) { $1 }
            open = [:]
        }
    }

    // MARK: Bytes

    static func number(_ bytes: [UInt8], _ index: Int) -> UInt32 {
        bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func long(_ bytes: [UInt8], _ index: Int) -> UInt64 {
        UInt64(number(bytes, index)) << 32 | UInt64(number(bytes, index + 4))
    }

    /// Returns exactly `count` bytes; nil if fewer exist, or the system refuses.
    static func read(_ descriptor: Int32, _ count: Int, at offset: Int64) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let result = bytes[done...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset) + off_t(done))
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return nil }
            done += result
        }
        return bytes
    }
}

/// The running checksum of a log, as SQLite's file format defines it.
private struct StoreLogSum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds bytes, a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let words = (
                    bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                )
                first &+= (isBigEndian ? words.0.bigEndian : words.0.littleEndian) &+ second
                second &+= (isBigEndian ? words.1.bigEndian : words.1.littleEndian) &+ first
            }
        }
    }

    func matches(_ first: UInt32, _ second: UInt32) -> Bool { self.first == first && self.second == second }
}

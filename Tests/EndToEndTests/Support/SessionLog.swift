import Foundation

/// The write-ahead log of a saved session: the last changes of its rows, as SQLite writes them (File Format, section 4).
struct SessionLog {
    let path: String

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Whether a transaction that is on the disk to its last frame has the bytes.
    ///
    /// A page is written before the frame that commits it, and a program that is killed between the two has not saved it.
    func hasCommitted(_ bytes: Data) -> Bool {
        guard let log = FileManager.default.contents(atPath: path), log.count > Self.headerSize,
            let found = log.range(of: bytes)
        else { return false }
        let frameSize = Self.frameHeaderSize + number(in: log, at: 8)
        let first = (found.lowerBound - Self.headerSize) / frameSize
        return (first..<(log.count - Self.headerSize) / frameSize).contains { frame in
            number(in: log, at: Self.headerSize + frame * frameSize + 4) != 0
        }
    }

    /// A number of four bytes, the most significant first.
    private func number(in log: Data, at offset: Int) -> Int {
        log[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}

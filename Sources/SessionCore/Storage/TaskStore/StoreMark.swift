import SessionSupport

/// What a store had when it last committed, kept apart from the database, in its lock file.
///
/// A database whose file was emptied, or whose log was cut, opens without an error and has fewer rows. The mark is
/// written after the commit it tells of is on the disk, so it is never ahead of what must be there.
struct StoreMark: Sendable, Equatable {
    /// See ``StoreLog/salts``.
    var salts: UInt64 = 0
    /// The frames of the log; 0 when the store was closed.
    var frames = 0
    /// The highest number a transfer ever had.
    var highestID: UInt64 = 0

    init(salts: UInt64 = 0, frames: Int = 0, highestID: UInt64 = 0) {
        (self.salts, self.frames, self.highestID) = (salts, frames, highestID)
    }

    // MARK: Text

    /// The bytes of ``line``, always the same number, so that one line takes the place of another.
    static let lineLength = 96
    private static let heading = "netdash-store"

    var line: [UInt8] {
        var text = "\(Self.heading) \(salts) \(frames) \(highestID)"
        text += " sum " + StableHash.hexadecimal(text.utf8)
        var bytes = Array(text.utf8)
        bytes += repeatElement(0x20, count: max(Self.lineLength - 1 - bytes.count, 0))
        bytes.append(0x0A)
        return bytes
    }

    /// Reads ``line``; nil for anything else.
    init?(line: [UInt8]) {
        let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count == 6, words[0] == Self.heading[...],
            words[5] == StableHash.hexadecimal(words[..<4].joined(separator: " ").utf8),
            let salts = UInt64(words[1]), let frames = Int(words[2]), let highestID = UInt64(words[3])
        else { return nil }
        self.init(salts: salts, frames: frames, highestID: highestID)
    }

    // MARK: Judging

    /// What is wrong with a store that has this mark, in words; nil where nothing can be said against it.
    ///
    /// - Parameters:
    ///   - databaseSize: the bytes of the database file; nil when there is none.
    ///   - log: what its log proves; nil without a log that begins like one.
    func contradiction(databaseSize: Int64?, log: StoreLog?) -> String? {
        if databaseSize == 0, highestID > 0 { return "its file is empty" }
        guard frames > 0 else { return nil }
        guard let log else { return "its log is missing" }
        // Begun again since: then everything before was brought into the file.
        guard log.salts == salts, log.frames < frames else { return nil }
        return "its log ends after \(log.frames) of \(frames) pages"
    }
}

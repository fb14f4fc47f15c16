import SessionSupport

/// What a part looked like when it was last in the hands of the transfer that writes it.
///
/// A part that looks otherwise later was changed by somebody else, and nothing vouches for its bytes any more. The size and
/// the time of the last change tell most such changes; the time at which the system recorded the last change of any kind
/// tells the rest, because nobody can set it.
struct PartRecord: Sendable, Equatable {
    /// A change of our own that may have taken place after the rest was recorded.
    struct Change: Sendable, Equatable {
        /// When it began, in nanoseconds since 1970.
        var began: Int64
        /// The part's size once it is done.
        var size: Int64
    }

    var size: Int64
    /// See ``FileStatus/modified``.
    var modified: Int64
    /// See ``FileStatus/changed``.
    var changed: Int64
    /// What was under way then.
    var change: Change?

    /// How a file looks now.
    init(_ status: FileStatus) {
        self.init(size: status.size, modified: status.modified, changed: status.changed)
    }

    init(size: Int64, modified: Int64, changed: Int64, change: Change? = nil) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.change = change
    }

    /// The system notes a change at its beginning, so its time is hardly later than when it was announced.
    ///
    /// A thread that loses its processor at that very moment makes it later: then, if the process is killed in the same
    /// call, bytes are fetched again that need not be.
    private static let delayLimit: Int64 = 5_000_000
    /// The clock that the system puts on files may be a tick behind.
    private static let clockLag: Int64 = 20_000_000

    /// Whether a file looks as it did, or as the change that was under way has left it.
    func accounts(for status: FileStatus) -> Bool {
        if resembles(status) { return true }
        guard let change, min(size, change.size)...max(size, change.size) ~= status.size,
            change.began - Self.clockLag...change.began + Self.delayLimit ~= status.changed
        else { return false }
        // A write sets both times; a change of the mode leaves the first as it was.
        return status.modified == status.changed || status.modified == modified
    }

    /// Whether a file looks exactly as it did.
    func resembles(_ status: FileStatus) -> Bool {
        status.size == size && status.modified == modified && status.changed == changed
    }

    // MARK: - Text

    /// One line for the end of a meta.
    static let form = SealedLine("live", length: 160)

    var line: [UInt8] {
        let change = change.map { " \($0.began) \($0.size)" } ?? ""
        return Self.form.bytes("\(size) \(modified) \(changed)" + change)
    }

    /// Reads ``line``; nil for anything else.
    init?(line: some Collection<UInt8>) {
        guard let words = Self.form.words(line), words.count == 3 || words.count == 5 else { return nil }
        let numbers = words.compactMap { Self.number($0) }
        guard numbers.count == words.count else { return nil }
        self.init(size: numbers[0], modified: numbers[1], changed: numbers[2])
        if numbers.count == 5 { change = Change(began: numbers[3], size: numbers[4]) }
    }

    /// A number that a file's size or time can be, so that adding to it cannot overflow.
    static func number(_ text: some StringProtocol) -> Int64? {
        guard let number = Int64(text), number.magnitude < 1 << 62 else { return nil }
        return number
    }
}

/// How many bytes of a part of an earlier run may be continued.
struct PartTrust: Sendable, Equatable {
    var length: Int64
    /// Ranges further on that count, too; nil for a part of one connection.
    var beyond: [Range<Int64>]?
    /// Whether the part was changed by somebody else, as far as can be seen.
    var isTouched = false
    /// Whether some of the bytes may not be on the disk, though the ranges of a meta say so of those that it names.
    var isHeld = false

    /// What of the file counts.
    var ranges: PartRanges { PartRanges(front: length, beyond: beyond ?? []) }

    /// What is told when the bytes of such a part are fetched again.
    static let reason = ResumeReasons.partChanged

    /// Decides by what the file looks like and what its meta says.
    ///
    /// - Parameters:
    ///   - hasChecksum: the whole file's digest is known, and proves its bytes in the end whoever has changed them.
    ///   - boot: when the machine was started, in nanoseconds since 1970; nil when that is not known.
    init(_ status: FileStatus, meta: PartMeta, hasChecksum: Bool, boot: Int64?) {
        let isSameBoot = !meta.bootIdentifier.isEmpty && meta.bootIdentifier == BootIdentifier.current
        let isTouched = !Self.isAsLeft(status, meta: meta, isSameBoot: isSameBoot, boot: boot)
        self.init(length: 0, isTouched: isTouched)
        // Shorter than what was once synced: not even a checksum is worth the wait.
        guard status.size >= meta.syncedOffset, !isTouched || hasChecksum else { return }
        if var ranges = meta.ranges {
            // Without a length there is no end, and what speaks of bytes behind it was not written by a download of this file.
            guard let whole = meta.facts.length else { return }
            if isSameBoot, let held = meta.held, held.end <= whole, held.byteCount > ranges.byteCount {
                (ranges, isHeld) = (held, true)
            }
            // Without a front there is nothing to go on with.
            guard ranges.end <= whole, ranges.front > 0, ranges.front <= status.size else { return }
            length = ranges.front
            beyond = ranges.cut(to: status.size).beyond
            return
        }
        let valid = isSameBoot ? status.size : meta.syncedOffset
        if let length = meta.facts.length, valid > length { return }
        length = valid
    }

    init(length: Int64, isTouched: Bool) {
        self.length = length
        self.isTouched = isTouched
    }

    /// Whether nobody but the transfer that wrote the part can have changed it.
    ///
    /// A power cut may take away what was recorded of the last writes, but not when they were: before this start of the
    /// machine. Then what was synced counts, unless the part had been put out of hand.
    private static func isAsLeft(_ status: FileStatus, meta: PartMeta, isSameBoot: Bool, boot: Int64?) -> Bool {
        guard let record = meta.record else { return false }
        if meta.isOpen ? record.accounts(for: status) : record.resembles(status) { return true }
        guard !isSameBoot, meta.isOpen, let boot else { return false }
        // The latest record may have reached the disk before the part that it speaks of.
        let known = meta.checkpoint?.changed ?? (meta.firstRecord ?? record).changed
        return known <= status.changed && status.changed <= boot
    }
}

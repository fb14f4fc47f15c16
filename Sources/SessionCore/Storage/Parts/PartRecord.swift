import SessionSupport

/// A part's status when its transfer last wrote it.
///
/// A different status later means a foreign change, after which its bytes cannot be trusted. Size and modification time
/// reveal most such changes; the change time reveals the rest, because only the system can set it.
struct PartRecord: Sendable, Equatable {
    /// An own change that may have happened after the rest was recorded.
    struct Change: Sendable, Equatable {
        /// Its start, in nanoseconds since 1970.
        var began: Int64
        /// The part's size after the change.
        var size: Int64
    }

    var size: Int64
    /// See ``FileStatus/modified``.
    var modified: Int64
    /// See ``FileStatus/changed``.
    var changed: Int64
    /// The change under way at that time.
    var change: Change?
}

extension PartRecord {
    init(_ status: FileStatus) {
        self.init(size: status.size, modified: status.modified, changed: status.changed)
    }

    /// Nanoseconds between an announcement and the system's change time at most: the system sets it at the start of a
    /// change.
    ///
    /// A thread preempted at that moment makes it later; if the process is then killed in the same call, some bytes are
    /// downloaded again needlessly.
    private static let delayLimit: Int64 = 5_000_000
    /// Nanoseconds that the clock for file times may be behind.
    private static let clockLag: Int64 = 20_000_000

    /// Returns whether a file's status equals the record, or fits the change that was under way.
    func accounts(for status: FileStatus) -> Bool {
        if resembles(status) { return true }
        guard let change, min(size, change.size)...max(size, change.size) ~= status.size,
            change.began - Self.clockLag...change.began + Self.delayLimit ~= status.changed
        else { return false }
        // A write sets both times; a change of the mode keeps the first.
        return status.modified == status.changed || status.modified == modified
    }

    /// Returns whether a file's status equals the record.
    func resembles(_ status: FileStatus) -> Bool {
        status.size == size && status.modified == modified && status.changed == changed
    }

    // MARK: - Text

    /// One line at the end of a meta.
    static let form = SealedLine("live", length: 160)

    var line: [UInt8] {
        let change = change.map { " \($0.began) \($0.size)" } ?? ""
        return Self.form.bytes("\(size) \(modified) \(changed)" + change)
    }

    /// Parses the form of ``line``; nil for any other text.
    init?(line: some Collection<UInt8>) {
        guard let words = Self.form.words(line), words.count == 3 || words.count == 5 else { return nil }
        let numbers = words.compactMap { Self.number($0) }
        guard numbers.count == words.count else { return nil }
        self.init(size: numbers[0], modified: numbers[1], changed: numbers[2])
        if numbers.count == 5 { change = Change(began: numbers[3], size: numbers[4]) }
    }

    /// Parses a possible file size or time, small enough that additions cannot overflow.
    static func number(_ text: some StringProtocol) -> Int64? {
        guard let number = Int64(text), number.magnitude < 1 << 62 else { return nil }
        return number
    }
}

/// The bytes of an earlier run's part that may be resumed.
struct PartTrust: Sendable, Equatable {
    var length: Int64
    /// Trusted ranges further on; nil for a part of one connection.
    var beyond: [Range<Int64>]?
    /// True if a foreign change of the part was detected.
    var isTouched = false
    /// True if some of the bytes may not be on the disk, although a meta normally names only durable ranges.
    var isUnsynced = false

    var ranges: PartRanges { PartRanges(contiguousEnd: length, beyond: beyond ?? []) }

    /// The reason given when the bytes of such a part are downloaded again.
    static let reason = ResumeReasons.partChanged

    /// Decides by the file's status and its meta.
    ///
    /// - Parameters:
    ///   - hasChecksum: true if the full file's digest is known, which proves its bytes in the end after any change.
    ///   - boot: the time of the machine's start, in nanoseconds since 1970; nil if unknown.
    init(_ status: FileStatus, meta: PartMeta, hasChecksum: Bool, boot: Int64?) {
        let isSameBoot = !meta.bootIdentifier.isEmpty && meta.bootIdentifier == BootIdentifier.current
        let isTouched = !Self.isAsLeft(status, meta: meta, isSameBoot: isSameBoot, boot: boot)
        self.init(length: 0, isTouched: isTouched)
        // The file is shorter than its synced bytes, so not even a checksum could succeed.
        guard status.size >= meta.syncedOffset, !isTouched || hasChecksum else { return }
        if var ranges = meta.ranges {
            // Without a length the ranges have no limit, so they were not written by a download of this file.
            guard let total = meta.resource.length else { return }
            if isSameBoot, let unsynced = meta.unsynced, unsynced.end <= total, unsynced.isLater(than: ranges) {
                (ranges, isUnsynced) = (unsynced, true)
            }
            // Without a front, resuming is not possible.
            guard ranges.end <= total, ranges.contiguousEnd > 0, ranges.contiguousEnd <= status.size else { return }
            length = ranges.contiguousEnd
            beyond = ranges.cut(to: status.size).beyond
            return
        }
        let valid = isSameBoot ? status.size : meta.syncedOffset
        if let length = meta.resource.length, valid > length { return }
        length = valid
    }

    init(length: Int64, isTouched: Bool) {
        self.length = length
        self.isTouched = isTouched
    }

    /// Returns whether only the transfer that wrote the part can have changed it.
    ///
    /// A power cut may lose the record of the last writes, but the change time still shows that they happened before
    /// this boot. Then the synced bytes count, unless the part was no longer being written.
    private static func isAsLeft(_ status: FileStatus, meta: PartMeta, isSameBoot: Bool, boot: Int64?) -> Bool {
        guard let record = meta.record else { return false }
        if meta.isOpen ? record.accounts(for: status) : record.resembles(status) { return true }
        guard !isSameBoot, meta.isOpen, let boot else { return false }
        // The latest record may have reached the disk before the part that it describes.
        let known = meta.checkpoint?.changed ?? (meta.firstRecord ?? record).changed
        return known <= status.changed && status.changed <= boot
    }
}

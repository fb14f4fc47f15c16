/// How many bytes of a part of an earlier run may be continued.
struct PartTrust: Sendable, Equatable {
    var length: Int64
    /// Whether the part was changed by somebody else, as far as can be seen.
    var isTouched = false

    /// What is told when the bytes of such a part are fetched again.
    static let reason = "Something else has changed the part"

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
    /// A power cut may take away what was noted of the last writes, but not when they were: before this start of the
    /// machine. Then what was synced counts, unless the part had been put out of hand.
    private static func isAsLeft(_ status: FileStatus, meta: PartMeta, isSameBoot: Bool, boot: Int64?) -> Bool {
        guard let record = meta.record else { return false }
        if meta.isOpen ? record.accounts(for: status) : record.looksLike(status) { return true }
        guard !isSameBoot, meta.isOpen, let boot else { return false }
        return record.changed <= status.changed && status.changed <= boot
    }
}

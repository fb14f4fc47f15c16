import SessionSupport

/// The file next to a part, `….part.meta`, with the facts that a later run needs to prove that the part may be resumed.
///
/// The format is our own: a first line with a version, lines `name value` with percent-escaped values, and a last line
/// with a checksum of all previous ones, which reveals a torn or damaged file. URLs can contain secrets, so they are
/// not stored: the requested one appears as a digest, and as display text without its secrets.
struct PartMeta: Sendable, Equatable {
    /// The metadata of the response; after decoding its URLs are display text.
    var resource: StoredMetadata
    /// The intended name of the finished file.
    var finalName: String
    /// SHA-256 of the requested URL in hexadecimal.
    var urlDigest: String
    /// SHA-256 of the resource name if it differs from the URL: a signed link's.
    var resourceDigest: String?
    /// The identity of the described part.
    ///
    /// Another file at the name does not count.
    var identity: FileStatus.Identity
    /// Bytes on the disk at the last sync.
    var syncedOffset: Int64
    /// After a reboot, only ``syncedOffset`` bytes count.
    var bootIdentifier: String
    /// The part's latest status; nil if its bytes cannot be trusted.
    var record: PartRecord?
    /// The part's status when the meta was written, if ``record`` is newer.
    var firstRecord: PartRecord?
    /// The last checkpoint since the meta was written.
    var checkpoint: PartCheckpoint?
    /// True if a transfer was writing the part, so that it may have changed it since.
    var isOpen = false
    /// True if a caller was given the part for a later resume.
    var isPromised = false
    /// The part's new path while its move is not confirmed.
    var movedTo: String?
    /// The part's last move; nil for a part that is where it was created.
    var movedFrom: PartMove?
    /// The trusted ranges if several connections have written the part; nil for one connection, for which the part's
    /// size counts.
    var ranges: PartRanges?
    /// The ranges of such a part that are trusted until the next reboot.
    var unsynced: PartRanges?

    /// A meta larger than this is damaged.
    static let sizeLimit = 64 << 10
    /// The beginning of a meta of any version.
    static let mark = "sessioncore-part "
    private static let heading = mark + "1"

    static func digest(ofURL url: String) throws(SessionError) -> String {
        ByteText.hexadecimal(try Digest.of(url.utf8, .sha256))
    }

    /// Returns the digest of a URL's resource name; nil if it equals the URL.
    static func digest(ofResource url: String) -> String? {
        let name = ResourceName.text(url)
        return name.utf8.count == url.utf8.count ? nil : try? digest(ofURL: name)
    }

    /// Returns whether the part belongs to the same file's link with another signature.
    func isRelinked(by url: String) throws(SessionError) -> Bool {
        let digest = try Self.digest(ofURL: ResourceName.text(url))
        return (resourceDigest ?? urlDigest) == digest
    }

    // MARK: - Encoding

    func encoded() -> [UInt8] {
        var text = Self.heading + "\n"
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            text += "\(name) \(ByteText.percentEncoded(value))\n"
        }
        add("name", finalName)
        add("url-digest", urlDigest)
        add("resource-digest", resourceDigest)
        add("url", Redaction.url(resource.url, userInfo: .removed))
        add("final-url", Redaction.url(resource.finalURL, userInfo: .removed))
        add("method", resource.method)
        add("status", String(resource.status))
        add("etag", resource.entityTag)
        add("last-modified", resource.lastModified)
        add("date", resource.date)
        add("length", resource.length.map { String($0) })
        add("content-encoding", resource.contentEncoding)
        add("content-type", resource.contentType)
        add("accept-ranges", resource.acceptRanges)
        add("mirror-digest", resource.mirrorDigest)
        add("digest", resource.announced.map { "\($0.algorithm.rawValue) \(ByteText.hexadecimal($0.digest))" })
        add("url-changed", resource.isFromAnotherURL ? "yes" : nil)
        add("device", String(identity.device))
        add("inode", String(identity.inode))
        add("synced", String(syncedOffset))
        add("boot", bootIdentifier)
        add("size", record.map { String($0.size) })
        add("modified", record.map { String($0.modified) })
        add("changed", record.map { String($0.changed) })
        add("open", isOpen ? "yes" : nil)
        add("promised", isPromised ? "yes" : nil)
        add("moved-to", movedTo)
        add("moved-from", movedFrom?.text)
        add("contiguous", ranges.map { String($0.contiguousEnd) })
        add("ranges", ranges?.text(limit: PartCheckpoint.wideForm.length))
        text += "sum \(StableHash.hexadecimal(text))\n"
        return Array(text.utf8)
    }

    // MARK: - Decoding

    /// Decodes a stored text; nil for a text that ``encoded()`` did not write.
    ///
    /// A ``PartRecord/line`` may follow, which replaces the record in the text, and the slots of ``PartCheckpoint`` and
    /// ``UnsyncedRanges``.
    init?(decoding bytes: [UInt8]) {
        let end = Self.endOfText(bytes)
        let line = bytes[end...].prefix(PartRecord.form.length)
        let behind = bytes[end...].dropFirst(PartRecord.form.length)
        let slots = behind.prefix(PartCheckpoint.areaLength)
        let unsyncedSlots = behind.dropFirst(PartCheckpoint.areaLength)
        guard bytes.count <= Self.sizeLimit, PartRecord.form.mayBe(line), PartCheckpoint.areSlots(slots),
            UnsyncedRanges.areSlots(unsyncedSlots),
            let fields = Self.fields(bytes[..<end]),
            let finalName = fields["name"], Folder.isComponent(finalName),
            let urlDigest = fields["url-digest"], let url = fields["url"], let finalURL = fields["final-url"],
            let method = fields["method"], let status = fields["status"].flatMap({ Int($0) }),
            let device = fields["device"].flatMap({ UInt64($0) }),
            let inode = fields["inode"].flatMap({ UInt64($0) }),
            let synced = fields["synced"].flatMap({ ByteText.decimal($0) }), let boot = fields["boot"]
        else { return nil }
        var resource = StoredMetadata(url: url, finalURL: finalURL, method: method, status: status)
        if let text = fields["length"] {
            guard let length = ByteText.decimal(text) else { return nil }
            resource.length = length
        }
        resource.entityTag = fields["etag"]
        resource.lastModified = fields["last-modified"]
        resource.date = fields["date"]
        resource.contentEncoding = fields["content-encoding"]
        resource.contentType = fields["content-type"]
        resource.acceptRanges = fields["accept-ranges"]
        resource.mirrorDigest = fields["mirror-digest"]
        resource.announced = fields["digest"].flatMap { Self.checksum($0) }
        resource.isFromAnotherURL = fields["url-changed"] == "yes"
        self.init(
            resource: resource, finalName: finalName, urlDigest: urlDigest,
            identity: FileStatus.Identity(device: device, inode: inode), syncedOffset: synced, bootIdentifier: boot,
            record: Self.record(fields), isOpen: fields["open"] == "yes",
            isPromised: fields["promised"] == "yes")
        movedTo = fields["moved-to"]
        movedFrom = fields["moved-from"].flatMap { PartMove($0) }
        resourceDigest = fields["resource-digest"]
        if let live = PartRecord(line: line) { (record, firstRecord) = (live, record) }
        checkpoint = PartCheckpoint(slots: slots)
        if let text = fields["ranges"] {
            guard let contiguousEnd = fields["contiguous"].flatMap({ ByteText.decimal($0) }),
                let stored = PartRanges(contiguousEnd: contiguousEnd, text: text)
            else { return nil }
            ranges = stored
        }
        if PartCheckpoint.saySparse(slots) { ranges = ranges ?? PartRanges(contiguousEnd: syncedOffset) }
        syncedOffset = max(syncedOffset, checkpoint?.offset ?? 0)
        guard let known = ranges else { return }
        let latest = checkpoint?.ranges ?? PartRanges(contiguousEnd: syncedOffset)
        ranges = latest.isLater(than: known) ? latest : known
        unsynced = UnsyncedRanges(slots: unsyncedSlots)?.ranges
    }

    private static func checksum(_ text: String) -> Checksum? {
        let words = text.split(separator: " ")
        guard words.count == 2, let algorithm = Checksum.Algorithm(rawValue: String(words[0])) else { return nil }
        let checksum = Checksum(algorithm: algorithm, hex: String(words[1]))
        return checksum.digest.count == algorithm.byteCount ? checksum : nil
    }

    private static func record(_ fields: [String: String]) -> PartRecord? {
        func number(_ name: String) -> Int64? { fields[name].flatMap { PartRecord.number($0) } }
        guard let size = number("size"), let modified = number("modified"), let changed = number("changed") else {
            return nil
        }
        return PartRecord(size: size, modified: modified, changed: changed)
    }

    /// Returns the end of the checksum line, which is the end of the text.
    private static func endOfText(_ bytes: [UInt8]) -> Int {
        let mark = Array("\nsum ".utf8)
        let length = mark.count + 17
        guard bytes.count >= length else { return bytes.count }
        for start in 0...bytes.count - length where bytes[start] == 0x0A && bytes[start...].starts(with: mark) {
            return start + length
        }
        return bytes.count
    }

    init(
        resource: StoredMetadata, finalName: String, urlDigest: String, identity: FileStatus.Identity,
        syncedOffset: Int64,
        bootIdentifier: String, record: PartRecord? = nil, isOpen: Bool = false, isPromised: Bool = false
    ) {
        self.resource = resource
        self.finalName = finalName
        self.urlDigest = urlDigest
        self.identity = identity
        self.syncedOffset = syncedOffset
        self.bootIdentifier = bootIdentifier
        self.record = record
        self.isOpen = isOpen
        self.isPromised = isPromised
    }

    /// Returns the lines by name; nil for a wrong heading or checksum, or a repeated name.
    private static func fields(_ bytes: ArraySlice<UInt8>) -> [String: String]? {
        guard bytes.last == 0x0A, bytes.allSatisfy({ $0 == 0x0A || ($0 >= 0x20 && $0 < 0x7F) }) else { return nil }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, lines.removeLast().isEmpty else { return nil }
        let sum = lines.removeLast()
        let summed = lines.joined(separator: "\n") + "\n"
        guard lines.first == heading[...], sum == "sum \(StableHash.hexadecimal(summed))" else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let space = line.firstIndex(of: " ") else { return nil }
            let value = ByteText.percentDecoded(line[line.index(after: space)...])
            guard let text = String(validating: value, as: UTF8.self),
                fields.updateValue(text, forKey: String(line[..<space])) == nil
            else { return nil }
        }
        return fields
    }
}

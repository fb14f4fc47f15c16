import SessionSupport

/// What lies beside a part in `….part.meta`: everything a later run needs to prove that the part may be continued.
///
/// The format is our own: a first line with a version, lines `name value` with percent-escaped values, and a last line
/// with a sum over all before it, so that a torn or damaged file is noticed. URLs can hold secrets, so none is stored:
/// the one that was asked for appears as a digest, and as display text without its secrets.
struct PartMeta: Sendable, Equatable {
    /// Facts of the answer; their URLs are display text once they were read back.
    var facts: StoredFacts
    /// The name the finished file is to have.
    var finalName: String
    /// SHA-256 of the URL that was asked for, in hexadecimal.
    var urlDigest: String
    /// The same of the file's name among URLs, where the URL is more than that: a signed link.
    var resourceDigest: String?
    /// The part this describes.
    ///
    /// Any other file at the name is not it.
    var identity: FileStatus.Identity
    /// How many bytes were on the disk at the last sync.
    var syncedOffset: Int64
    /// When the machine has been started again since, only ``syncedOffset`` bytes count.
    var bootIdentifier: String
    /// What the part looked like last; nil when nothing vouches for its bytes.
    var record: PartRecord?
    /// The same when the meta was written, where ``record`` is newer.
    var firstRecord: PartRecord?
    /// The last checkpoint since the meta was written.
    var checkpoint: PartCheckpoint?
    /// Whether a transfer had the part in hand when this was written, so that it may have changed it since.
    var isOpen = false
    /// Whether somebody was told of the part, to go on with it.
    var isPromised = false
    /// The path that the part has been given, as long as nobody has said that it stays there.
    var movedTo: String?
    /// What of the part counts where several connections have written it; nil for a part of one connection, whose size says
    /// how much there is.
    var ranges: PartRanges?
    /// What of such a part counts as long as the machine has run on since.
    var held: PartRanges?

    /// A meta larger than this is damaged.
    static let sizeLimit = 64 << 10
    /// What a meta of any version begins with.
    static let mark = "sessioncore-part "
    private static let heading = mark + "1"

    /// The digest that stands for a URL.
    static func digest(ofURL url: String) throws(SessionError) -> String {
        ByteText.hexadecimal(try Digest.of(url.utf8, .sha256))
    }

    /// The digest of a URL's name among URLs; nil for a URL that is nothing else.
    static func digest(ofResource url: String) -> String? {
        let name = ResourceName.text(url)
        return name.utf8.count == url.utf8.count ? nil : try? digest(ofURL: name)
    }

    /// Whether the part is of a link to the same file that was signed at another time.
    func isRelinked(by url: String) throws(SessionError) -> Bool {
        let digest = try Self.digest(ofURL: ResourceName.text(url))
        return (resourceDigest ?? urlDigest) == digest
    }

    // MARK: - Encoding

    /// The text to store.
    func encoded() -> [UInt8] {
        var text = Self.heading + "\n"
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            text += "\(name) \(ByteText.percentEncoded(value))\n"
        }
        add("name", finalName)
        add("url-digest", urlDigest)
        add("resource-digest", resourceDigest)
        add("url", Redaction.url(facts.url, userInfo: .removed))
        add("final-url", Redaction.url(facts.finalURL, userInfo: .removed))
        add("method", facts.method)
        add("status", String(facts.status))
        add("etag", facts.entityTag)
        add("last-modified", facts.lastModified)
        add("date", facts.date)
        add("length", facts.length.map { String($0) })
        add("content-encoding", facts.contentEncoding)
        add("content-type", facts.contentType)
        add("accept-ranges", facts.acceptRanges)
        add("mirror-digest", facts.mirrorDigest)
        add("url-changed", facts.isFromAnotherURL ? "yes" : nil)
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
        add("front", ranges.map { String($0.front) })
        add("ranges", ranges?.text(limit: PartCheckpoint.wideForm.length))
        text += "sum \(StableHash.hexadecimal(text))\n"
        return Array(text.utf8)
    }

    // MARK: - Decoding

    /// Reads a stored text; nil for anything that ``encoded()`` did not write.
    ///
    /// A ``PartRecord/line`` may follow, which takes the place of the record in the text, and the slots of
    /// ``PartCheckpoint`` and ``HeldRanges``.
    init?(decoding bytes: [UInt8]) {
        let end = Self.endOfText(bytes)
        let line = bytes[end...].prefix(PartRecord.form.length)
        let behind = bytes[end...].dropFirst(PartRecord.form.length)
        let slots = behind.prefix(PartCheckpoint.areaLength)
        let heldSlots = behind.dropFirst(PartCheckpoint.areaLength)
        guard bytes.count <= Self.sizeLimit, PartRecord.form.mayBe(line), PartCheckpoint.areSlots(slots),
            HeldRanges.areSlots(heldSlots),
            let fields = Self.fields(bytes[..<end]),
            let finalName = fields["name"], Folder.isComponent(finalName),
            let urlDigest = fields["url-digest"], let url = fields["url"], let finalURL = fields["final-url"],
            let method = fields["method"], let status = fields["status"].flatMap({ Int($0) }),
            let device = fields["device"].flatMap({ UInt64($0) }),
            let inode = fields["inode"].flatMap({ UInt64($0) }),
            let synced = fields["synced"].flatMap({ ByteText.decimal($0) }), let boot = fields["boot"]
        else { return nil }
        var facts = StoredFacts(url: url, finalURL: finalURL, method: method, status: status)
        if let text = fields["length"] {
            guard let length = ByteText.decimal(text) else { return nil }
            facts.length = length
        }
        facts.entityTag = fields["etag"]
        facts.lastModified = fields["last-modified"]
        facts.date = fields["date"]
        facts.contentEncoding = fields["content-encoding"]
        facts.contentType = fields["content-type"]
        facts.acceptRanges = fields["accept-ranges"]
        facts.mirrorDigest = fields["mirror-digest"]
        facts.isFromAnotherURL = fields["url-changed"] == "yes"
        self.init(
            facts: facts, finalName: finalName, urlDigest: urlDigest,
            identity: FileStatus.Identity(device: device, inode: inode), syncedOffset: synced, bootIdentifier: boot,
            record: Self.record(fields), isOpen: fields["open"] == "yes",
            isPromised: fields["promised"] == "yes")
        movedTo = fields["moved-to"]
        resourceDigest = fields["resource-digest"]
        if let live = PartRecord(line: line) { (record, firstRecord) = (live, record) }
        checkpoint = PartCheckpoint(slots: slots)
        if let text = fields["ranges"] {
            guard let front = fields["front"].flatMap({ ByteText.decimal($0) }),
                let stored = PartRanges(front: front, text: text)
            else { return nil }
            ranges = stored
        }
        if PartCheckpoint.saySparse(slots) { ranges = ranges ?? PartRanges(front: syncedOffset) }
        syncedOffset = max(syncedOffset, checkpoint?.offset ?? 0)
        guard let known = ranges else { return }
        // A part only gains bytes.
        let latest = checkpoint?.ranges ?? PartRanges(front: syncedOffset)
        ranges = latest.byteCount > known.byteCount ? latest : known
        held = HeldRanges(slots: heldSlots)?.ranges
    }

    private static func record(_ fields: [String: String]) -> PartRecord? {
        func number(_ name: String) -> Int64? { fields[name].flatMap { PartRecord.number($0) } }
        guard let size = number("size"), let modified = number("modified"), let changed = number("changed") else {
            return nil
        }
        return PartRecord(size: size, modified: modified, changed: changed)
    }

    /// Where the line with the sum ends, and with it the text.
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
        facts: StoredFacts, finalName: String, urlDigest: String, identity: FileStatus.Identity, syncedOffset: Int64,
        bootIdentifier: String, record: PartRecord? = nil, isOpen: Bool = false, isPromised: Bool = false
    ) {
        self.facts = facts
        self.finalName = finalName
        self.urlDigest = urlDigest
        self.identity = identity
        self.syncedOffset = syncedOffset
        self.bootIdentifier = bootIdentifier
        self.record = record
        self.isOpen = isOpen
        self.isPromised = isPromised
    }

    /// The lines by name, when heading and sum are right and no name comes twice.
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

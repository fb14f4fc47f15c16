import SessionSupport

/// An upload to an object store in parts (S3 multipart).
///
/// The lead sends the first part that is missing, and other connections claim further ones. The store shows nothing
/// under the object's name before it has joined all parts, and refuses a part whose SHA-256 is not the announced one. A
/// part that an earlier run has sent counts only if its digest fits the file's bytes.
struct MultipartUpload: UploadMachine, Equatable {
    /// The next request.
    enum Step: Sendable, Equatable {
        /// Removes an upload, at the query that names it, before another one begins.
        case discard(String)
        case create
        /// Asks for the stored parts after a number.
        case list(after: Int)
        case part(Int)
        /// Every missing part is claimed by another connection.
        case wait
        /// Makes the store join the parts.
        case complete
        /// Checks whether an earlier request, whose response was lost, has joined them.
        case verify
        /// Removes the upload because its caller has given it up.
        case abort
    }

    /// A part that is stored, with the file's own digest.
    struct Part: Sendable, Equatable {
        /// The store's tag of it, with its quotation marks.
        var tag: String
        var digest: [UInt8]
    }

    /// A part that the store says it has.
    struct ListedPart: Sendable, Equatable {
        var tag: String
        var size: Int64
        /// The SHA-256 in Base64; nil where the store does not say it.
        var checksum: String?
    }

    /// The smallest part that a store takes, except for the last one.
    static let leastPart: Int64 = 5 << 20
    /// The largest part that a store takes.
    static let mostPart: Int64 = 5 << 30
    static let usualPart: Int64 = 16 << 20
    static let partLimit: Int64 = 10_000
    /// The most contradictory responses in a row before the upload fails.
    private static let roundLimit = 3

    let content: UploadContent
    /// The object's URL.
    let object: String
    let partSize: Int64
    private(set) var step: Step
    private(set) var location: UploadLocation?
    /// The stored parts by number.
    private(set) var parts: [Int: Part] = [:]
    /// The bytes of the stored parts.
    private(set) var storedBytes: Int64 = 0
    /// The parts that other connections send.
    private(set) var claimed: Set<Int> = []
    /// The parts whose last request has failed; they come after the others.
    private var postponed: Set<Int> = []
    /// The number before which every part is stored.
    private var firstMissing = 1
    /// The parts that an earlier run has sent, by number, until they are compared.
    var listed: [Int: ListedPart] = [:]
    /// The digest of the current part; nil until it is known.
    private(set) var digest: [UInt8]?
    private var hasProgress = false
    private var furthest = 0
    private var rounds = 0

    /// Plans an upload; an unfinished one of the same bytes is continued, one of other bytes is removed.
    ///
    /// - Parameters:
    ///   - wanted: the bytes of a part; nil for the usual number. A large file has larger parts.
    ///   - begun: the unfinished upload of an earlier run.
    init(_ content: UploadContent, to object: String, partSize wanted: Int64? = nil, begun: UploadLocation? = nil) {
        (self.content, self.object) = (content, object)
        let least = (content.length + Self.partLimit - 1) / Self.partLimit
        let mebibyte: Int64 = 1 << 20
        partSize = max(wanted ?? Self.usualPart, (least + mebibyte - 1) / mebibyte * mebibyte)
        step = .create
        guard let begun, let name = Self.name(of: begun, at: object) else { return }
        if begun.content == content {
            (location, step) = (begun, .list(after: 0))
        } else {
            step = .discard(name)
        }
    }

    /// Returns the query that names an upload: `uploadId=…`; nil for one of another object or protocol.
    private static func name(of location: UploadLocation, at object: String) -> String? {
        let beginning = object + "?"
        guard location.style == .multipart, location.url.hasPrefix(beginning) else { return nil }
        return String(location.url.dropFirst(beginning.count))
    }

    /// The query that names the upload; nil before it was begun.
    var name: String? { location.flatMap { Self.name(of: $0, at: object) } }

    // MARK: - Parts

    var partCount: Int { Int((content.length + partSize - 1) / partSize) }

    func range(ofPart number: Int) -> Range<Int64> {
        let start = Int64(number - 1) * partSize
        return start..<min(start + partSize, content.length)
    }

    var base: Int64 { storedBytes }

    var piece: Range<Int64>? {
        if case .part(let number) = step { range(ofPart: number) } else { nil }
    }

    var demand: DigestDemand? {
        guard case .part(let number) = step, digest == nil else { return nil }
        return demand(ofPart: number)
    }

    /// Returns what has to be hashed before a part is sent: a part that was sent before may lack the SHA-256, and then
    /// the tag is its MD5.
    func demand(ofPart number: Int) -> DigestDemand {
        let needsTag = listed[number].map { $0.checksum == nil && $0.size == Int64(range(ofPart: number).count) }
        return DigestDemand(
            range: range(ofPart: number), algorithms: needsTag == true ? [.sha256, .md5] : [.sha256])
    }

    mutating func take(_ digests: [[UInt8]]) {
        guard case .part(let number) = step, let digest = digests.first else { return }
        guard let part = storedBefore(number, digests) else {
            self.digest = digest
            return
        }
        stored(part, as: number)
    }

    /// Returns a part that an earlier run has sent if its digest fits the file's bytes, and forgets what the store has
    /// said about it.
    private mutating func storedBefore(_ number: Int, _ digests: [[UInt8]]) -> Part? {
        guard let digest = digests.first, let found = listed.removeValue(forKey: number),
            found.size == Int64(range(ofPart: number).count),
            found.checksum.map({ $0 == Base64.encode(digest) })
                ?? (digests.count > 1 && Self.plain(found.tag) == ByteText.hexadecimal(digests[1]))
        else { return nil }
        return Part(tag: found.tag, digest: digest)
    }

    /// Records that a part is stored; the lead turns to the next one if the part was its own, or if it has waited.
    mutating func stored(_ part: Part, as number: Int) {
        if parts.updateValue(part, forKey: number) == nil { storedBytes += Int64(range(ofPart: number).count) }
        claimed.remove(number)
        postponed.remove(number)
        while parts[firstMissing] != nil { firstMissing += 1 }
        if parts.count > furthest { (furthest, hasProgress, rounds) = (parts.count, true, 0) }
        if step == .part(number) || step == .wait { turnToNext() }
    }

    /// Turns the lead to the next part that no other connection sends.
    mutating func turnToNext() {
        if let number = free ?? freeAgain {
            advance(to: .part(number))
        } else {
            advance(to: claimed.isEmpty ? .complete : .wait)
        }
    }

    /// The first part that is neither stored, sent nor postponed.
    private var free: Int? { missing { !postponed.contains($0) } }

    /// The first part that has failed and is not sent now.
    private var freeAgain: Int? { missing { postponed.contains($0) } }

    private func missing(_ isWanted: (Int) -> Bool) -> Int? {
        guard firstMissing <= partCount else { return nil }
        return (firstMissing...partCount).first { number in
            parts[number] == nil && !claimed.contains(number) && step != .part(number) && isWanted(number)
        }
    }

    // MARK: - Other connections

    /// Whether the lead has to take over a part of another connection.
    var isWaiting: Bool { step == .wait }

    /// Claims a part for another connection; nil while the lead sends none, and if no part is left.
    mutating func claim() -> Int? {
        guard case .part = step, let number = free ?? freeAgain else { return nil }
        claimed.insert(number)
        return number
    }

    /// Takes the digests of a claimed part; returns the one to send it with, or nil if nothing has to be sent.
    mutating func take(_ digests: [[UInt8]], ofClaimed number: Int) -> [UInt8]? {
        guard claimed.contains(number) else { return nil }
        if let part = storedBefore(number, digests) {
            stored(part, as: number)
            return nil
        }
        return digests.first
    }

    /// Gives a claimed part back, after the others if its request has failed.
    mutating func release(_ number: Int, hasFailed: Bool) {
        guard claimed.remove(number) != nil else { return }
        if hasFailed { postponed.insert(number) }
        if step == .wait { turnToNext() }
    }

    /// Gives all claimed parts back, because every other connection ends.
    mutating func releaseAll() {
        claimed = []
        if step == .wait { turnToNext() }
    }

    /// Makes a claimed part the lead's, with its digest if that is known.
    mutating func takeOver(_ number: Int, digest: [UInt8]?) {
        guard claimed.remove(number) != nil else { return }
        advance(to: .part(number))
        self.digest = digest
    }

    /// Makes the lead wait for another connection's part, because the request for its own has failed; false if no other
    /// connection sends one.
    mutating func setAside() -> Bool {
        guard case .part(let number) = step, !claimed.isEmpty else { return false }
        postponed.insert(number)
        advance(to: .wait)
        return true
    }

    var orderedParts: [Part] { (1...partCount).compactMap { parts[$0] } }

    /// Returns a tag without its quotation marks, in lower case.
    static func plain(_ tag: String) -> String { ByteText.lowercased(tag.filter { $0 != "\"" }[...]) }

    // MARK: - Steps

    /// Every request may be repeated: a part replaces itself, and an upload that was begun twice is empty.
    var mayRepeat: Bool { true }
    var keepsBytes: Bool { location != nil }
    var sharesConnections: Bool { true }
    var sendsContent: Bool { false }
    var growsOnly: Bool { true }

    var remains: String? {
        guard let name, !parts.isEmpty || !listed.isEmpty else { return nil }
        return ResumeErrors.partsStay(parts.count + listed.count, String(name.dropFirst("uploadId=".count)))
    }

    mutating func begin() {}
    mutating func moved(handedOut count: Int64, arrived: Int64) {}

    mutating func takeProgress() -> Bool {
        defer { hasProgress = false }
        return hasProgress
    }

    mutating func advance(to next: Step) { (step, digest) = (next, nil) }

    mutating func begun(at location: UploadLocation) {
        self.location = location
        turnToNext()
    }

    /// Forgets the upload, so that another one begins.
    mutating func forget() {
        removed()
        advance(to: .create)
    }

    /// Asks again which parts are stored.
    mutating func listAgain() {
        forgetParts()
        advance(to: .list(after: 0))
    }

    private mutating func forgetParts() {
        (parts, listed, claimed, postponed, storedBytes, firstMissing) = ([:], [:], [], [], 0, 1)
    }

    /// Counts a round without progress; returns false after too many.
    mutating func mayGoRound() -> Bool {
        rounds += 1
        return rounds <= Self.roundLimit
    }

    mutating func giveUp() -> Bool {
        if case .discard = step { return true }
        guard location != nil else { return false }
        advance(to: .abort)
        return true
    }

    /// Forgets the upload and its parts; no other one begins.
    mutating func removed() {
        forgetParts()
        location = nil
    }

    /// Forgets the upload whose parts have become the object.
    mutating func joined() { location = nil }
}

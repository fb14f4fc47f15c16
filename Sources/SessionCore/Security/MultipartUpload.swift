import SessionSupport

/// An upload to an object store in parts, one after the other (S3 multipart).
///
/// The store shows nothing under the object's name before it has joined all parts, and refuses a part whose SHA-256 is
/// not the announced one. A part that an earlier run has sent counts only if its digest is that of the file's bytes.
struct MultipartUpload: UploadMachine, Equatable {
    /// The next request.
    enum Step: Sendable, Equatable {
        /// Removes an upload, at the query that names it, before another one begins.
        case discard(String)
        case create
        /// Asks for the stored parts behind a number.
        case list(after: Int)
        /// Sends a part.
        case part(Int)
        /// Makes the store join the parts.
        case complete
        /// Looks whether an earlier request has joined them: its response was lost.
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
    /// The largest one.
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
    /// The stored parts from the first one, without a gap.
    private(set) var parts: [Part] = []
    /// The parts that an earlier run has sent, by number, until they are compared.
    var listed: [Int: ListedPart] = [:]
    /// The digest of the current part; nil until it is known.
    private(set) var digest: [UInt8]?
    private var hasProgress = false
    private var furthest = 0
    private var rounds = 0

    /// Plans an upload; one of the same bytes that was begun before is continued, one of others is removed.
    ///
    /// - Parameters:
    ///   - wanted: the bytes of a part; nil for the usual number. A large file has larger parts.
    ///   - begun: the upload that was begun before.
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

    var base: Int64 {
        if case .part(let number) = step { return range(ofPart: number).lowerBound }
        return min(Int64(parts.count) * partSize, content.length)
    }

    var piece: Range<Int64>? {
        if case .part(let number) = step { range(ofPart: number) } else { nil }
    }

    /// A part that was sent before may lack the SHA-256; then the tag is its MD5.
    var demand: DigestDemand? {
        guard case .part(let number) = step, digest == nil else { return nil }
        let needsTag = listed[number].map { $0.checksum == nil && $0.size == Int64(range(ofPart: number).count) }
        return DigestDemand(
            range: range(ofPart: number), algorithms: needsTag == true ? [.sha256, .md5] : [.sha256])
    }

    mutating func take(_ digests: [[UInt8]]) {
        guard case .part(let number) = step, let digest = digests.first else { return }
        guard let found = listed.removeValue(forKey: number), found.size == Int64(range(ofPart: number).count),
            found.checksum.map({ $0 == Base64.encode(digest) })
                ?? (digests.count > 1 && Self.plain(found.tag) == ByteText.hexadecimal(digests[1]))
        else {
            self.digest = digest
            return
        }
        stored(Part(tag: found.tag, digest: digest))
    }

    /// Records that the current part is stored, and turns to the next one.
    mutating func stored(_ part: Part) {
        parts.append(part)
        if parts.count > furthest { (furthest, hasProgress, rounds) = (parts.count, true, 0) }
        advance(to: parts.count < partCount ? .part(parts.count + 1) : .complete)
    }

    /// Returns a tag without its quotation marks, in lower case.
    static func plain(_ tag: String) -> String { ByteText.lowercased(tag.filter { $0 != "\"" }[...]) }

    // MARK: - Steps

    /// Every request may be repeated: a part replaces itself, and an upload that was begun twice is empty.
    var mayRepeat: Bool { true }
    var keepsBytes: Bool { location != nil }
    var sharesConnections: Bool { true }
    var sendsContent: Bool { false }

    var remains: String? {
        guard let name, !parts.isEmpty || !listed.isEmpty else { return nil }
        return ResumeErrors.partsStay(max(parts.count, listed.count), String(name.dropFirst("uploadId=".count)))
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
        advance(to: .part(1))
    }

    /// Forgets the upload, which the store no longer has.
    mutating func forget() {
        (location, parts, listed) = (nil, [], [:])
        advance(to: .create)
    }

    /// Asks again which parts are stored.
    mutating func listAgain() {
        (parts, listed) = ([], [:])
        advance(to: .list(after: 0))
    }

    /// Counts a round without progress; false once there were enough.
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

    /// Forgets the upload that was removed for its caller.
    mutating func removed() { (location, parts, listed) = (nil, [], [:]) }

    /// Forgets the upload whose parts have become the object.
    mutating func joined() { location = nil }
}

import CLinux
import Glibc
import SessionSupport

/// The header fields that a finished file keeps: the time of its last change, and the validator to ask the server for a
/// newer version.
///
/// The validator is in an extended attribute, with a hash of the URL and of the file's size and time, so that it covers
/// only these bytes from that URL. Best effort: on a file system without attributes, a refresh downloads the file
/// again.
struct FileStamp: Sendable, Equatable {
    /// Seconds since 1970; nil keeps the current time.
    var modified: Int64?
    /// The validator; nil if the server sent no proof.
    var proof: KeptValidator.Proof?
    /// The requested URL.
    var url: String
    /// The URL that sent the response.
    var finalURL: String

    /// Takes a stamp from a download's response; nil if it has no facts to keep.
    init?(_ target: DownloadTarget, url: String, evidence: DownloadEvidence?) {
        guard let evidence else { return nil }
        (self.url, finalURL) = (url, evidence.finalURL)
        proof = evidence.refreshProof
        if target.keepsRemoteTime || [.refresh, .same, .sameOrFail].contains(target.collision) {
            modified = evidence.lastModified.flatMap {
                Self.plausible($0, made: evidence.date, now: SystemTime.now.map { $0 / 1_000_000_000 })
            }
        }
        guard modified != nil || proof != nil else { return nil }
    }

    /// The bytes of two hashes and of a tag as servers make them.
    private static let usualLength = 64
    private static let hashDigits = 14

    /// The first second of 1980, the earliest time that every file system can store.
    private static let earliest: Int64 = 315_532_800

    /// Returns the seconds of a plausible date: from 1980 to tomorrow.
    ///
    /// If the machine's own clock is before 1980, as on a board without a battery, the response's Date replaces it.
    static func plausible(_ date: String, made: String?, now: Int64?) -> Int64? {
        guard let seconds = HTTPDate.seconds(date), seconds >= earliest else { return nil }
        let clock = now.flatMap { $0 >= earliest ? $0 : nil } ?? made.flatMap { HTTPDate.seconds($0) }
        guard let clock else { return nil }
        let (latest, overflows) = clock.addingReportingOverflow(86_400)
        return overflows || seconds <= latest ? seconds : nil
    }

    /// - Parameter size: the file's size where it is known: a file that gets a time is not asked for it then.
    func apply(to descriptor: Int32, size: Int64? = nil) {
        var time: Int64?
        if let modified {
            let times = [timespec(tv_sec: 0, tv_nsec: cl_time_omitted()), timespec(tv_sec: Int(modified), tv_nsec: 0)]
            let (nanoseconds, overflows) = modified.multipliedReportingOverflow(by: 1_000_000_000)
            if futimens(descriptor, times) == 0, !overflows { time = nanoseconds }
        }
        guard let proof else { return }
        let hash: UInt64
        if let size, let time {
            hash = Self.hash(size: size, modified: time, url: url)
        } else {
            guard let status = FileStatus(descriptor: descriptor) else { return }
            hash = Self.hash(size: status.size, modified: status.modified, url: url)
        }
        var text: [UInt8] = []
        text.reserveCapacity(Self.usualLength)
        StableHash.append(hash, digits: Self.hashDigits, to: &text)
        text.append(UInt8(ascii: " "))
        KeptValidator(proof, finalURL: finalURL).append(to: &text)
        FileMark.set(text, on: descriptor)
    }

    /// Returns an open file's validator for a URL; nil without one, and if the file has changed since.
    static func validator(of descriptor: Int32, _ status: FileStatus, url: String) -> KeptValidator? {
        let known = prefix(status, url: url)
        guard let text = FileMark.text(of: descriptor), text.hasPrefix(known) else { return nil }
        return KeptValidator(text: text.dropFirst(known.count))
    }

    private static func prefix(_ status: FileStatus, url: String) -> String {
        let hash = hash(size: status.size, modified: status.modified, url: url)
        return StableHash.digits(of: hash, count: hashDigits) + " "
    }

    /// - Parameter modified: nanoseconds since 1970.
    private static func hash(size: Int64, modified: Int64, url: String) -> UInt64 {
        let name = StableHash.value(ResourceName.text(url))
        return StableHash.value(modified, after: StableHash.value(size, after: name))
    }
}

/// A validator that a finished file keeps, with a hash of the URL that sent it.
struct KeptValidator: Sendable, Equatable {
    /// The validator in a condition.
    enum Proof: Sendable, Equatable {
        case tag(EntityTag)
        /// Seconds since 1970.
        case date(Int64)
    }

    let proof: Proof
    /// The URL the file came from; nil if it is not recorded, so that any URL may confirm the file.
    private let resource: String?

    /// Takes the time of a file that was not stamped, to be compared with a response's head.
    init(modified seconds: Int64) { (proof, resource) = (.date(seconds), nil) }

    init(_ proof: Proof, finalURL: String) {
        self.proof = proof
        resource = Self.resource(finalURL)
    }

    /// Parses the form in the attribute; nil for any other text.
    init?(text: Substring) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        resource = String(words[0])
        if let tag = EntityTag(String(words[1])) {
            proof = .tag(tag)
        } else if let seconds = ByteText.decimal(words[1]), seconds > 0 {
            proof = .date(seconds)
        } else {
            return nil
        }
    }

    /// Appends the form in the attribute.
    func append(to text: inout [UInt8]) {
        text.append(contentsOf: (resource ?? "").utf8)
        text.append(UInt8(ascii: " "))
        switch proof {
        case .tag(let tag): text.append(contentsOf: tag.text.utf8)
        case .date(let seconds): text.append(contentsOf: String(seconds).utf8)
        }
    }

    /// Returns eight digits for a URL without its secrets, which a part does not keep.
    private static func resource(_ url: String) -> String {
        StableHash.digits(of: StableHash.value(ResourceName.text(Redaction.url(url, userInfo: .removed))), count: 8)
    }

    /// The fields that request the file only if it has changed (RFC 9110, 13.1).
    var conditions: HeaderFields {
        switch proof {
        case .tag(let tag): ["If-None-Match": tag.text]
        case .date(let seconds): ["If-Modified-Since": HTTPDate.text(seconds)]
        }
    }

    /// A response's statement about the file.
    enum Judgement: Sendable, Equatable {
        case unchanged
        /// The response names no version: a date only asks for a newer version, and an older one also counts as
        /// another.
        case unsaid
        /// The response is about another version or resource.
        case other
    }

    /// Judges the file by a 304.
    func judge(notModified head: ResponseHead) -> Judgement {
        guard Self.resource(head.url) == resource else { return .other }
        switch proof {
        case .tag(let tag):
            guard let found = head.headers["ETag"].flatMap({ EntityTag($0) }) else { return .unchanged }
            return found.isSame(as: tag) ? .unchanged : .other
        case .date(let seconds):
            guard let text = head.headers["Last-Modified"] else { return .unsaid }
            return HTTPDate.seconds(text) == seconds ? .unchanged : .other
        }
    }

    /// Returns whether a full response's head names the version and the length of the existing file.
    func names(_ head: ResponseHead, length: Int64?, size: Int64) -> Bool {
        guard resource == nil || Self.resource(head.url) == resource, length == size else { return false }
        return switch proof {
        case .tag(let tag): !tag.isWeak && head.headers["ETag"].flatMap { EntityTag($0) } == tag
        case .date(let seconds): head.headers["Last-Modified"].flatMap { HTTPDate.seconds($0) } == seconds
        }
    }

    /// Whether a full response can name the version although the server ignores conditions.
    var hasStrongTag: Bool {
        if case .tag(let tag) = proof { !tag.isWeak } else { false }
    }
}

extension EntityTag {
    /// Weak comparison (RFC 9110, 8.8.3.2).
    func isSame(as other: EntityTag) -> Bool {
        func opaque(_ tag: EntityTag) -> Substring.UTF8View { tag.text.dropFirst(tag.isWeak ? 2 : 0).utf8 }
        return opaque(self).elementsEqual(opaque(other))
    }
}

extension DownloadEvidence {
    fileprivate var finalURL: String {
        switch self {
        case .answer(let answer): answer.head.url
        case .stored(let metadata): metadata.finalURL
        }
    }

    fileprivate var lastModified: String? {
        switch self {
        case .answer(let answer): answer.lastModified
        case .stored(let metadata): metadata.lastModified
        }
    }

    fileprivate var date: String? {
        switch self {
        case .answer(let answer): answer.date
        case .stored(let metadata): metadata.date
        }
    }

    /// The validator for a later request of the same URL: a tag, even a weak one, or a strong date.
    ///
    /// A validator from a mirror, or from another URL's server, means nothing to the URL's own server.
    fileprivate var refreshProof: KeptValidator.Proof? {
        switch self {
        case .answer(let answer): Self.proof(of: answer)
        case .stored(let metadata):
            metadata.mirrorDigest == nil && !metadata.isFromAnotherURL ? Self.proof(of: metadata) : nil
        }
    }

    private static func proof(of metadata: some ResponseMetadata) -> KeptValidator.Proof? {
        guard metadata.status == 200 else { return nil }
        if let tag = metadata.tag { return .tag(tag) }
        guard case .lastModified(let text) = metadata.strongValidator, let seconds = HTTPDate.seconds(text), seconds > 0
        else { return nil }
        return .date(seconds)
    }
}

/// An existing file for which a server is asked for a newer version.
struct ExistingCopy: Sendable, Equatable {
    let path: String
    let size: Int64
    /// The server's validator while the file is unchanged; nil if the full file must be downloaded.
    let validator: KeptValidator?
    /// True if the response's head is compared, because the server named no version.
    var isCompared = false

    /// Reads the file at a name; nil if none exists that could be a complete earlier response.
    ///
    /// - Parameter countsTime: whether the time of a file without a validator is compared with the response's.
    init?(_ name: String, in folder: Folder, url: String, countsTime: Bool = false) {
        guard let file = try? folder.leading(from: name) else { return nil }
        let descriptor = file.folder.open(file.name, flags: O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.kind == .regular, status.size > 0 else {
            return nil
        }
        path = folder.path(of: name)
        size = status.size
        let kept = FileStamp.validator(of: descriptor, status, url: url)
        isCompared = kept == nil && countsTime
        validator = kept ?? (countsTime ? status.secondsRoundedDown.map { KeptValidator(modified: $0) } : nil)
    }

    var conditions: HeaderFields { isCompared ? HeaderFields() : validator?.conditions ?? HeaderFields() }
}

extension PartFile {
    /// Sets the file's time and its validator, which replaces the part's mark.
    func stamp(_ stamp: FileStamp) throws(SessionError) {
        try change(to: try size()) { () throws(SessionError) in stamp.apply(to: descriptor) }
    }
}

extension FileStatus {
    /// The seconds of a time that may come from a response; nil for one with a fraction, which a program's own write
    /// leaves.
    fileprivate var secondsRoundedDown: Int64? {
        let (seconds, rest) = modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest == 0 && seconds > 0 ? seconds : nil
    }
}

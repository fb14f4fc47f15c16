import CLinux
import Glibc
import SessionSupport

/// What a finished file keeps of the answer that brought it: the time of its last change, and the validator by which the
/// server can be asked whether it has changed since.
///
/// The validator lies in an extended attribute of the file, with a hash of the URL and of the file's size and time, so that it speaks
/// for these bytes from that URL alone. Best effort: where a file system keeps none, a refresh fetches the file anew.
struct FileStamp: Sendable, Equatable {
    /// Seconds since 1970; nil leaves the time as it is.
    var modified: Int64?
    /// What the server is asked by; nil where it gave nothing that proves something.
    var proof: KeptValidator.Proof?
    /// The URL that was asked for.
    var url: String
    /// The URL that answered.
    var finalURL: String

    /// The stamp of a download's answer; nil where there is nothing to keep.
    init?(_ target: DownloadTarget, url: String, evidence: DownloadEvidence?) {
        guard let evidence else { return nil }
        (self.url, finalURL) = (url, evidence.finalURL)
        proof = evidence.refreshProof
        if target.keepsRemoteTime || target.collision == .refresh {
            modified = evidence.lastModified.flatMap {
                Self.plausible($0, made: evidence.date, now: SystemTime.now.map { $0 / 1_000_000_000 })
            }
        }
        guard modified != nil || proof != nil else { return nil }
    }

    /// The first second of 1980, from which on every file system has times.
    private static let earliest: Int64 = 315_532_800

    /// The seconds of a date that a file may have: from 1980 to tomorrow.
    ///
    /// Where the machine's own clock is before 1980, as on a board without a battery, the answer's Date says what today is.
    static func plausible(_ date: String, made: String?, now: Int64?) -> Int64? {
        guard let seconds = HTTPDate.seconds(date), seconds >= earliest else { return nil }
        let clock = now.flatMap { $0 >= earliest ? $0 : nil } ?? made.flatMap { HTTPDate.seconds($0) }
        guard let clock else { return nil }
        let (latest, overflows) = clock.addingReportingOverflow(86_400)
        return overflows || seconds <= latest ? seconds : nil
    }

    /// Marks an open file.
    func apply(to descriptor: Int32) {
        if let modified {
            let times = [timespec(tv_sec: 0, tv_nsec: cl_time_omitted()), timespec(tv_sec: Int(modified), tv_nsec: 0)]
            _ = futimens(descriptor, times)
        }
        guard let proof, let status = FileStatus(descriptor: descriptor) else { return }
        FileMark.set(Self.prefix(status, url: url) + KeptValidator(proof, finalURL: finalURL).text, on: descriptor)
    }

    /// The validator that an open file has from a URL; nil without one, and when the file has changed since.
    static func validator(of descriptor: Int32, _ status: FileStatus, url: String) -> KeptValidator? {
        let known = prefix(status, url: url)
        guard let text = FileMark.text(of: descriptor), text.hasPrefix(known) else { return nil }
        return KeptValidator(text: text.dropFirst(known.count))
    }

    private static func prefix(_ status: FileStatus, url: String) -> String {
        let name = StableHash.value(ResourceName.text(url))
        let hash = StableHash.value(status.modified, after: StableHash.value(status.size, after: name))
        return StableHash.digits(of: hash, count: 14) + " "
    }
}

/// A validator that a finished file keeps, with a hash of the URL that gave it.
struct KeptValidator: Sendable, Equatable {
    /// What a server is asked by.
    enum Proof: Sendable, Equatable {
        case tag(EntityTag)
        /// Seconds since 1970.
        case date(Int64)
    }

    let proof: Proof
    private let place: String

    init(_ proof: Proof, finalURL: String) {
        self.proof = proof
        place = Self.place(finalURL)
    }

    /// Reads what ``text`` has written; nil for anything else.
    init?(text: Substring) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        place = String(words[0])
        if let tag = EntityTag(String(words[1])) {
            proof = .tag(tag)
        } else if let seconds = ByteText.decimal(words[1]), seconds > 0 {
            proof = .date(seconds)
        } else {
            return nil
        }
    }

    /// The validator as an attribute keeps it.
    var text: String {
        switch proof {
        case .tag(let tag): place + " " + tag.text
        case .date(let seconds): place + " " + String(seconds)
        }
    }

    /// Eight digits for a URL without its secrets, which a part does not keep.
    private static func place(_ url: String) -> String {
        StableHash.digits(of: StableHash.value(ResourceName.text(Redaction.url(url, userInfo: .removed))), count: 8)
    }

    /// The fields that ask for the file only if it has changed (RFC 9110, 13.1).
    var conditions: HeaderFields {
        switch proof {
        case .tag(let tag): ["If-None-Match": tag.text]
        case .date(let seconds): ["If-Modified-Since": HTTPDate.text(seconds)]
        }
    }

    /// What an answer says of the file.
    enum Judgement: Sendable, Equatable {
        case unchanged
        /// It has not said which version it means: a date asks only for what is newer, and an older version is another too.
        case unsaid
        /// It speaks of another version, or for another resource.
        case other
    }

    /// What a 304 says of the file.
    func judge(notModified head: ResponseHead) -> Judgement {
        guard Self.place(head.url) == place else { return .other }
        switch proof {
        case .tag(let tag):
            guard let found = head.headers["ETag"].flatMap({ EntityTag($0) }) else { return .unchanged }
            return found.isSame(as: tag) ? .unchanged : .other
        case .date(let seconds):
            guard let text = head.headers["Last-Modified"] else { return .unsaid }
            return HTTPDate.seconds(text) == seconds ? .unchanged : .other
        }
    }

    /// Whether the head of a whole answer names the version and the length of the file that is here.
    func names(_ head: ResponseHead, length: Int64?, size: Int64) -> Bool {
        guard Self.place(head.url) == place, length == size, case .date(let seconds) = proof else { return false }
        return head.headers["Last-Modified"].flatMap { HTTPDate.seconds($0) } == seconds
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
        case .stored(let facts): facts.finalURL
        }
    }

    fileprivate var lastModified: String? {
        switch self {
        case .answer(let answer): answer.lastModified
        case .stored(let facts): facts.lastModified
        }
    }

    fileprivate var date: String? {
        switch self {
        case .answer(let answer): answer.date
        case .stored(let facts): facts.date
        }
    }

    /// What a later request of the same URL may ask by: a tag, weak ones too, or a date that is strong.
    ///
    /// One that a mirror gave, or the server of another URL, means nothing to the URL's own.
    fileprivate var refreshProof: KeptValidator.Proof? {
        switch self {
        case .answer(let answer): Self.proof(of: answer)
        case .stored(let facts): facts.mirrorDigest == nil && !facts.isFromAnotherURL ? Self.proof(of: facts) : nil
        }
    }

    private static func proof(of facts: some ContinuationFacts) -> KeptValidator.Proof? {
        guard facts.status == 200 else { return nil }
        if let tag = facts.tag { return .tag(tag) }
        guard case .lastModified(let text) = facts.strongValidator, let seconds = HTTPDate.seconds(text), seconds > 0
        else { return nil }
        return .date(seconds)
    }
}

/// A file that is there already, as a server is asked whether it has a newer one.
struct ExistingCopy: Sendable, Equatable {
    let path: String
    let size: Int64
    /// What the server gave it, as long as the file is still what came then; nil where all of it is fetched.
    let validator: KeptValidator?
    /// Whether the answer is compared by its head, because the server has not said which version it means.
    var isCompared = false

    /// The file at a name; nil where nothing is that could be the whole answer of an earlier request.
    init?(_ name: String, in folder: Folder, url: String) {
        guard let place = try? folder.leading(from: name) else { return nil }
        let descriptor = place.folder.open(place.name, flags: O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.kind == .regular, status.size > 0 else {
            return nil
        }
        path = folder.path(of: name)
        size = status.size
        validator = FileStamp.validator(of: descriptor, status, url: url)
    }

    /// The fields that the request for it has.
    var conditions: HeaderFields { isCompared ? HeaderFields() : validator?.conditions ?? HeaderFields() }
}

extension PartFile {
    /// Gives the file the time and the validator that it keeps, the latter in the place of a part's mark.
    func stamp(_ stamp: FileStamp) throws(SessionError) {
        try change(to: try size()) { () throws(SessionError) in stamp.apply(to: descriptor) }
    }
}

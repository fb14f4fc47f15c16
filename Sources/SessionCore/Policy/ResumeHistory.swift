/// The lessons of one transfer's earlier responses: the requests that were tried, the restarts, and the overlap that
/// the next range needs before its bytes are joined.
struct ResumeHistory: Sendable, Equatable {
    /// The ranges that must repeat the end of the part.
    enum Comparison: Sendable, Equatable {
        /// Ranges from another source than the part's bytes.
        case otherSources
        /// Also ranges from the same source: fully without a strong tag, because a date proves little; by a few bytes
        /// with one, because a script or a cache may send the fields of a range and then other bytes.
        case everyRange
        /// All ranges fully, because the server has sent other bytes than it named.
        case always
    }

    /// Restarts from zero because of responses before a download fails.
    static let fewRestarts = 2
    /// From this many retries on, a caller is patient enough for as many restarts.
    static let patientRetries = 10
    /// Consecutive repeated requests after a response that is not a range and does not show another file: one of
    /// several servers behind a name may send such a response, or a server in trouble.
    static let oddAnswerLimit = 2
    /// Bytes that a range must deliver to be worth its request, unless it reaches the end of the file.
    static let leastGain: Int64 = 64 << 10
    /// Consecutive smaller ranges until no more are requested; an empty range counts as six.
    private static let meagreLimit = 16
    private static let emptyWeight = 6
    /// Restarts for a different tag alone until the tag no longer counts as a version.
    static let otherTagLimit = 2

    /// True if this request carries `If-Match` because an earlier range request got a full response.
    var usedIfMatch = false
    /// True if the full file is requested although a range would do, because the server refuses all ranges.
    var asksForAll = false
    /// The server's refusal of ranges; nil while it sends some.
    var rangeRefusal: String?
    /// Consecutive odd responses that were followed by the same request.
    var oddAnswers = 0
    /// The weight of consecutive ranges that delivered too little.
    private var meagreRanges = 0
    /// Restarts from byte 0 because of a response.
    var restarts = 0
    private(set) var comparison = Comparison.otherSources
    /// True if the server has sent other bytes than it named, which were discarded.
    private(set) var hasSeenLie = false
    /// True if the part ends in bytes that a file has in many positions, so that a few of them show little.
    var endRepeats = false
    /// True if bytes are joined by comparison: several servers behind one name give the same file different tags.
    private(set) var joinsByContent = false
    /// Restarts in which only the tag differed.
    private var otherTags = 0

    let restartLimit: Int
    /// Consecutive odd responses until the part is discarded; 0 for at once.
    private let patience: Int
    /// Bytes to compare when no other proof exists for a range.
    private let fullOverlap: Int64

    init(
        comparison: Comparison = .otherSources, retries: Int = 0, overlap: Int64 = ResumePolicy.overlapLength,
        patience: Int = 0
    ) {
        self.comparison = comparison
        self.patience = patience
        fullOverlap = overlap
        restartLimit = retries < Self.patientRetries ? Self.fewRestarts : retries
    }

    /// True if an odd response is followed by the same request.
    var mayAskAgain: Bool { oddAnswers < patience }

    /// Records the bytes of a range that ended before the file; false if further requests would not help.
    ///
    /// A server may send fewer bytes than requested (RFC 9110, 15.3.7), but one byte per request would never end.
    mutating func rangeEnded(bringing gain: Int64) -> Bool {
        meagreRanges = gain >= Self.leastGain ? 0 : meagreRanges + (gain > 0 ? 1 : Self.emptyWeight)
        return meagreRanges < Self.meagreLimit
    }

    static let meagreWords = ResumeReasons.rangesTooShort

    /// True if the transfer may discard its bytes once more.
    var mayRestart: Bool { restarts < restartLimit }

    /// The failure of a transfer after its last allowed restart.
    ///
    /// - Parameter isOtherFile: true if the file itself has changed, so that a comparison cannot help.
    func giveUp(_ reason: String, isOtherFile: Bool, at url: String? = nil) -> SessionError {
        let message =
            restartLimit == Self.fewRestarts
            ? ResumeReasons.thirdTime(reason) : ResumeReasons.afterRestarts(reason, restarts)
        var error = SessionError(.resourceChanged, message, failingURL: url)
        error.advice = isOtherFile ? .beginAgain : .proveContent
        return error
    }

    /// Makes every further range repeat the end of the part.
    mutating func compareAlways() { comparison = .always }

    /// Records that the server sent other bytes than it named, which were discarded.
    mutating func sawLie() {
        restarts += 1
        hasSeenLie = true
        comparison = .always
    }

    /// Records that the part is discarded because of a response.
    ///
    /// - Parameter hasProof: true if a checksum decides in the end, or the caller wants bytes compared.
    mutating func restarted(_ old: StoredMetadata?, for head: ResponseHead, length: Int64?, hasProof: Bool) {
        restarts += 1
        guard let old, let tag = old.entityTag, let other = head.headers.singleValue(named: "ETag"),
            !tag.utf8.elementsEqual(other.utf8), let length, length == old.length
        else { return }
        let dates = (old.lastModified, head.headers["Last-Modified"])
        guard let first = dates.0, let second = dates.1 else {
            return countOtherTag(where: hasProof)
        }
        countOtherTag(where: first.utf8.elementsEqual(second.utf8))
    }

    private mutating func countOtherTag(where isTagAlone: Bool) {
        guard isTagAlone else { return }
        otherTags += 1
        joinsByContent = otherTags >= Self.otherTagLimit
    }

    /// Returns the bytes at the part's end that a range must repeat for the comparison.
    ///
    /// - Parameter url: the source of the range; nil if no other source can be compared.
    func overlap(_ metadata: StoredMetadata, at url: String?, offset: Int64, hasChecksum: Bool) -> Int64 {
        let isForeign = url.map { !metadata.isSource($0) } ?? false
        // A tag names a version, and a checksum proves the bytes in the end; a few bytes show whether they are at their
        // offset.
        let few = endRepeats ? fullOverlap : RangeOverlap.short
        let placed = comparison == .everyRange ? few : 0
        let length: Int64 =
            switch metadata.strongValidator {
            case _ where comparison == .always || joinsByContent: fullOverlap
            case nil: hasChecksum ? placed : fullOverlap
            case .entityTag: isForeign ? fullOverlap : placed
            case .lastModified: isForeign || placed > 0 && !hasChecksum ? fullOverlap : placed
            }
        return min(offset, length)
    }
}

/// The length of a comparison that shows whether a range is the one its fields name.
enum RangeOverlap {
    /// At the end of a part, for a range with a strong tag, or whose bytes are proved later.
    static let short: Int64 = 256
    /// Where two ranges meet; odd, so that these bytes are no block of a file of equal blocks.
    static let join: Int64 = short + 1
}

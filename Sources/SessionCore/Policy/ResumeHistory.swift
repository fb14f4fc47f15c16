/// What earlier answers of one transfer have shown: which tricks were tried, how often bytes were given up, and what the next
/// range has to repeat before its bytes are joined.
struct ResumeHistory: Sendable, Equatable {
    /// Which ranges have to repeat the end of the part.
    enum Comparison: Sendable, Equatable {
        /// Ranges of another source than the one that the bytes came from.
        case otherSources
        /// Also those that no strong tag vouches for: a date says little, and a script that sends the fields of a range and
        /// then the file from its first byte has one.
        case withoutTag
        /// All, since the server has sent other bytes than it named.
        case always
    }

    /// How often a download may throw away what it has because of answers, before it stops.
    static let fewRestarts = 2
    /// From so many retries on, a caller is patient enough to begin again as often.
    static let patientRetries = 10
    /// How often in a row the rest is asked for again after an answer that is no range and does not say that the file is
    /// another: one of several servers behind a name may give such, or one that is in trouble.
    static let oddAnswerLimit = 2
    /// Bytes that a range brings at least to be worth its request, unless the file ends with it.
    static let leastGain: Int64 = 64 << 10
    /// Ranges in a row with less than that after which no more are asked for; one that brings nothing counts as a few.
    private static let meagreLimit = 16
    private static let emptyWeight = 6
    /// Restarts for another tag alone after which the tag is not believed to name a version.
    static let otherTagLimit = 2

    /// Whether this request carries `If-Match` because an earlier one came back as a whole.
    var usedIfMatch = false
    /// Whether the whole is asked for although its rest would do, because the server refuses all parts.
    var asksForAll = false
    /// What the server has said to ranges; nil while it gives some.
    var rangeRefusal: String?
    /// Odd answers in a row, after which the rest was asked for again.
    var oddAnswers = 0
    /// The weight of the ranges in a row that brought too little.
    private var meagreRanges = 0
    /// How often the transfer went back to byte 0 because of an answer.
    var restarts = 0
    private(set) var comparison = Comparison.otherSources
    /// Whether the server has sent other bytes than it named, which were taken back.
    private(set) var hasSeenLie = false
    /// Whether bytes are joined by what they are: several servers behind one name give the same file a tag each.
    private(set) var joinsByContent = false
    /// How often nothing but the tag was another.
    private var otherTags = 0

    /// How often the transfer may go back.
    let restartLimit: Int
    /// After how many odd answers in a row what is here is given up; 0 for at once.
    private let patience: Int
    /// How many bytes are compared where nothing else vouches for a range.
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

    /// Whether an odd answer is followed by the same request.
    var mayAskAgain: Bool { oddAnswers < patience }

    /// A range has ended before the file, and has brought so many bytes; false where asking for more of them leads nowhere.
    ///
    /// A server may send fewer bytes than were asked for (RFC 9110, 15.3.7), but one byte for each request would never end.
    mutating func rangeEnded(bringing gain: Int64) -> Bool {
        meagreRanges = gain >= Self.leastGain ? 0 : meagreRanges + (gain > 0 ? 1 : Self.emptyWeight)
        return meagreRanges < Self.meagreLimit
    }

    /// The sentence on a server whose ranges lead nowhere.
    static let meagreWords = ResumeReasons.rangesTooShort

    /// Whether the transfer may throw away once more what it has.
    var mayRestart: Bool { restarts < restartLimit }

    /// The failure of a transfer that has thrown away what it had as often as it may.
    ///
    /// - Parameter isOtherFile: whether the file itself is another one by now, which no comparison helps against.
    func giveUp(_ reason: String, isOtherFile: Bool, at url: String? = nil) -> SessionError {
        let message =
            restartLimit == Self.fewRestarts
            ? ResumeReasons.thirdTime(reason) : ResumeReasons.afterRestarts(reason, restarts)
        var error = SessionError(.resourceChanged, message, failingURL: url)
        error.advice = isOtherFile ? .beginAgain : .proveContent
        return error
    }

    /// Every range has to repeat the end of the part from now on.
    mutating func compareAlways() { comparison = .always }

    /// The server has sent other bytes than it named, and they were given up.
    mutating func sawLie() {
        restarts += 1
        hasSeenLie = true
        comparison = .always
    }

    /// What is here is given up for an answer.
    ///
    /// - Parameter hasProof: whether a checksum decides in the end, or a caller wants bytes to be compared.
    mutating func restarted(_ old: StoredFacts?, for head: ResponseHead, length: Int64?, hasProof: Bool) {
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

    /// How many bytes at the end of a part a range has to repeat, to be compared.
    ///
    /// - Parameter url: the source of the range; nil where no other can be compared.
    func overlap(_ facts: StoredFacts, at url: String?, offset: Int64, hasChecksum: Bool) -> Int64 {
        let isForeign = url.map { !facts.isSource($0) } ?? false
        // A checksum proves the bytes in the end; a few show before that whether they are of their place.
        let placed = comparison == .withoutTag ? RangeOverlap.short : 0
        let length: Int64 =
            switch facts.strongValidator {
            case _ where comparison == .always || joinsByContent: fullOverlap
            case nil: hasChecksum ? placed : fullOverlap
            case .entityTag: isForeign ? fullOverlap : 0
            case .lastModified: isForeign || placed > 0 && !hasChecksum ? fullOverlap : placed
            }
        return min(offset, length)
    }
}

/// How many bytes show that a range is what its fields name.
enum RangeOverlap {
    /// Where a strong tag is missing and something else proves the bytes, or nothing more is known of those before.
    static let short: Int64 = 256
}

/// What steps may know of the attempt that was answered, and of its transfer.
///
/// A fact is looked up when a step asks for it: for nearly every answer those are few.
protocol AnswerFacts: AnyObject {
    /// The request that was answered.
    var request: TransferRequest { get }
    /// The request that the transfer was made for.
    var original: TransferRequest { get }
    /// The server's name for sentences.
    var hostName: String { get }
    /// Whether a question would be answered now.
    func asks(_ question: Questions) -> Bool

    /// The redirects that were followed so far.
    var redirects: RedirectPolicy.Context { get }
    /// The cookies that would go out with a request by now.
    func cookies(for request: TransferRequest) -> String?

    /// Whether the server was asked, by a field of ours, before the body is sent.
    var asksForContinue: Bool { get }
    /// Whether the request's body may follow once more.
    var mayRepeatBody: Bool { get }

    /// Which credentials may go to which server.
    var credentials: OriginCredentials { get }
    /// The name and password that the options or the URL have for the request's server, and where they stand.
    var ownCredentials: (RequestCredentials, OriginCredentials.Source)? { get }
    /// The proxy that reads the request; nil without one, and where the request is encrypted.
    var proxy: ProxyFacts? { get }

    /// What an upload makes of a head; nil for any other transfer.
    ///
    /// The upload has heard the head then.
    func uploadOutcome(of head: ResponseHead) -> ResumableUpload.Outcome?

    /// Whether every final status is an answer to its caller, an error's too.
    var takesEveryStatus: Bool { get }
    /// Whether another try may follow an answer that asks to come back later.
    func mayTryAgain(after error: SessionError, delay: Int64?) -> Bool
    /// Seconds since 1970.
    var time: Int64 { get }

    /// The most bytes that a body may have; nil without a limit.
    var sizeLimit: Int64? { get }
    /// Bytes of the body that are here.
    var front: Int64 { get }

    /// Whether the answer may be another request's: it came on a connection that was used before, and its own request may
    /// be sent once more.
    var mayBeForeign: Bool { get }

    /// What is known of a file that is written; nil for a body that is none.
    var file: (any FileFacts)? { get }
    /// What is known of a body that is passed on; nil for any other.
    var stream: StreamFacts? { get }
    /// The range that was asked for beside the lead's.
    var range: RangeFacts? { get }
    /// The block by which a mirror is compared.
    var block: BlockFacts? { get }
}

/// What is known of a file that is written.
protocol FileFacts: AnyObject {
    /// The file that the current request asks about, because it is there already.
    var copyAskedFor: ExistingCopy? { get }
    /// What the current request asks for the rest with; nil when it asks for everything.
    var rangeFacts: StoredFacts? { get }
    /// Bytes from the file's beginning that are here.
    var front: Int64 { get }
    /// Whether the whole is compared with a checksum in the end.
    var hasChecksum: Bool { get }
    /// Whether the end of the part is compared where nothing else vouches for it.
    var comparesOverlap: Bool { get }
    /// What a whole answer is measured by.
    var expectation: FileExpectation { get }
    var history: ResumeHistory { get }
    /// What was said of the file before it was asked for, where several places have it.
    var said: FilePromise? { get }
    /// What the lead's source has to prove where it did not begin the file; nil where it did.
    var foreignLead: ForeignLead? { get }
}

/// What was said of a file before it was asked for.
struct FilePromise: Sendable, Equatable {
    var length: Int64?
    var checksum: Checksum?
}

/// A lead whose source did not begin the file.
struct ForeignLead: Sendable, Equatable {
    /// What its answers are proven by.
    var facts: StoredFacts
    /// The length of the file that is here, and its date where no checksum tells more.
    var length: Int64?
    var date: String?
    /// Whether its first block has to be compared before anything else.
    var needsFirstBlock: Bool
    var history: ResumeHistory
    /// Bytes in a block.
    var blockLength: Int64
}

/// A body that is passed on.
struct StreamFacts: Sendable {
    var continuation: StreamContinuation
    /// Bytes that were passed on.
    var front: Int64
}

/// A range that was asked for beside the lead's.
struct RangeFacts: Sendable, Equatable {
    var range: Range<Int64>
    /// How many bytes before the range were asked for with it.
    var overlap: Int64
    /// Bytes from the body's beginning that are here.
    var front: Int64
    /// What proves the answers of its source; nil where nothing does.
    var facts: StoredFacts?
    /// The length of the whole.
    var total: Int64?
}

/// A block by which a mirror is compared.
struct BlockFacts: Sendable, Equatable {
    var range: Range<Int64>
    /// The length of the file that is here, and its date where no checksum tells more.
    var length: Int64
    var date: String?
    /// What the mirror's first block has proven.
    var earlier: StoredFacts?
    /// Whether more than one block is compared, so that a digest of the whole is proof enough.
    var isCompared: Bool
    /// What the whole has to be.
    var checksum: Checksum?
}

/// A proxy that reads requests, and what was said to it.
struct ProxyFacts: Sendable {
    var proxy: Proxy
    /// What the attempt has shown it.
    var shown: ProxyCredentials.Shown?
    var memory: ProxyMemory
}

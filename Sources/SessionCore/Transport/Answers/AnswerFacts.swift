/// The facts about an attempt and its transfer that the steps may read.
///
/// A fact is looked up only when a step reads it, because nearly every response needs few.
protocol AnswerFacts: AnyObject {
    /// The request that was answered.
    var request: TransferRequest { get }
    /// The request that the transfer was made for.
    var original: TransferRequest { get }
    /// The server's name for messages.
    var hostName: String { get }
    /// Whether the caller would answer a question now.
    func asks(_ question: Questions) -> Bool

    /// The redirects followed so far.
    var redirects: RedirectPolicy.Context { get }
    /// Returns the cookies that would now be sent with a request.
    func cookies(for request: TransferRequest) -> String?

    /// Returns the https URL instead of a URL whose host is only reached over https; nil for any other.
    func secured(_ url: String) -> String?

    /// The cache's conditions that the request was sent with.
    var conditions: HeaderFields { get }
    /// Whether our own field `Expect: 100-continue` was sent.
    var asksForContinue: Bool { get }
    /// Whether the request's body may be sent again.
    var mayRepeatBody: Bool { get }

    var credentials: OriginCredentials { get }
    /// The user name and password of the options or the URL for the request's server, with their source.
    var ownCredentials: (RequestCredentials, OriginCredentials.Source)? { get }
    /// The proxy that reads the request; nil without one, and for an encrypted request.
    var proxy: ProxyState? { get }

    /// Returns what a resumable upload concludes from a head, which it then has processed; nil for any other transfer.
    func uploadOutcome(of head: ResponseHead) -> ResumableUpload.Outcome?

    /// Whether every final status is a response for the caller, including errors.
    var takesEveryStatus: Bool { get }
    /// Whether another attempt may follow a response that asks to retry later.
    func mayTryAgain(after error: SessionError, delay: Int64?) -> Bool
    /// Seconds since 1970.
    var time: Int64 { get }

    /// The most bytes a body may have; nil without a limit.
    var sizeLimit: Int64? { get }
    /// Received bytes of the body.
    var contiguousEnd: Int64 { get }

    /// Whether the response may belong to another request: it arrived on a reused connection, and its own request may
    /// be sent again.
    var mayBeForeign: Bool { get }

    /// The facts about a file being written; nil for other bodies.
    var file: (any FileState)? { get }
    /// The facts about a body that is passed on; nil for other bodies.
    var stream: StreamState? { get }
    /// The range that a branch requested.
    var range: RangeState? { get }
    /// The block that a probe requested.
    var block: BlockState? { get }
}

/// The facts about a file being written.
protocol FileState: AnyObject {
    /// The existing file that the current request asks about.
    var copyAskedFor: ExistingCopy? { get }
    /// The facts that the current request for the rest is based on; nil for a request for everything.
    var rangeMetadata: StoredMetadata? { get }
    /// Received bytes from the file's beginning.
    var contiguousEnd: Int64 { get }
    /// Whether the complete file is verified with a checksum.
    var hasChecksum: Bool { get }
    /// Whether the end of the partial file is compared if nothing else proves it.
    var comparesOverlap: Bool { get }
    /// The expectation that a complete response has to meet.
    var expectation: FileExpectation { get }
    var history: ResumeHistory { get }
    /// The length and checksum announced before the first request, for a file with several sources.
    var said: FilePromise? { get }
    /// The facts that the lead's source has to prove if it did not begin the file; nil if it did.
    var foreignLead: ForeignLead? { get }
}

/// The length and checksum announced before the first request.
struct FilePromise: Sendable, Equatable {
    var length: Int64?
    var checksum: Checksum?
}

/// A lead whose source did not begin the file.
struct ForeignLead: Sendable, Equatable {
    /// The facts that prove its responses.
    var metadata: StoredMetadata
    /// The length of the received file, and its date unless a checksum is better.
    var length: Int64?
    var date: String?
    /// Whether its first block has to be compared first.
    var needsFirstBlock: Bool
    var history: ResumeHistory
    /// Bytes in a block.
    var blockLength: Int64
}

/// A body that is passed on.
struct StreamState: Sendable {
    var continuation: StreamContinuation
    /// Bytes passed on.
    var contiguousEnd: Int64
}

/// A branch's range.
struct RangeState: Sendable, Equatable {
    var range: Range<Int64>
    /// The bytes before the range that were requested with it.
    var overlap: Int64
    /// Received bytes from the body's beginning.
    var contiguousEnd: Int64
    /// The facts that prove its source's responses; nil without any.
    var metadata: StoredMetadata?
    /// The length of the complete body.
    var total: Int64?
}

/// A block of a mirror to be compared.
struct BlockState: Sendable, Equatable {
    var range: Range<Int64>
    /// The length of the received file, and its date unless a checksum is better.
    var length: Int64
    var date: String?
    /// The facts that the mirror's earlier block has given.
    var earlier: StoredMetadata?
    /// Whether more than one block is compared, so that a matching digest of the complete file is proof enough.
    var isCompared: Bool
    /// The checksum of the complete file.
    var checksum: Checksum?
}

/// A proxy that reads requests, and the credentials it was shown.
struct ProxyState: Sendable {
    var proxy: Proxy
    /// The credentials the attempt has shown it.
    var shown: ProxyCredentials.Shown?
    var memory: ProxyMemory
}

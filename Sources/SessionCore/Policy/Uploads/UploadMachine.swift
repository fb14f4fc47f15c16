/// The requests of an upload that can be interrupted: which one is next, and what its response leads to.
///
/// A pure value, so that every order of cuts and responses is proven by tables.
protocol UploadMachine: Sendable {
    /// The bytes that are sent.
    var content: UploadContent { get }
    /// The upload at the server; nil before it was begun.
    var location: UploadLocation? { get }
    /// Whether the current request may be repeated even if the server has carried it out.
    var mayRepeat: Bool { get }
    /// Whether the connection may be closed without losing the sent bytes.
    var keepsBytes: Bool { get }
    /// Whether libcurl may repeat the current request by itself on a new connection.
    var sharesConnections: Bool { get }
    /// Whether the current request removes what is at the server; its response is not the upload's.
    var isRemoval: Bool { get }
    /// Whether the upload continues without the answer to the current request.
    var mayGoUnanswered: Bool { get }
    /// The upload's bytes before the current request's range.
    var base: Int64 { get }
    /// Whether the current request was answered, so that ``base`` and ``piece`` are already about the next one.
    var hasMovedOn: Bool { get }
    /// The byte range of the current request; nil for none.
    var piece: Range<Int64>? { get }
    /// Whether the body of the current request is the new content of its URL, or a range of it.
    var sendsContent: Bool { get }
    /// Whether the reported number of sent bytes must not shrink when a request is repeated.
    var growsOnly: Bool { get }
    /// The range to hash before the current request is made; nil for none.
    var demand: DigestDemand? { get }
    /// The phrase about data that stays at the server if the upload ends now; nil for none.
    var remains: String? { get }

    /// Starts the request of the current step.
    mutating func begin()
    /// Counts the bytes of the current request: given to its connection, and received by the server.
    mutating func moved(handedOut count: Int64, arrived: Int64)
    /// Returns whether the server has confirmed a new maximum since the last call.
    mutating func takeProgress() -> Bool
    /// Records that the current request got no response; returns true if the upload now continues without it.
    mutating func foundNoAnswer(stalled: Bool) -> Bool
    /// Takes the digests of ``demand``, in the order of its algorithms.
    mutating func take(_ digests: [[UInt8]])
    /// Returns the request of the current step, derived from the caller's.
    func request(for original: TransferRequest) -> TransferRequest
    /// Reads an interim response; false if the server contradicts itself, and the request has to end.
    mutating func hear(_ head: ResponseHead, original: TransferRequest) -> Bool
    /// Decides about a final head that is not a redirect.
    mutating func judge(_ head: ResponseHead, original: TransferRequest) -> UploadOutcome
    /// Decides about a response whose body was asked for; nil for a body that is incomplete or too large.
    mutating func judge(body: [UInt8]?, of head: ResponseHead, original: TransferRequest) -> UploadOutcome
    /// Makes the current step the removal of what is at the server; false if nothing is.
    mutating func giveUp() -> Bool
}

/// The step after a response to an upload's request.
enum UploadOutcome: Sendable, Equatable {
    /// The response is final for the upload, or is judged as for any other request.
    case answer
    case next
    /// The response's body decides.
    case readBody
    /// The upload restarts; the reason is a sentence.
    case restartFromZero(reason: String)
    /// The next step follows later; the upload fails with the error when its tries are used up.
    indirect case later(SessionError)
    indirect case fail(SessionError)
}

/// A range of the body that has to be hashed, and how.
struct DigestDemand: Sendable, Equatable {
    var range: Range<Int64>
    var algorithms: [Checksum.Algorithm]
}

extension UploadMachine {
    var sharesConnections: Bool { false }
    var isRemoval: Bool { false }
    var mayGoUnanswered: Bool { false }
    var growsOnly: Bool { false }
    var hasMovedOn: Bool { false }
    var demand: DigestDemand? { nil }
    var remains: String? { nil }

    mutating func foundNoAnswer(stalled: Bool) -> Bool { false }
    mutating func take(_ digests: [[UInt8]]) {}
    mutating func hear(_ head: ResponseHead, original: TransferRequest) -> Bool { true }
    mutating func judge(body: [UInt8]?, of head: ResponseHead, original: TransferRequest) -> UploadOutcome { .answer }
    mutating func giveUp() -> Bool { false }
}

/// What the details show beyond the table's columns.
///
/// Only the transfer whose details are on the screen has them in the model. Everything is optional: an empty field is
/// not drawn.
struct RowDetails: Sendable, Equatable {
    /// A header line.
    struct Header: Sendable, Equatable {
        var name: SafeText
        var value: SafeText
        /// Whether the value stays hidden until the user asks for it.
        var isSecret = false
    }

    /// Something that is known, and what it is called.
    struct Fact: Sendable, Equatable {
        var label: SafeText
        var text: SafeText
    }

    /// A line of the transfer's own log, newest last.
    struct LogLine: Sendable, Equatable {
        /// The time of day, already formatted.
        var time: SafeText
        var text: SafeText
    }

    /// `206 Partial Content`.
    var statusLine: SafeText = .empty
    var contentType: SafeText = .empty
    /// `HTTP/1.1`.
    var httpVersion: SafeText = .empty
    /// `TLS 1.3`; empty without it.
    var tls: SafeText = .empty
    /// The cipher, and what the server's certificate says; a list, because most rows have none of it.
    var security: [Fact] = []
    /// Address and port of the peer, and of this side.
    var peer: SafeText = .empty
    var localAddress: SafeText = .empty
    var reusedConnection: Bool = false
    var redirects: Int = 0
    /// Milliseconds that it waited for a slot.
    var queued: Int?
    /// Milliseconds that the attempts took which failed before this one, oldest first.
    var earlierAttempts: [Int] = []
    /// Milliseconds from the attempt's start; nil where the step has not happened.
    var nameLookup: Int?
    var connect: Int?
    var secureConnect: Int?
    var requestSent: Int?
    var firstByte: Int?
    var total: Int?
    /// When the attempt that is under way began, in milliseconds of the monotonic clock.
    var attemptStartedAt: Int64?
    /// The strong validator, as `etag "a91f…"` or `last-modified …`; empty without one.
    var validator: SafeText = .empty
    var acceptsRanges: Bool?
    /// Why a resume is or is not possible, one sentence.
    var resumeReason: SafeText = .empty
    /// What an upload sends, and whether that can be read again; empty for other kinds.
    var uploadSource: SafeText = .empty
    /// Whether an upload that fails is sent again by itself, or why not.
    var uploadRepetition: SafeText = .empty
    /// `sha-256 pending`, `sha-256 matches`.
    var checksum: SafeText = .empty
    /// `GET /index.html HTTP/1.1`.
    var requestLine: SafeText = .empty
    var requestHeaders: [Header] = []
    var responseHeaders: [Header] = []
    /// The answers before that one, oldest first.
    var earlierAnswers: [EarlierAnswer] = []
    var log: [LogLine] = []
    /// The first part of a data body.
    var body = BodyPreview()
    /// Whether there was a body that had to give way to newer ones.
    var bodyWasDropped = false
    /// Seconds between two runs of a request that is repeated.
    var repeatInterval: Int?
    /// Milliseconds that the latest runs of a data request took, newest last.
    var latencies: [Int] = []

    init() {}
}

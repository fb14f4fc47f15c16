/// The facts that the details show beyond the table's columns.
///
/// The model has them only for the transfer whose details are visible. Everything is optional: an empty field is not
/// drawn.
package struct RowDetails: Sendable, Equatable, Codable {
    package struct Header: Sendable, Equatable, Codable {
        package var name: SafeText
        package var value: SafeText
        /// Whether the value is hidden until the user reveals it.
        package var isSecret = false

        package init(name: SafeText, value: SafeText, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// A fact with its label.
    package struct Field: Sendable, Equatable, Codable {
        package var label: SafeText
        package var text: SafeText

        package init(label: SafeText, text: SafeText) {
            self.label = label
            self.text = text
        }
    }

    /// A segment of a file that several connections download.
    package struct Segment: Sendable, Equatable, Codable {
        package var start: Int64
        package var end: Int64
        /// Bytes from its start that have arrived.
        package var received: Int64
        /// Bytes per second; nil without a connection.
        package var rate: Int64?
        /// The index of its source in ``RowDetails/sources``; nil with one source, or without a connection.
        package var source: Int?

        package init(start: Int64, end: Int64, received: Int64, rate: Int64? = nil, source: Int? = nil) {
            (self.start, self.end, self.received, self.rate) = (start, end, received, rate)
            self.source = source
        }
    }

    /// A source of a download with mirrors.
    package struct Source: Sendable, Equatable, Codable {
        package enum State: Sendable, Equatable, Codable {
            case unproven, probing, proven
            /// No longer used; the reason is a sentence.
            case dropped(SafeText)
        }

        package var url: SafeText
        package var state: State
        package var connections: Int
        /// Bytes per second; nil without a connection.
        package var rate: Int64?

        package init(url: SafeText, state: State, connections: Int = 0, rate: Int64? = nil) {
            (self.url, self.state, self.connections, self.rate) = (url, state, connections, rate)
        }
    }

    /// A line of the transfer's own log.
    package struct LogLine: Sendable, Equatable, Codable {
        /// The time of day, already formatted.
        package var time: SafeText
        package var text: SafeText

        package init(time: SafeText, text: SafeText) {
            self.time = time
            self.text = text
        }
    }

    /// `206 Partial Content`.
    package var statusLine: SafeText = .empty
    package var contentType: SafeText = .empty
    /// The content coding in which the file is saved; nil for a file that is not encoded.
    package var storedCoding: SafeText?
    /// `HTTP/1.1`.
    package var httpVersion: SafeText = .empty
    /// `TLS 1.3`; empty without it.
    package var tls: SafeText = .empty
    /// The cipher and the certificate's facts; a list, because most rows have none.
    package var security: [Field] = []
    /// Address and port of the peer, and of this side.
    package var peer: SafeText = .empty
    package var localAddress: SafeText = .empty
    package var reusedConnection: Bool = false
    package var redirects: Int = 0
    /// The URL that responded; empty without a response.
    package var answeredURL: SafeText = .empty
    /// The complete file in order, where several connections download it; else empty.
    package var segments: [Segment] = []
    /// The sources of the file; empty with a single source.
    package var sources: [Source] = []
    /// Its own rate limits; nil for the run's.
    package var rates: TaskRates?
    /// Milliseconds that it waited for a slot.
    package var queued: Int?
    /// Milliseconds of the failed attempts before this one, oldest first.
    package var earlierAttempts: [Int] = []
    /// Milliseconds from the attempt's start; nil where the step has not happened.
    package var nameLookup: Int?
    package var connect: Int?
    package var secureConnect: Int?
    package var requestSent: Int?
    package var firstByte: Int?
    package var total: Int?
    /// The start of the current attempt in milliseconds of the monotonic clock.
    package var attemptStartedAt: Int64?
    /// The strong validator, as `etag "a91f…"` or `last-modified …`; empty without one.
    package var validator: SafeText = .empty
    package var acceptsRanges: Bool?
    /// Why a resume is or is not possible, in one sentence.
    package var resumeReason: SafeText = .empty
    /// The source of an upload's body, and whether it can be read again; empty for other kinds.
    package var uploadSource: SafeText = .empty
    /// Whether a failed upload is repeated, or why not.
    package var uploadRepetition: SafeText = .empty
    /// `sha-256 pending`, `sha-256 matches`.
    package var checksum: SafeText = .empty
    /// `GET /index.html HTTP/1.1`.
    package var requestLine: SafeText = .empty
    package var requestHeaders: [Header] = []
    /// The beginning of the sent body, or its source.
    package var requestBody = BodyPreview()
    /// Whether that body has members such as passwords, and is hidden until the user reveals it.
    package var requestBodyIsSecret = false
    /// Whether an unsaved secret is missing, such as the link itself.
    package var lacksSecrets = false
    /// Whether a saved session keeps the secrets that it hides; empty for a task without any.
    package var secrets: SafeText = .empty
    package var responseHeaders: [Header] = []
    /// The responses before the latest one, oldest first.
    package var earlierAnswers: [EarlierAnswer] = []
    package var log: [LogLine] = []
    /// The beginning of a data body.
    package var body = BodyPreview()
    /// Whether newer bodies displaced its body.
    package var bodyWasDropped = false
    /// Whether the file of a wrong checksum is where another attempt compares it.
    package var keepsWrongFile = false
    /// Seconds between two runs of a repeated request.
    package var repeatInterval: Int?
    /// Milliseconds of a data request's latest runs, newest last.
    package var latencies: [Int] = []

    package init() {}
}

/// A response before the one that the details show: a redirect, an interim one, or a request for credentials.
package struct EarlierAnswer: Sendable, Equatable, Codable {
    /// `HTTP/1.1 302 Found`.
    package var statusLine: SafeText
    /// The URL that responded.
    package var url: SafeText
    package var headers: [RowDetails.Header]

    package init(statusLine: SafeText, url: SafeText, headers: [RowDetails.Header]) {
        self.statusLine = statusLine
        self.url = url
        self.headers = headers
    }
}

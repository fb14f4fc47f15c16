/// The facts that the details show beyond the table's columns.
///
/// Only the transfer whose details are on the screen has them in the model. Everything is optional: an empty field is
/// not drawn.
package struct RowDetails: Sendable, Equatable, Codable {
    /// A header line.
    package struct Header: Sendable, Equatable, Codable {
        package var name: SafeText
        package var value: SafeText
        /// Whether the value stays hidden until the user asks for it.
        package var isSecret = false

        package init(name: SafeText, value: SafeText, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// Something that is known, and what it is called.
    package struct Fact: Sendable, Equatable, Codable {
        package var label: SafeText
        package var text: SafeText

        package init(label: SafeText, text: SafeText) {
            self.label = label
            self.text = text
        }
    }

    /// A stretch of a file that several connections bring.
    package struct Segment: Sendable, Equatable, Codable {
        package var start: Int64
        package var end: Int64
        /// Bytes from its start that are there.
        package var received: Int64
        /// Bytes a second; nil where no connection works on it.
        package var rate: Int64?
        /// The place of its source among ``RowDetails/sources``; nil where there is one, or no connection.
        package var source: Int?

        package init(start: Int64, end: Int64, received: Int64, rate: Int64? = nil, source: Int? = nil) {
            (self.start, self.end, self.received, self.rate) = (start, end, received, rate)
            self.source = source
        }
    }

    /// A place that a download with mirrors may come from.
    package struct Source: Sendable, Equatable, Codable {
        package enum State: Sendable, Equatable, Codable {
            case unproven, probing, proven
            /// It is not asked any more; the reason is a sentence.
            case dropped(SafeText)
        }

        package var url: SafeText
        package var state: State
        package var connections: Int
        /// Bytes a second; nil where no connection works.
        package var rate: Int64?

        package init(url: SafeText, state: State, connections: Int = 0, rate: Int64? = nil) {
            (self.url, self.state, self.connections, self.rate) = (url, state, connections, rate)
        }
    }

    /// A line of the transfer's own log, newest last.
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
    /// `HTTP/1.1`.
    package var httpVersion: SafeText = .empty
    /// `TLS 1.3`; empty without it.
    package var tls: SafeText = .empty
    /// The cipher, and what the server's certificate says; a list, because most rows have none of it.
    package var security: [Fact] = []
    /// Address and port of the peer, and of this side.
    package var peer: SafeText = .empty
    package var localAddress: SafeText = .empty
    package var reusedConnection: Bool = false
    package var redirects: Int = 0
    /// The whole file, in order, where several connections bring it; else empty.
    package var segments: [Segment] = []
    /// The places that it may come from, where there are several.
    package var sources: [Source] = []
    /// Its own limits on how fast it goes; nil where it has none.
    package var rates: TaskRates?
    /// Milliseconds that it waited for a slot.
    package var queued: Int?
    /// Milliseconds that the attempts took which failed before this one, oldest first.
    package var earlierAttempts: [Int] = []
    /// Milliseconds from the attempt's start; nil where the step has not happened.
    package var nameLookup: Int?
    package var connect: Int?
    package var secureConnect: Int?
    package var requestSent: Int?
    package var firstByte: Int?
    package var total: Int?
    /// The moment at which the current attempt began, in milliseconds of the monotonic clock.
    package var attemptStartedAt: Int64?
    /// The strong validator, as `etag "a91f…"` or `last-modified …`; empty without one.
    package var validator: SafeText = .empty
    package var acceptsRanges: Bool?
    /// The reason why a resume is or is not possible, in one sentence.
    package var resumeReason: SafeText = .empty
    /// The source of an upload's body, and whether it can be read again; empty for other kinds.
    package var uploadSource: SafeText = .empty
    /// Whether an upload that fails is sent again by itself, or why not.
    package var uploadRepetition: SafeText = .empty
    /// `sha-256 pending`, `sha-256 matches`.
    package var checksum: SafeText = .empty
    /// `GET /index.html HTTP/1.1`.
    package var requestLine: SafeText = .empty
    package var requestHeaders: [Header] = []
    /// The first part of the body that is sent, or where it comes from.
    package var requestBody = BodyPreview()
    /// Whether that body has members such as passwords, and so stays hidden until the user asks for it.
    package var requestBodyIsSecret = false
    /// Whether something secret is missing that was not saved, such as the link itself.
    package var lacksSecrets = false
    package var responseHeaders: [Header] = []
    /// The answers before that one, oldest first.
    package var earlierAnswers: [EarlierAnswer] = []
    package var log: [LogLine] = []
    /// The first part of a data body.
    package var body = BodyPreview()
    /// Whether there was a body that had to give way to newer ones.
    package var bodyWasDropped = false
    /// Seconds between two runs of a request that is repeated.
    package var repeatInterval: Int?
    /// Milliseconds that the latest runs of a data request took, newest last.
    package var latencies: [Int] = []

    package init() {}
}

/// An answer before the one that the details show: a redirect, an interim one, or a wish for credentials.
package struct EarlierAnswer: Sendable, Equatable, Codable {
    /// `HTTP/1.1 302 Found`.
    package var statusLine: SafeText
    /// The URL that answered.
    package var url: SafeText
    package var headers: [RowDetails.Header]

    package init(statusLine: SafeText, url: SafeText, headers: [RowDetails.Header]) {
        self.statusLine = statusLine
        self.url = url
        self.headers = headers
    }
}

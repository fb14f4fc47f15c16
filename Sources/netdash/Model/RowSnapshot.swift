/// A consistent picture of one transfer at one moment, ready to be shown.
///
/// The session bridge makes them; the model replaces the row of the same ``id``. Counts are bytes of body that belong
/// together. What only the details show is asked for when they are shown.
struct RowSnapshot: Sendable, Equatable {
    /// Names the transfer for as long as the process lives.
    var id: UInt64
    var kind: Job.Kind
    var state: RowState = .queued
    /// What the table calls it: a file's name, `backup.tar → /ingest`, `GET /v2/orders`.
    var name: SafeText
    var url: SafeText
    var host: SafeText = .empty
    var method: SafeText = "GET"
    /// Body bytes received, a resumed part's included.
    var received: Int64 = 0
    /// Body bytes sent.
    var sent: Int64 = 0
    /// The whole length of the body that moves (sent for an upload, received otherwise); nil while unknown.
    var expected: Int64?
    /// Where the current attempt began; above zero after a resume.
    var resumedAt: Int64 = 0
    /// Whether it could go on from where it stopped.
    var canResume: Bool = false
    var statusCode: Int?
    /// One sentence of cause, when it failed or waits for another attempt.
    var error: SafeText?
    /// Milliseconds of the model's clock at which the next attempt starts.
    var retryAt: Int64?
    /// Milliseconds of the model's clock.
    var startedAt: Int64?
    /// Milliseconds of the model's clock.
    var endedAt: Int64?
    /// Where the bytes go or come from.
    var path: SafeText?
    /// `h1`, `h2`, or empty before a response.
    var protocolName: SafeText = .empty
    /// Attempts that ended without success so far, and how many are allowed.
    var failedAttempts: Int = 0
    var attemptLimit: Int = 5

    /// From -2 to 2; higher gets a slot first.
    var priority: Int8 = 0
    /// Its place in the queue, among those of its priority.
    var place: UInt64

    init(id: UInt64, kind: Job.Kind, name: SafeText, url: SafeText) {
        self.id = id
        place = id
        self.kind = kind
        self.name = name
        self.url = url
    }

    /// Bytes in the direction that matters for this kind.
    var moved: Int64 {
        switch kind {
        case .upload: sent
        case .data, .download: received
        }
    }
}

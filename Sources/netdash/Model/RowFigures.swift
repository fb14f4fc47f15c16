/// What a row says in numbers: the part of it that owns no memory, and by which rows are counted, measured and sorted.
///
/// A hundred thousand of them lie side by side, so each is as small as it can be.
struct RowFigures: Sendable, Equatable {
    /// Names the transfer for as long as the process lives.
    var id: UInt64
    /// Its place in the queue, among those of its priority.
    var place: UInt64
    /// Body bytes received, a resumed part's included.
    var received: Int64 = 0
    /// Body bytes sent.
    var sent: Int64 = 0
    /// The whole length of the body that moves (sent for an upload, received otherwise); nil while unknown.
    @CompactOptional var expected: Int64?
    /// Where the current attempt began; above zero after a resume.
    var resumedAt: Int64 = 0
    /// Milliseconds of the model's clock at which the next attempt starts.
    @CompactOptional var retryAt: Int64?
    /// Milliseconds of the model's clock.
    @CompactOptional var startedAt: Int64?
    /// Milliseconds of the model's clock.
    @CompactOptional var endedAt: Int64?
    /// Attempts in a row that ended without success so far, and how many may follow the first.
    var failedAttempts: Int32 = 0
    var retryLimit: Int32 = 5
    private var storedStatusCode: Int16 = 0
    var kind: Job.Kind
    var state: RowState = .queued
    /// From -2 to 2; higher gets a slot first.
    var priority: Int8 = 0
    /// Whether it could go on from where it stopped.
    var canResume = false

    init(id: UInt64, kind: Job.Kind) {
        self.id = id
        place = id
        self.kind = kind
    }

    /// The status of the answer; nil before there is one.
    var statusCode: Int? {
        get { storedStatusCode == 0 ? nil : Int(storedStatusCode) }
        set { storedStatusCode = Int16(clamping: newValue ?? 0) }
    }

    /// Bytes in the direction that matters for this kind.
    var moved: Int64 {
        switch kind {
        case .upload: sent
        case .data, .download: received
        }
    }
}

/// What a row says in numbers: the part of it that owns no memory, and by which rows are counted, measured and sorted.
///
/// A hundred thousand of them lie side by side, so each is as small as it can be.
package struct RowFigures: Sendable, Equatable {
    /// Names the transfer for as long as the process lives.
    package var id: UInt64
    /// Its place in the queue, among those of its priority.
    package var place: UInt64
    /// Body bytes received, a resumed part's included.
    package var received: Int64 = 0
    /// Body bytes sent.
    package var sent: Int64 = 0
    /// The whole length of the body that moves (sent for an upload, received otherwise); nil while unknown.
    @CompactOptional package var expected: Int64?
    /// Where the current attempt began; above zero after a resume.
    package var resumedAt: Int64 = 0
    /// Milliseconds of the model's clock at which the next attempt starts.
    @CompactOptional package var retryAt: Int64?
    /// Milliseconds of the model's clock.
    @CompactOptional package var startedAt: Int64?
    /// Milliseconds of the model's clock.
    @CompactOptional package var endedAt: Int64?
    /// Attempts in a row that ended without success so far, and how many may follow the first.
    package var failedAttempts: Int32 = 0
    package var retryLimit: Int32 = 5
    private var storedStatusCode: Int16 = 0
    package var kind: Job.Kind
    package var state: RowState = .queued
    /// From -2 to 2; higher gets a slot first.
    package var priority: Int8 = 0
    /// Whether it could go on from where it stopped.
    package var canResume = false

    package init(id: UInt64, kind: Job.Kind) {
        self.id = id
        place = id
        self.kind = kind
    }

    /// The status of the answer; nil before there is one.
    package var statusCode: Int? {
        get { storedStatusCode == 0 ? nil : Int(storedStatusCode) }
        set { storedStatusCode = Int16(clamping: newValue ?? 0) }
    }

    /// Bytes in the direction that matters for this kind.
    package var moved: Int64 {
        switch kind {
        case .upload: sent
        case .data, .download: received
        }
    }
}

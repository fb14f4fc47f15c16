/// A consistent picture of one transfer at one moment, ready to be shown.
///
/// The session bridge makes them; the model replaces the row of the same id. Counts are bytes of body that belong
/// together. What only the details show is asked for when they are shown. Its numbers can be used as if they were its
/// own properties.
@dynamicMemberLookup
package struct RowSnapshot: Sendable, Equatable, Codable {
    /// The row's numbers, which change while its texts stay.
    package var figures: RowFigures
    /// The row's name in the table: a file's name, `backup.tar → /ingest`, `GET /v2/orders`.
    package var name: SafeText
    package var url: SafeText
    package var host: SafeText = .empty
    /// The way to the host, where that is not the ordinary one: a proxy, a socket, a place that stands for it.
    package var route: SafeText = .empty
    package var method: SafeText = "GET"
    /// The cause in one sentence, when it failed or waits for another attempt.
    package var error: SafeText?
    /// The file that the bytes go to or come from.
    package var path: SafeText?
    /// `h1`, `h2`, or empty before a response.
    package var protocolName: SafeText = .empty

    package init(id: UInt64, kind: Job.Kind, name: SafeText, url: SafeText) {
        figures = RowFigures(id: id, kind: kind)
        self.name = name
        self.url = url
    }

    package subscript<Value>(dynamicMember member: KeyPath<RowFigures, Value>) -> Value { figures[keyPath: member] }

    package subscript<Value>(dynamicMember member: WritableKeyPath<RowFigures, Value>) -> Value {
        get { figures[keyPath: member] }
        set { figures[keyPath: member] = newValue }
    }
}

/// The numbers of a row: the part that owns no memory, by which rows are counted, measured and sorted.
///
/// A hundred thousand of them lie side by side, so each is as small as it can be.
package struct RowFigures: Sendable, Equatable, Codable {
    /// Names the transfer for as long as the process lives.
    package var id: UInt64
    /// The row's place in the queue, among rows of its priority.
    package var place: UInt64
    /// Body bytes received, a resumed part's included.
    package var received: Int64 = 0
    /// Body bytes sent.
    package var sent: Int64 = 0
    /// The whole length of the body that moves (sent for an upload, received otherwise); nil while unknown.
    @CompactOptional package var expected: Int64?
    /// The byte at which the current attempt began; above zero after a resume.
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
    /// Bytes of a paused body that have left this side and have not arrived yet.
    package var inFlight: Int32 = 0
    /// The second of the model's clock since when an answer is awaited; the least for none.
    private var awaitedSecond = Int32.min
    private var storedStatusCode: Int16 = 0
    package var kind: Job.Kind
    package var state: RowState = .queued
    /// The priority from -2 to 2; higher gets a slot first.
    package var priority: Int8 = 0
    /// Whether it could go on from where it stopped, if its connection ended.
    package var continuation = Resumability.no
    /// The reason why it failed, or waits for another attempt; nil while it does neither.
    package var cause: Cause?
    /// Whether it is sent again and again.
    package var repetition = Repetition.none

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

    /// Milliseconds of the model's clock, in whole seconds, since when the server has had the whole request and owes an answer.
    package var answerAwaitedSince: Int64? {
        get { awaitedSecond == .min ? nil : Int64(awaitedSecond) * 1000 }
        set { awaitedSecond = newValue.map { Int32(clamping: $0 / 1000) } ?? .min }
    }

    /// Whether it is sure that it could go on from where it stopped.
    package var canResume: Bool { continuation == .yes }

    /// Whether a pause holds the connection for as long as it lasts, because nobody knows whether the server would send
    /// the rest on another one.
    package var isHeldOpen: Bool { kind == .download && continuation == .unknown && received > 0 }

    /// Whether it is paused and its connection alone keeps what has come, so that the bytes go when the program does.
    package var losesByLeaving: Bool { state == .paused && kind == .download && continuation == .no && received > 0 }

    /// Whether the body that it receives tells of an error: nothing of what was asked for has come.
    package var receivesErrorBody: Bool { kind == .data && (statusCode ?? 0) >= 400 }

    /// The answer to whether its bytes would be lost with its connection; nil where there is nothing to lose.
    package var standing: Resumability? {
        switch state {
        case .verifying, .saving, .done: nil
        case .running, .retrying, .queued, .pausing, .paused, .failed, .cancelled:
            kind == .data || moved == 0 ? nil : continuation
        }
    }

    /// Bytes in the direction that matters for this kind.
    package var moved: Int64 {
        switch kind {
        case .upload: sent
        case .data, .download: received
        }
    }

    /// Whether a pause would change anything.
    package var canPause: Bool {
        switch state {
        case .running, .retrying, .queued: true
        case .verifying, .saving, .pausing, .paused: false
        case .failed, .done, .cancelled: repetition == .active
        }
    }

    /// Whether a resume, or a retry, would change anything.
    package var canStart: Bool {
        switch state {
        case .pausing, .paused, .failed, .cancelled: true
        case .done: kind == .data
        case .running, .retrying, .queued, .verifying, .saving: false
        }
    }

    /// Whether a resume begins with nothing of what there was.
    package var startsAgain: Bool {
        switch state {
        case .failed, .cancelled: kind != .download || moved == 0 || continuation == .no
        case .done: repetition != .paused
        case .running, .retrying, .queued, .pausing, .paused, .verifying, .saving: false
        }
    }

    /// Whether there is something to cancel.
    package var canCancel: Bool { !state.isFinal || repetition != .none }

    /// Whether it is a repeated request of which no run is under way.
    package var isBetweenRuns: Bool { repetition != .none && endedAt != nil }

    /// Whether it has ended since it was like this, also when a whole run lies between.
    package func hasEnded(since old: RowFigures) -> Bool {
        state.isFinal && (!old.state.isFinal || endedAt != old.endedAt)
    }

    /// Whether its priority still matters.
    package var canPrioritise: Bool { !state.isFinal }
}

/// A whole number that may be missing, in no more room than the number takes.
///
/// The smallest number there is stands for none, so it cannot be kept; no count and no moment is that small.
@propertyWrapper
package struct CompactOptional: Sendable, Equatable {
    private var stored = Int64.min

    package init(wrappedValue: Int64?) {
        self.wrappedValue = wrappedValue
    }

    /// The number; nil while there is none.
    package var wrappedValue: Int64? {
        get { stored == .min ? nil : stored }
        set { stored = newValue ?? .min }
    }
}

/// Encoded as the number, or as null.
extension CompactOptional: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

/// The state of a row's transfer, in the words of the table.
package enum RowState: String, Sendable, CaseIterable, Codable {
    case running, retrying, queued, pausing, paused, verifying, saving, failed, done, cancelled

    /// The phase's word on the screen.
    package var word: SafeText { SafeText(untrusted: rawValue) }

    /// The rank of the state in the default order.
    package var rank: UInt8 {
        switch self {
        case .running: 0
        case .retrying, .verifying, .saving: 1
        case .queued: 2
        case .pausing, .paused: 3
        case .failed: 4
        case .done: 5
        case .cancelled: 6
        }
    }

    /// Whether quitting or cancelling would interrupt it.
    package var isLive: Bool {
        switch self {
        case .running, .retrying, .queued, .verifying, .saving: true
        case .pausing, .paused, .failed, .done, .cancelled: false
        }
    }

    /// Whether it goes on only when somebody says so.
    package var isPaused: Bool { self == .pausing || self == .paused }

    /// Whether all bytes are there, though it has not ended: a checksum is compared, or the disk is waited for.
    package var isComplete: Bool { self == .verifying || self == .saving }

    /// Whether it has ended.
    package var isFinal: Bool {
        switch self {
        case .failed, .done, .cancelled: true
        case .running, .retrying, .queued, .verifying, .saving, .pausing, .paused: false
        }
    }
}

/// Whether a data request is sent again some time after each end.
package enum Repetition: UInt8, Sendable, CaseIterable, Codable {
    case none, active, paused
}

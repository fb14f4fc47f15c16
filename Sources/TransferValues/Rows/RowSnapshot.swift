/// A consistent snapshot of one transfer, ready to be shown.
///
/// The service makes snapshots; the model replaces the row of the same id. All counts are bytes of body at one moment.
/// What only the details show is requested when they are opened. Its numbers are accessible as its own properties.
@dynamicMemberLookup
package struct RowSnapshot: Sendable, Equatable {
    /// The row's numbers, which change while its texts stay.
    package var figures: RowFigures
    /// The row's name in the table: a file's name, `backup.tar → /ingest`, `GET /v2/orders`.
    package var name: SafeText
    package var url: SafeText
    package var host: SafeText = .empty
    /// The route to the host, unless it is the direct route: a proxy, a socket, a replacement address.
    package var route: SafeText = .empty
    package var method: SafeText = "GET"
    /// The cause in one sentence, when it failed, or waits for a retry or for another task.
    package var error: SafeText?
    /// The file that is written or sent.
    package var path: SafeText?
    /// `h1`, `h2`, or empty before a response.
    package var protocolName: SafeText = .empty
    /// The worker that has it or has ended it, in a queue of many machines.
    package var worker: SafeText = .empty

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

/// The numbers of a row: the part without allocated memory, by which rows are counted, measured and sorted.
///
/// An array contains a hundred thousand of them, so each is as small as possible.
package struct RowFigures: Sendable, Equatable {
    /// Unique for the lifetime of the process.
    package var id: UInt64
    /// The position in the queue within its priority.
    package var position: UInt64
    /// Body bytes received, including a resumed partial file.
    package var received: Int64 = 0
    package var sent: Int64 = 0
    /// The complete length of the body (sent for an upload, received otherwise); nil while unknown.
    @CompactOptional package var expected: Int64?
    /// The byte at which the current attempt began; above zero after a resume.
    package var resumedAt: Int64 = 0
    /// The start of the next attempt in milliseconds of the model's clock.
    @CompactOptional package var retryAt: Int64?
    /// Milliseconds of the model's clock.
    @CompactOptional package var startedAt: Int64?
    /// Milliseconds of the model's clock.
    @CompactOptional package var endedAt: Int64?
    /// Failed attempts in a row so far; ``retryLimit`` says how many may follow the first.
    package var failedAttempts: Int32 = 0
    /// Bytes of a paused body that have left this side and have not arrived yet.
    package var inFlight: Int32 = 0
    /// The second of the model's clock since when a response is awaited; `Int32.min` for none.
    private var awaitedSecond = Int32.min
    private var storedStatusCode: Int16 = 0
    private var storedRetryLimit: Int16 = 5
    /// The reason why it waits, if not for its turn.
    package var opening = WaitMoment.none
    package var kind: Job.Kind
    package var state: RowState = .queued
    /// The priority from -2 to 2; higher gets a slot first.
    package var priority: Int8 = 0
    /// Whether it could resume after a lost connection.
    package var continuation = Resumability.no
    /// The reason for its failure, or for its wait for a retry; nil otherwise.
    package var cause: Cause?
    package var repetition = Repetition.none

    package init(id: UInt64, kind: Job.Kind) {
        self.id = id
        position = id
        self.kind = kind
    }

    /// The status of the response; nil before the first one.
    package var statusCode: Int? {
        get { storedStatusCode == 0 ? nil : Int(storedStatusCode) }
        set { storedStatusCode = Int16(clamping: newValue ?? 0) }
    }

    /// The attempts that may follow the first.
    package var retryLimit: Int32 {
        get { Int32(storedRetryLimit) }
        set { storedRetryLimit = Int16(clamping: newValue) }
    }

    /// Whether it was completed without a transfer; such a row does not wait for its hours.
    package var wasSkipped: Bool {
        get { opening == .skipped }
        set { if newValue || wasSkipped { opening = newValue ? .skipped : .none } }
    }

    /// Milliseconds of the model's clock, in whole seconds, since when the server owes a response to the complete
    /// request.
    package var answerAwaitedSince: Int64? {
        get { awaitedSecond == .min ? nil : Int64(awaitedSecond) * 1000 }
        set { awaitedSecond = newValue.map { Int32(clamping: $0 / 1000) } ?? .min }
    }

    package var canResume: Bool { continuation == .yes }

    /// Whether a pause keeps the connection open, because it is unknown whether the server would send the rest on
    /// another one.
    package var keepsConnectionOpen: Bool { kind == .download && continuation == .unknown && received > 0 }

    /// Whether it is paused and cannot resume on another connection, so that its bytes are lost when the program ends.
    package var losesByLeaving: Bool { state == .paused && kind == .download && continuation == .no && received > 0 }

    /// Whether it is paused until its user decides about an existing file.
    package var isUndecided: Bool { state == .paused && cause == .destinationExists && kind == .download }

    /// Whether the body it receives belongs to an error status.
    package var receivesErrorBody: Bool { kind == .data && (statusCode ?? 0) >= 400 }

    /// Whether its bytes would survive a lost connection; nil where it has none to lose.
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

    package var canPause: Bool {
        switch state {
        case .running, .retrying, .queued: true
        case .paused: resumesByItself
        case .verifying, .saving, .pausing: false
        case .failed, .done, .cancelled: repetition == .active
        }
    }

    /// Whether it was paused at the end of its hours, and not by its user.
    package var resumesByItself: Bool { state == .paused && opening.isTime }

    /// Whether a resume or a retry would change anything.
    package var canStart: Bool {
        switch state {
        case .pausing, .paused, .failed, .cancelled: true
        case .done: kind == .data
        case .running, .retrying, .queued, .verifying, .saving: false
        }
    }

    /// Whether a resume starts from zero.
    package var startsAgain: Bool {
        switch state {
        case .failed, .cancelled: kind != .download || moved == 0 || continuation == .no
        case .done: repetition != .paused
        case .running, .retrying, .queued, .pausing, .paused, .verifying, .saving: false
        }
    }

    package var canCancel: Bool { !state.isFinal || repetition != .none }

    /// Whether it is a repeated request between two runs.
    package var isBetweenRuns: Bool { repetition != .none && endedAt != nil }

    /// Returns whether it has ended since `old`, also when a complete run lies between.
    ///
    /// A service that was started again tells the end of the same run with another moment, at which it was saved.
    package func hasEnded(since old: RowFigures) -> Bool {
        guard state.isFinal, old.state.isFinal, let start = startedAt, let end = old.endedAt else {
            return state.isFinal && (!old.state.isFinal || endedAt != old.endedAt)
        }
        return start >= end && endedAt != end
    }

    package var canPrioritise: Bool { !state.isFinal }
}

/// An optional integer in the space of an integer.
///
/// `Int64.min` stands for nil; no count and no moment has that value.
@propertyWrapper
package struct CompactOptional: Sendable, Equatable {
    private var stored = Int64.min

    package init(wrappedValue: Int64?) {
        self.wrappedValue = wrappedValue
    }

    package var wrappedValue: Int64? {
        get { stored == .min ? nil : stored }
        set { stored = newValue ?? .min }
    }
}

/// Rows are most of what a service sends: each is one list of numbers and texts, in the order below.
///
/// Members with names took the service a quarter more time for 100,000 rows, and the window a fifth more.
extension RowFigures: Codable {
    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        try self.init(from: &list)
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try encode(to: &list)
    }

    fileprivate init(from list: inout any UnkeyedDecodingContainer) throws {
        id = try list.decode(UInt64.self)
        kind = try value(&list)
        state = try value(&list)
        cause = try list.decodeNil() ? nil : value(&list)
        position = try list.decode(UInt64.self)
        received = try list.decode(Int64.self)
        sent = try list.decode(Int64.self)
        expected = try number(&list)
        resumedAt = try list.decode(Int64.self)
        retryAt = try number(&list)
        startedAt = try number(&list)
        endedAt = try number(&list)
        failedAttempts = try integer(&list)
        inFlight = try integer(&list)
        awaitedSecond = try integer(&list)
        storedStatusCode = try integer(&list)
        storedRetryLimit = try integer(&list)
        opening = WaitMoment(rawValue: try integer(&list))
        priority = try integer(&list)
        continuation = try value(&list)
        repetition = try value(&list)
    }

    fileprivate func encode(to list: inout any UnkeyedEncodingContainer) throws {
        try list.encode(id)
        try list.encode(kind.rawValue)
        try list.encode(state.rawValue)
        if let cause { try list.encode(cause.rawValue) } else { try list.encodeNil() }
        try list.encode(position)
        try list.encode(received)
        try list.encode(sent)
        try list.encode(expected)
        try list.encode(resumedAt)
        try list.encode(retryAt)
        try list.encode(startedAt)
        try list.encode(endedAt)
        try list.encode(Int64(failedAttempts))
        try list.encode(Int64(inFlight))
        try list.encode(Int64(awaitedSecond))
        try list.encode(Int64(storedStatusCode))
        try list.encode(Int64(storedRetryLimit))
        try list.encode(Int64(opening.rawValue))
        try list.encode(Int64(priority))
        try list.encode(Int64(continuation.rawValue))
        try list.encode(Int64(repetition.rawValue))
    }
}

/// Its numbers, and then its texts.
extension RowSnapshot: Codable {
    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        figures = try RowFigures(from: &list)
        func text() throws -> SafeText { SafeText(untrusted: try list.decode(String.self)) }
        name = try text()
        url = try text()
        host = try text()
        route = try text()
        method = try text()
        error = try list.decodeNil() ? nil : text()
        path = try list.decodeNil() ? nil : text()
        protocolName = try text()
        worker = try text()
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try figures.encode(to: &list)
        try list.encode(name.string)
        try list.encode(url.string)
        try list.encode(host.string)
        try list.encode(route.string)
        try list.encode(method.string)
        if let error { try list.encode(error.string) } else { try list.encodeNil() }
        if let path { try list.encode(path.string) } else { try list.encodeNil() }
        try list.encode(protocolName.string)
        try list.encode(worker.string)
    }
}

extension UnkeyedEncodingContainer {
    fileprivate mutating func encode(_ number: Int64?) throws {
        if let number { try encode(number) } else { try encodeNil() }
    }
}

// Extensions of the protocol would not be specialized for each type of number.
private typealias RowList = any UnkeyedDecodingContainer

private func number(_ list: inout RowList) throws -> Int64? {
    try list.decodeNil() ? nil : list.decode(Int64.self)
}

private func integer<Number: FixedWidthInteger>(_ list: inout RowList) throws -> Number {
    guard let number = Number(exactly: try list.decode(Int64.self)) else { throw outOfRange(list) }
    return number
}

private func value<Value: RawRepresentable>(_ list: inout RowList) throws -> Value where Value.RawValue == UInt8 {
    guard let value = Value(rawValue: try integer(&list)) else { throw outOfRange(list) }
    return value
}

private func value<Value: RawRepresentable>(_ list: inout RowList) throws -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try list.decode(String.self)) else { throw outOfRange(list) }
    return value
}

private func outOfRange(_ list: RowList) -> DecodingError {
    .dataCorrupted(.init(codingPath: list.codingPath, debugDescription: "a value that a row does not have"))
}

/// The state of a row's transfer, in the words of the table.
package enum RowState: String, Sendable, CaseIterable, Codable {
    case running, retrying, queued, pausing, paused, verifying, saving, failed, done, cancelled

    package var word: SafeText { SafeText(untrusted: rawValue) }

    /// The rank of the state in the default sort order.
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

    /// Whether only the user can resume it.
    package var isPaused: Bool { self == .pausing || self == .paused }

    /// Whether all bytes have arrived, but a checksum or the disk is still busy.
    package var isComplete: Bool { self == .verifying || self == .saving }

    package var isFinal: Bool {
        switch self {
        case .failed, .done, .cancelled: true
        case .running, .retrying, .queued, .verifying, .saving, .pausing, .paused: false
        }
    }
}

/// Whether a data request is repeated after each end.
package enum Repetition: UInt8, Sendable, CaseIterable, Codable {
    case none, active, paused
}

extension HistoryEntry.Outcome {
    /// The state that a row of this end has.
    package var state: RowState {
        switch self {
        case .done: .done
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}

import Dashboard
import Glibc
import SessionSupport

/// Collects lines and hands them to a descriptor in few writes.
///
/// Ten thousand transfers make forty thousand lines; one write for each would cost more than the transfers. Whoever
/// owns the writer calls ``flushIfDue(at:)`` once per turn of its loop and ``flush()`` at the end. After a write that
/// failed, as when the reader of a pipe has gone, the writer falls silent and says why in ``failure``.
struct LineWriter: Sendable {
    /// The milliseconds that a line may wait.
    static let delay: Int64 = 100
    private static let capacity = 64 << 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var oldest: Int64?
    /// The error number of the write that failed; nil as long as all went well.
    private(set) var failure: Int32?

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The moment, in milliseconds of the monotonic clock, by which the collected lines must be written.
    var deadline: Int64? { oldest.map { $0 + Self.delay } }

    /// Adds a line that carries its own line break.
    mutating func append(_ line: [UInt8], at time: Int64) {
        guard failure == nil else { return }
        buffer += line
        if oldest == nil { oldest = time }
        if buffer.count >= Self.capacity { flush() }
    }

    /// Writes when the oldest line has waited long enough.
    mutating func flushIfDue(at time: Int64) {
        if let deadline, time >= deadline { flush() }
    }

    /// Writes everything now, waiting for a slow reader.
    mutating func flush() {
        defer {
            buffer.removeAll(keepingCapacity: true)
            oldest = nil
        }
        guard failure == nil, !buffer.isEmpty, !Descriptor.writeAll(buffer, to: descriptor) else { return }
        failure = errno
    }
}

/// A line log of what happened, without secrets.
///
/// Lines are the plain output's, with date and level in front; they are collected like any other output.
struct LogFile: Sendable {
    private let path: String
    private var writer: LineWriter
    private let descriptor: Int32
    private let level: Settings.LogLevel
    private let formatter = PlainEventFormatter(clock: { $0.rfc3339 })

    /// Opens the file for appending, readable by its owner alone; `label` says in messages who named it.
    init(path: String, level: Settings.LogLevel, label: String = "--log") throws(UsageError) {
        // A FIFO that nobody reads would hold the program, and no signal would end that: it is refused.
        let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
        guard opened >= 0 else {
            throw UsageError(argument: label, "\"\(path)\" cannot be written: \(SystemWords.text(errno))")
        }
        self.path = path
        descriptor = opened
        writer = LineWriter(descriptor: opened)
        self.level = level
    }

    /// The moment by which lines must be written.
    var deadline: Int64? { writer.deadline }

    /// The reason why lines are missing in it; nil as long as all went well.
    var failure: UnwrittenReport? { writer.failure.map { UnwrittenReport(place: path, errno: $0) } }

    /// Adds an event, when the level asks for it.
    mutating func append(_ event: TransferEvent, at time: Int64) {
        let eventLevel = Self.level(of: event.what)
        guard eventLevel <= level else { return }
        writer.append(Array("\(eventLevel.rawValue) ".utf8) + formatter.line(for: event), at: time)
    }

    /// Adds news about servers that nobody asks, when the level asks for warnings.
    mutating func append(_ news: HeldReport.News, at time: Int64) {
        guard level >= .warning else { return }
        let line = formatter.line(for: news, time: .now(), now: time)
        writer.append(Array("\(Settings.LogLevel.warning.rawValue) ".utf8) + line, at: time)
    }

    /// Adds a sentence about something that went wrong beside the transfers.
    mutating func append(_ sentence: SafeText, at time: Int64) {
        let line = Timestamp.now().rfc3339 + " " + sentence.string + "\n"
        writer.append(Array("\(Settings.LogLevel.error.rawValue) \(line)".utf8), at: time)
    }

    /// Writes lines that have waited long enough.
    mutating func flushIfDue(at time: Int64) { writer.flushIfDue(at: time) }

    /// Writes what is left and closes the file; answers why lines are missing in it.
    mutating func close() -> UnwrittenReport? {
        writer.flush()
        // A remote disk may tell only here that it is full.
        let failure = Glibc.close(descriptor) == 0 ? writer.failure : writer.failure ?? errno
        return failure.map { UnwrittenReport(place: path, errno: $0) }
    }

    private static func level(of what: TransferEvent.What) -> Settings.LogLevel {
        switch what {
        case .failed: .error
        case .retrying, .restarted: .warning
        case .added, .started, .response, .paused, .resumed, .completed, .cancelled: .info
        case .progress: .debug
        }
    }
}

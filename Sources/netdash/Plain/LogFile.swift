import Dashboard
import Glibc
import Support

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
        let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o600)
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

    /// Notes an event, when the level asks for it.
    mutating func note(_ event: TransferEvent, at time: Int64) {
        let eventLevel = Self.level(of: event.what)
        guard eventLevel <= level else { return }
        writer.append(Array("\(eventLevel.rawValue) ".utf8) + formatter.line(for: event), at: time)
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

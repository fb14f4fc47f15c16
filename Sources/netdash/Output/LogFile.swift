import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Logs events as lines without secrets.
///
/// Lines are the plain output's, with date and level in front, and are collected like any other output. A full file is
/// renamed to `NAME.1`, replacing an earlier one, and a new one begins, so that tasks which fail for weeks fill no
/// disk.
struct LogFile: Sendable {
    /// The size in bytes from which on a new file begins.
    static let sizeLimit: Int64 = 10 << 20

    private let path: String
    private let sizeLimit: Int64
    private var writer: LineWriter
    private var descriptor: Int32
    /// The bytes of the file and of waiting lines; nil for a device or pipe.
    private var size: Int64?
    private let level: Settings.LogLevel
    private let formatter = PlainEventFormatter(clock: { $0.rfc3339 })

    /// Opens the file for appending, with mode 0600; `label` names its argument in messages.
    init(
        path: String, level: Settings.LogLevel, label: String = "--log", sizeLimit: Int64 = LogFile.sizeLimit
    ) throws(UsageError) {
        let output = OutputPath(path)
        let isOwn = if case .open = output { true } else { false }
        let opened = isOwn ? output.opened(path) : Self.open(path)
        guard opened >= 0 else {
            throw UsageError(argument: label, FileErrors.unwritable(path, SystemWords.text(errno))).ofFile
        }
        self.path = path
        self.sizeLimit = sizeLimit
        descriptor = opened
        // A file that another program has opened is never renamed.
        size = isOwn ? nil : Self.size(of: opened)
        writer = LineWriter(descriptor: opened)
        self.level = level
    }

    private static func open(_ path: String) -> Int32 {
        // O_NONBLOCK refuses a FIFO without a reader, which would block the program against every signal.
        Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    }

    private static func size(of descriptor: Int32) -> Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// The moment by which lines must be written.
    var deadline: Int64? { writer.deadline }

    /// The reason why lines are missing in it; nil without one.
    var failure: UnwrittenReport? { writer.failure.map { UnwrittenReport(output: path, errno: $0) } }

    /// Adds an event, if the level includes it.
    mutating func append(_ event: TransferEvent, at time: Int64) {
        let eventLevel = Self.level(of: event.what)
        guard eventLevel <= level else { return }
        append(Array("\(eventLevel.rawValue) ".utf8) + formatter.line(for: event), at: time)
    }

    /// Adds a change of the servers in backoff or with a limit, if the level includes warnings.
    mutating func append(_ news: BackoffReport.News, at time: Int64) {
        guard level >= .warning else { return }
        let line = formatter.line(for: news, time: .now(), now: time)
        append(Array("\(Settings.LogLevel.warning.rawValue) ".utf8) + line, at: time)
    }

    /// Adds a sentence beside the transfers, usually a problem, if the level includes it.
    mutating func append(_ sentence: SafeText, level sentenceLevel: Settings.LogLevel = .error, at time: Int64) {
        guard sentenceLevel <= level else { return }
        let line = Timestamp.now().rfc3339 + " " + sentence.string + "\n"
        append(Array("\(sentenceLevel.rawValue) \(line)".utf8), at: time)
    }

    private mutating func append(_ line: [UInt8], at time: Int64) {
        if let size {
            if size > 0, size + Int64(line.count) > sizeLimit { beginAgain() }
            self.size = (self.size ?? 0) + Int64(line.count)
        }
        writer.append(line, at: time)
    }

    /// Renames the full file and begins another one; on failure the full one continues.
    ///
    /// If another run has renamed it, only the new file is opened. For a link the target is renamed, not the link.
    private mutating func beginAgain() {
        writer.flush()
        size = 0
        guard writer.failure == nil, let real = realpath(path, nil) else { return }
        defer { free(real) }
        let name = String(cString: real)
        var (here, there) = (stat(), stat())
        guard fstat(descriptor, &here) == 0, stat(name, &there) == 0 else { return }
        let isOurs = here.st_ino == there.st_ino && here.st_dev == there.st_dev
        guard !isOurs || rename(name, name + ".1") == 0 else { return }
        let opened = Self.open(name)
        guard opened >= 0 else { return }
        // A disk that reports a write error only here will report it for the next lines too.
        _ = Glibc.close(descriptor)
        descriptor = opened
        writer = LineWriter(descriptor: opened)
        size = Self.size(of: opened)
    }

    mutating func flushIfDue(at time: Int64) { writer.flushIfDue(at: time) }

    /// Writes the rest and closes the file; returns why lines are missing in it.
    mutating func close() -> UnwrittenReport? {
        writer.flush()
        // A remote disk may report only here that it is full.
        let failure = Glibc.close(descriptor) == 0 ? writer.failure : writer.failure ?? errno
        return failure.map { UnwrittenReport(output: path, errno: $0) }
    }

    private static func level(of what: TransferEvent.What) -> Settings.LogLevel {
        switch what {
        case .failed: .error
        case .retrying, .restarted, .mirrorDropped, .mirrorSwitched, .notice: .warning
        case .added, .started, .response, .paused, .resumed, .completed, .cancelled: .info
        case .progress: .debug
        }
    }
}

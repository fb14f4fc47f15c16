import Dashboard
import Glibc
import SessionSupport
import TransferService

/// A line log of what happened, without secrets.
///
/// Lines are the plain output's, with date and level in front; they are collected like any other output. A file that has
/// grown beyond its limit gives its name to a new one and is kept as `NAME.1` in the place of an earlier one, so that tasks
/// which fail for weeks fill no disk.
struct LogFile: Sendable {
    /// The bytes from which on a log begins anew: more than anybody reads.
    static let sizeLimit: Int64 = 10 << 20

    private let path: String
    private let sizeLimit: Int64
    private var writer: LineWriter
    private var descriptor: Int32
    /// The bytes of the file and of what waits for it; nil for what is no file, and has no size.
    private var size: Int64?
    private let level: Settings.LogLevel
    private let formatter = PlainEventFormatter(clock: { $0.rfc3339 })

    /// Opens the file for appending, readable by its owner alone; `label` says in messages who named it.
    init(
        path: String, level: Settings.LogLevel, label: String = "--log", sizeLimit: Int64 = LogFile.sizeLimit
    ) throws(UsageError) {
        let place = OutputPath(path)
        let isOwn = if case .open = place { true } else { false }
        let opened = isOwn ? place.opened(path) : Self.open(path)
        guard opened >= 0 else {
            throw UsageError(argument: label, FileErrors.unwritable(path, SystemWords.text(errno)))
        }
        self.path = path
        self.sizeLimit = sizeLimit
        descriptor = opened
        // What another program has opened is never put aside.
        size = isOwn ? nil : Self.size(of: opened)
        writer = LineWriter(descriptor: opened)
        self.level = level
    }

    private static func open(_ path: String) -> Int32 {
        // A FIFO that nobody reads would hold the program, and no signal would end that: it is refused.
        Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    }

    private static func size(of descriptor: Int32) -> Int64? {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(facts.st_size)
    }

    /// The moment by which lines must be written.
    var deadline: Int64? { writer.deadline }

    /// The reason why lines are missing in it; nil as long as all went well.
    var failure: UnwrittenReport? { writer.failure.map { UnwrittenReport(place: path, errno: $0) } }

    /// Adds an event, when the level asks for it.
    mutating func append(_ event: TransferEvent, at time: Int64) {
        let eventLevel = Self.level(of: event.what)
        guard eventLevel <= level else { return }
        append(Array("\(eventLevel.rawValue) ".utf8) + formatter.line(for: event), at: time)
    }

    /// Adds news about servers that nobody asks or that get less, when the level asks for warnings.
    mutating func append(_ news: BackoffReport.News, at time: Int64) {
        guard level >= .warning else { return }
        let line = formatter.line(for: news, time: .now(), now: time)
        append(Array("\(Settings.LogLevel.warning.rawValue) ".utf8) + line, at: time)
    }

    /// Adds a sentence about something that went wrong beside the transfers.
    mutating func append(_ sentence: SafeText, at time: Int64) {
        let line = Timestamp.now().rfc3339 + " " + sentence.string + "\n"
        append(Array("\(Settings.LogLevel.error.rawValue) \(line)".utf8), at: time)
    }

    private mutating func append(_ line: [UInt8], at time: Int64) {
        if let size {
            if size > 0, size + Int64(line.count) > sizeLimit { beginAgain() }
            self.size = (self.size ?? 0) + Int64(line.count)
        }
        writer.append(line, at: time)
    }

    /// Puts the full file aside and begins another one; where that is refused, the full one goes on.
    ///
    /// Another run may have done it before, and then only the new file has to be opened. Behind a link the file itself is
    /// put aside, not the link.
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
        // What was written stands in it; a disk that says otherwise only now would say so of the next lines too.
        _ = Glibc.close(descriptor)
        descriptor = opened
        writer = LineWriter(descriptor: opened)
        size = Self.size(of: opened)
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
        case .retrying, .restarted, .sourceDropped, .sourceTurned, .notice: .warning
        case .added, .started, .response, .paused, .resumed, .completed, .cancelled: .info
        case .progress: .debug
        }
    }
}

import Dashboard
import Glibc
import TransferService

/// Prints a run's events in the chosen form, and writes the log.
struct EventPrinter {
    /// The form in which events are printed.
    enum Style: Sendable, Equatable {
        /// Lines on standard error.
        case lines
        /// Objects on standard output.
        case json
        /// Only failures, as lines on standard error.
        case errorsOnly
        /// Lines for a screen reader: milestones only, and the bell on a failure.
        case spoken
    }

    private static let bell: UInt8 = 7

    let style: Style
    private let descriptor: Int32
    private var writer: LineWriter
    private var log: LogFile?
    private let plain = PlainEventFormatter()
    private let json = JSONEventFormatter()
    private var backoffReport = BackoffReport()
    /// Whether a run with only failures has reported the lost network.
    private var hasToldOffline = false
    /// The users' tags of transfers.
    private var tags: [UInt64: String] = [:]

    init(style: Style, log: LogFile?) {
        self.init(style: style, log: log, descriptor: style == .json ? 1 : 2)
    }

    init(style: Style, log: LogFile?, descriptor: Int32) {
        self.style = style
        self.log = log
        self.descriptor = descriptor
        writer = LineWriter(descriptor: descriptor)
    }

    /// The rule of progress lines; nil when none are printed.
    var progressRule: ProgressGate.Rule? {
        switch style {
        case .lines: .lines
        case .json: .json
        case .errorsOnly: nil
        case .spoken: .milestones
        }
    }

    /// Whether events between a transfer's start and end are used.
    var usesMilestones: Bool { style != .errorsOnly || log != nil }

    /// The earliest moment at which waiting output must be written.
    var deadline: Int64? { [writer.deadline, log?.deadline].compactMap(\.self).min() }

    mutating func print(_ event: TransferEvent, at time: Int64) {
        log?.append(event, at: time)
        switch style {
        case .lines: writer.append(plain.line(for: event), at: time)
        case .json:
            if case .added(let job) = event.what, let tag = job.tag { tags[event.id] = tag }
            writer.append(json.line(for: event, tag: tags.isEmpty ? nil : tags[event.id]), at: time)
        case .errorsOnly:
            if case .failed = event.what { writer.append(plain.line(for: event), at: time) }
        case .spoken:
            writer.append(plain.line(for: event), at: time)
            if case .failed = event.what { writer.append([Self.bell], at: time) }
        }
    }

    /// Prints and logs changes of the servers in backoff.
    mutating func print(_ servers: [ServerBackoff], at now: Int64) { print(backoffReport.news(servers), at: now) }

    /// Prints and logs changes of the servers with fewer concurrent tasks.
    mutating func print(limits: [SafeText: Int], at now: Int64) { print(backoffReport.news(limits: limits), at: now) }

    private mutating func print(_ news: [BackoffReport.News], at now: Int64) {
        for news in news {
            log?.append(news, at: now)
            switch style {
            case .lines, .spoken: writer.append(plain.line(for: news, time: .now(), now: now), at: now)
            case .json: writer.append(json.line(for: news, time: .now(), now: now), at: now)
            // The user would otherwise not know why the body does not arrive.
            case .errorsOnly: if news == .network(isGone: true) { printQuietly(news, at: now) }
            }
        }
    }

    private mutating func printQuietly(_ news: BackoffReport.News, at now: Int64) {
        guard !hasToldOffline else { return }
        hasToldOffline = true
        writer.append(plain.line(for: news, time: .now(), now: now), at: now)
    }

    /// Prints answers to typed commands at once, after what waits.
    mutating func print(_ answers: [SafeText], at time: Int64) {
        for answer in answers { writer.append(Array((answer + "\n").string.utf8), at: time) }
        writer.flush()
    }

    /// Prints and logs a problem beside the transfers.
    mutating func printComplaint(_ sentence: SafeText, at time: Int64) {
        log?.append(sentence, at: time)
        let line = Array(("netdash: " + sentence + "\n").string.utf8)
        if descriptor == STDERR_FILENO {
            writer.append(line, at: time)
        } else {
            // Without standard error no complaint is possible.
            _ = Descriptor.writeAll(line, to: STDERR_FILENO)
        }
    }

    /// Prints that events were lost, because their reader was slower than the service.
    mutating func printLoss(at time: Int64) {
        if style == .json { writer.append(json.lineOfLoss(time: .now()), at: time) }
        printComplaint(ControlLines.eventsLost, at: time)
    }

    mutating func print(_ summary: RunSummary, wallTime: Timestamp, at time: Int64) {
        switch style {
        case .lines, .spoken: writer.append(plain.line(for: summary, time: wallTime), at: time)
        case .json: writer.append(json.line(for: summary, time: wallTime), at: time)
        case .errorsOnly: break
        }
    }

    /// Holds back further output until this number is released.
    mutating func hold(_ number: Int) { writer.hold(number) }

    mutating func release(_ number: Int) { writer.release(number) }

    mutating func flush() { writer.flush() }

    /// Writes what has waited long enough.
    mutating func flushIfDue(at time: Int64) {
        writer.flushIfDue(at: time)
        log?.flushIfDue(at: time)
    }

    /// Writes everything; returns the reports of unwritten lines.
    mutating func close() -> [UnwrittenReport] {
        writer.close()
        let output = UnwrittenReport.name(ofStream: descriptor)
        return [writer.failure.map { UnwrittenReport(output: output, errno: $0) }, log?.close()].compactMap(\.self)
    }
}

/// Decides which progress reports of one transfer are printed.
struct ProgressGate: Sendable {
    /// The rule for how often progress is printed.
    enum Rule: Sendable {
        /// Every 10 seconds, or 10 % of the total, whichever comes first.
        case lines
        /// Twice a second.
        case json
        /// At a quarter, a half and three quarters.
        case milestones
    }

    private let rule: Rule
    private var lastTime: Int64
    private var lastMoved: Int64 = 0
    private var lastTenth: Int64 = 0
    private var lastQuarter: Int64 = 0

    /// `startedAt` is in milliseconds of the monotonic clock.
    init(rule: Rule, startedAt: Int64) {
        self.rule = rule
        lastTime = startedAt
    }

    /// Returns whether to print now, and remembers that.
    ///
    /// Nothing is printed when nothing moved, and lines leave the last byte to the line about the end.
    mutating func admits(moved: Int64, of expected: Int64?, at time: Int64) -> Bool {
        guard moved != lastMoved else { return false }
        if rule != .json, moved == expected { return false }
        let tenth = expected.map { $0 > 0 ? moved * 10 / $0 : 0 } ?? 0
        let quarter = expected.map { $0 > 0 ? moved * 4 / $0 : 0 } ?? 0
        let isDue =
            switch rule {
            case .json: time - lastTime >= 500
            case .lines: time - lastTime >= 10_000 || (tenth > lastTenth && time - lastTime >= 500)
            case .milestones: quarter > lastQuarter
            }
        guard isDue else { return false }
        lastTime = time
        lastMoved = moved
        lastTenth = tenth
        lastQuarter = quarter
        return true
    }
}

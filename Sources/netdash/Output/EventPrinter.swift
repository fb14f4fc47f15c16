import Dashboard
import Glibc
import TransferService

/// Prints a run's events in the form the user chose, and keeps the log.
struct EventPrinter {
    /// The form in which events are printed.
    enum Style: Sendable, Equatable {
        /// Lines on standard error.
        case lines
        /// Objects on standard output.
        case json
        /// Failures alone, as lines on standard error.
        case errorsOnly
        /// Lines for somebody who listens to them at a terminal: milestones only, and the bell on a failure.
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
    /// Whether a run that tells failures alone has said that there is no network.
    private var hasToldOffline = false
    /// The marks of the transfers that have some.
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

    /// Which progress reports are wanted; nil when none are.
    var progressRule: ProgressGate.Rule? {
        switch style {
        case .lines: .lines
        case .json: .json
        case .errorsOnly: nil
        case .spoken: .milestones
        }
    }

    /// Whether something is made of what happens between a transfer's beginning and its end.
    var usesMilestones: Bool { style != .errorsOnly || log != nil }

    /// The earliest moment by which something must be written.
    var deadline: Int64? { [writer.deadline, log?.deadline].compactMap(\.self).min() }

    /// Prints and logs one event.
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

    /// Prints and logs what is new about servers that nobody asks.
    mutating func print(_ servers: [ServerBackoff], at now: Int64) { print(backoffReport.news(servers), at: now) }

    /// Prints and logs what is new about servers that get fewer tasks at once.
    mutating func print(limits: [SafeText: Int], at now: Int64) { print(backoffReport.news(limits: limits), at: now) }

    private mutating func print(_ news: [BackoffReport.News], at now: Int64) {
        for news in news {
            log?.append(news, at: now)
            switch style {
            case .lines, .spoken: writer.append(plain.line(for: news, time: .now(), now: now), at: now)
            case .json: writer.append(json.line(for: news, time: .now(), now: now), at: now)
            // Whoever waits for a body would not know what for.
            case .errorsOnly: if news == .network(isGone: true) { printQuietly(news, at: now) }
            }
        }
    }

    private mutating func printQuietly(_ news: BackoffReport.News, at now: Int64) {
        guard !hasToldOffline else { return }
        hasToldOffline = true
        writer.append(plain.line(for: news, time: .now(), now: now), at: now)
    }

    /// Prints answers to what was typed, at once and behind whatever waits.
    mutating func print(_ answers: [SafeText], at time: Int64) {
        for answer in answers { writer.append(Array((answer + "\n").string.utf8), at: time) }
        writer.flush()
    }

    /// Prints and logs a sentence about something that went wrong beside the transfers.
    mutating func printComplaint(_ sentence: SafeText, at time: Int64) {
        log?.append(sentence, at: time)
        let line = Array(("netdash: " + sentence + "\n").string.utf8)
        if descriptor == STDERR_FILENO {
            writer.append(line, at: time)
        } else {
            // Nobody is left to tell when standard error is gone.
            _ = Descriptor.writeAll(line, to: STDERR_FILENO)
        }
    }

    /// Prints the last line.
    mutating func print(_ summary: RunSummary, wallTime: Timestamp, at time: Int64) {
        switch style {
        case .lines, .spoken: writer.append(plain.line(for: summary, time: wallTime), at: time)
        case .json: writer.append(json.line(for: summary, time: wallTime), at: time)
        case .errorsOnly: break
        }
    }

    /// Keeps back what is printed from here on until this number is released.
    mutating func hold(_ number: Int) { writer.hold(number) }

    /// Ends a hold.
    mutating func release(_ number: Int) { writer.release(number) }

    /// Writes everything that was printed so far.
    mutating func flush() { writer.flush() }

    /// Writes what has waited long enough.
    mutating func flushIfDue(at time: Int64) {
        writer.flushIfDue(at: time)
        log?.flushIfDue(at: time)
    }

    /// Writes everything; answers which lines found no place.
    mutating func close() -> [UnwrittenReport] {
        writer.close()
        let place = UnwrittenReport.name(ofStream: descriptor)
        return [writer.failure.map { UnwrittenReport(place: place, errno: $0) }, log?.close()].compactMap(\.self)
    }
}

/// Decides which progress reports of one transfer are worth printing.
struct ProgressGate: Sendable {
    /// The rule for how often progress is printed.
    enum Rule: Sendable {
        /// Every 10 seconds, or 10 % of the whole, whichever comes first.
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

    /// A gate of a transfer that starts at a moment, in milliseconds of the monotonic clock.
    init(rule: Rule, startedAt: Int64) {
        self.rule = rule
        lastTime = startedAt
    }

    /// Whether to print now; the gate remembers that it did.
    ///
    /// Nothing is printed when nothing moved, and lines leave the last byte to the line that says how it ended.
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

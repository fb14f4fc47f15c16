import Dashboard
import Glibc
import SessionSupport
import TransferService

/// An input list that was read and checked; its jobs are made on demand.
///
/// No transfer may begin before the complete list is known to be valid, and making a hundred thousand jobs takes time:
/// so the lines are checked first and become jobs later, a few at a time.
struct InputList: Sendable {
    private let bytes: [UInt8]
    private var parser: InputListParser
    private var position = 0
    private var hasEnded = false
    /// The position of the first line that is no ordinary URL; the lines before it need no second check.
    private let ordinaryEnd: Int
    /// The names of aria2's keys without a meaning here.
    let ignored: [String]

    /// Checks every line of a list, and throws the first problem, unless `refuse` collects them: then the jobs of wrong
    /// lines are left out.
    ///
    /// `check` receives the jobs that need a closer check than their own line, one after another: only one of the
    /// ordinary ones is among them, each with the number of a line. None is kept, because a list may have a million of them.
    init(
        _ bytes: [UInt8], name: String, source: ListSource = .user, dialect: ListDialect = .netdash, defaults: Job,
        directory: String? = nil, template: NameTemplate? = nil,
        refuse: (UsageError) throws(UsageError) -> Void = { (error) throws(UsageError) in throw error },
        check: (_ job: Job, _ line: Int) throws(UsageError) -> Void = { _, _ in }
    ) throws(UsageError) {
        self.bytes = bytes
        parser = InputListParser(
            name: name, source: source, dialect: dialect, defaults: defaults, directory: directory, template: template)
        var checker = parser
        func consider(_ entry: InputListParser.Entry?) throws(UsageError) {
            switch entry {
            case .job(let job): try check(job, checker.endedLine)
            case .failure(_, let error): try refuse(error)
            case nil: break
            }
        }
        var knowsOrdinary = false
        var firstOther: Int?
        var start = 0
        while start <= bytes.count {
            let end = Self.endOfLine(in: bytes, from: start)
            let isOrdinary = !checker.isTable && Self.isOrdinary(bytes, start..<end)
            let entry =
                isOrdinary && knowsOrdinary
                ? checker.skipOrdinary() : checker.consume(line: String(decoding: bytes[start..<end], as: UTF8.self))
            try consider(entry)
            if isOrdinary { knowsOrdinary = true } else { firstOther = firstOther ?? start }
            start = end + 1
        }
        try consider(checker.endJob())
        ignored = checker.ignored.sorted()
        ordinaryEnd = firstOther ?? bytes.count
    }

    /// At most `limit` next jobs; empty at the end.
    mutating func next(_ limit: Int) -> [Job] {
        var jobs: [Job] = []
        while jobs.count < limit, !hasEnded {
            var entry: InputListParser.Entry?
            if position <= bytes.count {
                let end = Self.endOfLine(in: bytes, from: position)
                let line = String(decoding: bytes[position..<end], as: UTF8.self)
                entry = position < ordinaryEnd ? parser.consume(ordinary: line) : parser.consume(line: line)
                position = end + 1
            } else {
                entry = parser.endJob()
                hasEnded = true
            }
            if case .job(let job) = entry { jobs.append(job) }
        }
        return jobs
    }

    /// Returns whether a line is an ordinary URL without options below it: checking one such job is enough for all.
    ///
    /// Options may follow a comment.
    private static func isOrdinary(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
        let next = line.upperBound + 1
        if next < bytes.count, [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "#")].contains(bytes[next]) {
            return false
        }
        return bytes.withUnsafeBufferPointer { URLText.isPlain($0[line]) }
    }

    private static func endOfLine(in bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            else { return bytes.count }
            return UnsafeRawPointer(found) - base
        }
    }
}

/// An input list that arrives on standard input during the run.
struct ArrivingList {
    private var parser: InputListParser
    private var lines = LineCollector()
    private var precedence = PrecedenceCheck()
    private let rules: HostRules
    private(set) var hasEnded = false

    init(
        dialect: ListDialect = .netdash, defaults: Job, directory: String? = nil, template: NameTemplate? = nil,
        rules: HostRules = HostRules()
    ) {
        self.rules = rules
        parser = InputListParser(
            name: ListUsage.standardInput, dialect: dialect, defaults: defaults, directory: directory,
            template: template)
    }

    /// Reads available bytes, and returns the complete jobs.
    ///
    /// Call it when standard input is readable.
    mutating func read() -> [InputListParser.Entry] {
        do throws(Descriptor.ReadError) {
            guard let bytes = try Descriptor.read(STDIN_FILENO, limit: 64 << 10) else { return [] }
            return add(bytes)
        } catch {
            return [breakOff(error)]
        }
    }

    /// Ends a list after a read error.
    ///
    /// The last job may lack options, so it is not begun; the failure replaces it.
    private mutating func breakOff(_ error: Descriptor.ReadError) -> InputListParser.Entry {
        hasEnded = true
        _ = lines.removeRest()
        let name = ListUsage.standardInput
        return .failure(url: name, UsageError(argument: "-i", ListUsage.notToTheEnd(name, error.text)))
    }

    /// Adds a chunk of the list, and returns the jobs that it completes; an empty chunk ends the list.
    mutating func add(_ bytes: [UInt8]) -> [InputListParser.Entry] {
        guard !bytes.isEmpty else {
            hasEnded = true
            let last = lines.removeRest().flatMap { parser.consume(line: $0) }.map { checked($0) }
            return [last, parser.endJob().map { checked($0) }].compactMap(\.self)
        }
        return lines.add(bytes).compactMap { line in parser.consume(line: line).map { checked($0) } }
    }

    /// A job that waits for one below it, or has the name of one above it, fails.
    private mutating func checked(_ entry: InputListParser.Entry) -> InputListParser.Entry {
        guard case .job(var job) = entry else { return entry }
        job = rules.applied(to: job)
        guard job.precedence != nil else { return .job(job) }
        do throws(PrecedenceCheck.Problem) {
            let label = "\(ListUsage.standardInput):\(parser.endedLine)"
            try precedence.addArriving(job.precedence, label: label)
            return .job(job)
        } catch {
            return .failure(url: job.url, UsageError(argument: error.label, error.sentence))
        }
    }
}

/// Jobs for the session, which are released once they are handed over.
///
/// A long list would otherwise stay in memory while the dashboard is open.
final class JobList: Sendable {
    private struct State: Sendable {
        var jobs: ArraySlice<Job>
        var lists: [InputList]
    }

    private let state: Locked<State>
    private let rules: HostRules

    init(_ jobs: [Job], _ lists: [InputList] = [], rules: HostRules = HostRules()) {
        self.rules = rules
        state = Locked(State(jobs: jobs[...], lists: lists))
    }

    /// Removes and returns at most `limit` next jobs; empty at the end.
    func next(_ limit: Int) -> [Job] {
        let jobs = taken(limit)
        return rules.applied(to: jobs)
    }

    private func taken(_ limit: Int) -> [Job] {
        state.withLock { state in
            var result = Array(state.jobs.prefix(limit))
            state.jobs.removeFirst(result.count)
            if state.jobs.isEmpty { state.jobs = [] }
            while result.count < limit, !state.lists.isEmpty {
                let found = state.lists[0].next(limit - result.count)
                if found.isEmpty { state.lists.removeFirst() }
                if result.isEmpty { result = found } else { result += found }
            }
            return result
        }
    }

    var isEmpty: Bool {
        state.withLock { state in
            while state.jobs.isEmpty, !state.lists.isEmpty {
                state.jobs = state.lists[0].next(1)[...]
                if state.jobs.isEmpty { state.lists.removeFirst() }
            }
            return state.jobs.isEmpty
        }
    }
}

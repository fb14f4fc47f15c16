import Dashboard
import Glibc

/// An input list that was read and found in order; its jobs are made when they are asked for.
///
/// Nothing may begin before the whole list is known to be good, and nobody wants to wait until a hundred thousand jobs
/// are made: so the lines are looked at first and become jobs later, a few at a time.
struct InputList: Sendable {
    private let bytes: [UInt8]
    private var parser: InputListParser
    private var position = 0
    private var hasEnded = false
    /// Where the first line stands that is no ordinary URL: those before it need no second look.
    private let ordinaryEnd: Int
    /// The jobs that need a closer look than their own line: all but one of the ordinary ones are left out.
    let notableJobs: [Job]

    /// Looks at every line of a list, and throws the first thing that is wrong in it.
    init(_ bytes: [UInt8], name: String, defaults: Job) throws(UsageError) {
        self.bytes = bytes
        parser = InputListParser(name: name, defaults: defaults)
        var checker = parser
        var notable: [Job] = []
        var knowsOrdinary = false
        var firstOther: Int?
        var start = 0
        while start <= bytes.count {
            let end = Self.endOfLine(in: bytes, from: start)
            let isOrdinary = Self.isOrdinary(bytes, start..<end)
            let entry =
                isOrdinary && knowsOrdinary
                ? checker.skipOrdinary() : checker.consume(line: String(decoding: bytes[start..<end], as: UTF8.self))
            if let job = try Self.job(of: entry) { notable.append(job) }
            if isOrdinary { knowsOrdinary = true } else { firstOther = firstOther ?? start }
            start = end + 1
        }
        if let job = try Self.job(of: checker.finish()) { notable.append(job) }
        notableJobs = notable
        ordinaryEnd = firstOther ?? bytes.count
    }

    /// The next jobs, so many at most; none when there are no more.
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
                entry = parser.finish()
                hasEnded = true
            }
            if case .job(let job) = entry { jobs.append(job) }
        }
        return jobs
    }

    private static func job(of entry: InputListParser.Entry?) throws(UsageError) -> Job? {
        switch entry {
        case .job(let job): return job
        case .failure(_, let error): throw error
        case nil: return nil
        }
    }

    /// Whether a line is an ordinary URL without options below it: what is true of one such job is true of all.
    ///
    /// Behind a comment there may be options.
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

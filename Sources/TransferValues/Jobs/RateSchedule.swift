/// A limit in bytes per second: one rate, or several that begin at times of the day or of the week.
///
/// Written as `512k`, `1.5M`, `off`, or as a timetable such as `08:00,512k 18:00,off`, whose times may start with a
/// day: `Sat-00:00,off`. A time without a day applies every day. Letters count in steps of 1024, as in curl and aria2.
package struct RateSchedule: Sendable, Equatable {
    /// A rate that applies from a minute of the week on.
    private struct Change: Sendable, Equatable {
        /// The minute of the week, from Monday, midnight.
        var minute: Int
        var rate: Int64?
    }

    /// A problem with a text, as a phrase that follows it.
    package struct Problem: Error, Sendable, Equatable {
        package let sentence: String

        init(sentence: String) { self.sentence = sentence }
    }

    package static let off = "off"
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let minutesOfDay = 24 * 60
    package static let minutesOfWeek = 7 * minutesOfDay
    /// Letters after a number, each 1024 times the one before.
    private static let letters: [Character] = ["k", "m", "g", "t"]
    private static let largest = Double(1 << 40)

    /// The changes in the order of the week; a single one always applies.
    private let changes: [Change]
    /// The text it was read from.
    package let words: String

    package init() { (changes, words) = ([Change(minute: 0, rate: nil)], Self.off) }

    package init(_ text: String) throws(Problem) {
        let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
        self.words = words.joined(separator: " ")
        guard text.contains(",") else {
            guard words.count == 1 else {
                throw Problem(sentence: RateUsage.notTimetable)
            }
            changes = [Change(minute: 0, rate: try Self.rate(words[0]))]
            return
        }
        var changes: [Int: (rate: Int64?, isOfOneDay: Bool)] = [:]
        for word in words {
            let (minutes, rate) = try Self.entry(word)
            for minute in minutes {
                let isOfOneDay = minutes.count == 1
                if let other = changes[minute], other.isOfOneDay == isOfOneDay {
                    throw Problem(sentence: RateUsage.twice(word))
                }
                // The time of one day wins over the time of every day.
                if isOfOneDay || changes[minute] == nil { changes[minute] = (rate, isOfOneDay) }
            }
        }
        self.changes = changes.map { Change(minute: $0.key, rate: $0.value.rate) }.sorted { $0.minute < $1.minute }
    }

    package var isTimed: Bool { changes.count > 1 }

    /// The rate at a minute of the week; nil for no limit.
    package func rate(at minute: Int) -> Int64? {
        // Before the first change of the week, the last one of the week before applies.
        (changes.last { $0.minute <= minute } ?? changes.last)?.rate
    }

    /// Minutes from a minute of the week until the next change; nil where nothing changes.
    package func minutesUntilChange(after minute: Int) -> Int? {
        guard isTimed, let first = changes.first else { return nil }
        let next = changes.first { $0.minute > minute }?.minute ?? first.minute + Self.minutesOfWeek
        return next - minute
    }

    /// A rate in bytes per second: a number, optionally with a letter; nil for `off` and `0`.
    package static func rate(_ text: String) throws(Problem) -> Int64? {
        var number = text.lowercased()
        if number == off || number == "0" { return nil }
        for ending in ["/s", "ib", "b"] where number.hasSuffix(ending) { number.removeLast(ending.count) }
        var factor = 1.0
        if let letter = number.last, let power = letters.firstIndex(of: letter) {
            number.removeLast()
            for _ in 0...power { factor *= 1024 }
        }
        let isPlain = !number.isEmpty && number.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
        // A part of a byte is most likely a number without its letter.
        guard factor > 1 || !number.contains(".") else { throw Problem(sentence: RateUsage.fraction) }
        guard isPlain, let value = Double(number), value * factor >= 1, value * factor <= largest else {
            throw Problem(sentence: RateUsage.notRate)
        }
        return Int64(value * factor)
    }

    package static func words(of rate: Int64?) -> String {
        guard let rate else { return off }
        var value = rate
        var letter = ""
        for next in letters where value >= 1024 && value.isMultiple(of: 1024) {
            value /= 1024
            letter = next == "k" ? "k" : next.uppercased()
        }
        return "\(value)\(letter)"
    }

    /// The minutes of the week and the rate of a timetable's entry.
    private static func entry(_ word: String) throws(Problem) -> (minutes: [Int], rate: Int64?) {
        let problem = Problem(sentence: RateUsage.notTime(word))
        let parts = word.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw problem }
        var time = parts[0]
        var day: Int?
        if let dash = time.firstIndex(of: "-") {
            day = days.firstIndex(of: time[..<dash].lowercased())
            guard day != nil else { throw problem }
            time = time[time.index(after: dash)...]
        }
        let digits = time.split(separator: ":", omittingEmptySubsequences: false)
        guard digits.count == 2, digits.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hour = Int(digits[0]), let minute = Int(digits[1]), hour < 24, minute < 60
        else { throw problem }
        let first = hour * 60 + minute
        let all = day.map { [$0] } ?? Array(days.indices)
        return (all.map { $0 * minutesOfDay + first }, try rate(String(parts[1])))
    }
}

/// The limits of a run, each with its times.
package struct RatePlan: Sendable, Equatable, Codable {
    /// The limits of all received and of all sent bytes.
    package var download = RateSchedule()
    package var upload = RateSchedule()
    /// The limit of one server, separately for each direction.
    package var perHost = RateSchedule()
    /// The limit of one transfer, separately for each direction.
    package var perTask = RateSchedule()

    package init() {}

    package var isTimed: Bool { [download, upload, perHost, perTask].contains { $0.isTimed } }

    /// The most minutes between two reads of a timetable: clocks are set, and summer time begins.
    private static let longestWait = 10

    /// Milliseconds until the timetable is read again, when its next change is `minutes` away.
    ///
    /// - Parameter intoMinute: milliseconds of this minute that have passed.
    package static func millisecondsUntilCheck(changeIn minutes: Int, intoMinute: Int64) -> Int64 {
        max(Int64(min(minutes, longestWait)) * 60_000 - intoMinute, 1)
    }

    /// Minutes from a minute of the week until the next change; nil where nothing changes.
    package func minutesUntilChange(after minute: Int) -> Int? {
        [download, upload, perHost, perTask].compactMap { $0.minutesUntilChange(after: minute) }.min()
    }
}

/// The limit of one task in one direction.
package enum OwnRate: Sendable, Equatable, Codable, ExpressibleByIntegerLiteral {
    /// No limit, even where the run limits each task.
    case off
    case bytesPerSecond(Int64)

    /// Creates a limit from bytes per second; nil means no limit.
    package init(_ rate: Int64?) { self = rate.map { .bytesPerSecond($0) } ?? .off }

    package init(integerLiteral rate: Int64) { self = .bytesPerSecond(rate) }

    /// Bytes per second; nil for no limit.
    package var rate: Int64? { if case .bytesPerSecond(let rate) = self { rate } else { nil } }
}

/// The limits of one task; a direction without one follows the run's.
package struct TaskRates: Sendable, Equatable, Codable {
    package var download: OwnRate?
    package var upload: OwnRate?

    package init(download: OwnRate? = nil, upload: OwnRate? = nil) {
        (self.download, self.upload) = (download, upload)
    }
}

extension RateSchedule: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(Problem) {
            try self.init(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.sentence)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(words)
    }
}

/// The limits in force at the moment, in bytes per second; nil for no limit.
package struct RatesInForce: Sendable, Equatable, Codable {
    package var download: Int64?
    package var upload: Int64?
    package var perHost: Int64?
    package var perTask: Int64?

    package init() {}

    /// The limits of a plan at a minute of the week.
    package init(_ plan: RatePlan, at minute: Int) {
        download = plan.download.rate(at: minute)
        upload = plan.upload.rate(at: minute)
        perHost = plan.perHost.rate(at: minute)
        perTask = plan.perTask.rate(at: minute)
    }
}

/// Parses typed limits: one rate, two, or a timetable.
extension RatePlan {
    /// The plan with other limits; a single rate or a timetable limits downloads.
    ///
    /// A typed rate that is already in force keeps its timetable.
    package func changed(by text: String, inForce bounds: RatesInForce? = nil) throws(RateSchedule.Problem) -> RatePlan
    {
        var plan = self
        guard !text.contains(",") else {
            plan.download = try RateSchedule(text)
            return plan
        }
        let rates = try TypedRates(text)
        if bounds == nil || rates.first != bounds?.download {
            plan.download = try RateSchedule(RateSchedule.words(of: rates.first))
        }
        if let upload = rates.second, bounds == nil || upload.rate != bounds?.upload {
            plan.upload = try RateSchedule(RateSchedule.words(of: upload.rate))
        }
        return plan
    }

    /// Returns whether a typed text limits uploads.
    package static func namesUploads(_ text: String) -> Bool { (try? TypedRates(text))?.second != nil }
}

extension TaskRates {
    /// Reads one rate or two; a single one limits the direction in which the tasks move, and leaves the other direction
    /// to the run's limit.
    package init(_ text: String, for kinds: [Job.Kind]) throws(RateSchedule.Problem) {
        let rates = try TypedRates(text)
        guard rates.second == nil else {
            self.init(download: OwnRate(rates.first), upload: rates.second.map { OwnRate($0.rate) })
            return
        }
        let uploads = kinds.count { $0 == .upload }
        self.init(
            download: uploads > 0 && uploads == kinds.count ? nil : OwnRate(rates.first),
            upload: uploads == 0 ? nil : OwnRate(rates.first))
    }
}

/// One rate or two; nil stands for no limit.
private struct TypedRates {
    var first: Int64?
    var second: (rate: Int64?, Void)?

    init(_ text: String) throws(RateSchedule.Problem) {
        let words = text.split(separator: " ").map(String.init)
        guard let word = words.first, words.count <= 2 else {
            throw RateSchedule.Problem(sentence: RateUsage.notTwoRates)
        }
        first = try RateSchedule.rate(word)
        if words.count > 1 { second = (try RateSchedule.rate(words[1]), ()) }
    }
}

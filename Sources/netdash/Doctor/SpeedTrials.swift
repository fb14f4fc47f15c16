import Dashboard
import TransferService

/// Decides which samples of a file tell its speed, and what they mean.
struct SpeedTrials: Sendable, Equatable {
    /// The bounds of one sample.
    struct Bounds: Equatable {
        var bytes: Int64
        var seconds: Double
    }

    private typealias Words = ServerTrialFindings
    private static let counts = [1, 2, 4, 8]
    /// A file of this size or less is downloaded over one connection.
    private static let leastLength: Int64 = 8 << 20
    /// More connections must give a tenth more speed to be worth their load on the server.
    private static let gain = 1.1

    /// The length of a file that the server sends in ranges; nil for any other.
    let length: Int64?
    private(set) var samples: [ServerSample] = []

    init(length: Int64?) { self.length = length }

    /// The next number of connections; nil when enough is known.
    var next: Int? {
        guard let last = samples.last else { return Self.counts[0] }
        guard let length, length > Self.leastLength, last.rate != nil, last.failures == 0,
            samples.count < Self.counts.count
        else { return nil }
        return Self.counts[samples.count]
    }

    /// The bounds of the next sample; the first is all that a server without ranges is asked.
    var bounds: Bounds {
        samples.isEmpty ? Bounds(bytes: 8 << 20, seconds: 3) : Bounds(bytes: 16 << 20, seconds: 2)
    }

    mutating func add(_ sample: ServerSample) { samples.append(sample) }

    /// The values of Range fields that divide the file; no field for one connection.
    func ranges(_ connections: Int) -> [String?] {
        guard connections > 1, let length else { return [nil] }
        let share = length / Int64(connections)
        return (0..<Int64(connections)).map { "bytes=\($0 * share)-\(($0 + 1) * share - 1)" }
    }

    /// The fewest connections that are about as fast as any number; nil without a rate.
    var best: Int? {
        let rates = samples.filter { $0.failures == 0 }.compactMap { sample in
            sample.rate.map { (connections: sample.connections, rate: $0) }
        }
        guard let highest = rates.map(\.rate).max() else { return nil }
        return rates.first { $0.rate * Self.gain >= highest }?.connections
    }

    /// The finding about one connection; nil before its sample.
    var speed: Finding? {
        guard let first = samples.first else { return nil }
        guard let rate = first.rate else {
            return first.bytes == 0
                ? .note("speed", Words.noSample, advice: Words.tryAgain)
                : Finding(topic: "speed", fact: Words.tooShort(SizeText.long(first.bytes)))
        }
        return Finding(topic: "speed", fact: Words.speed(SizeText.longRate(rate), SizeText.long(first.bytes)))
    }

    /// The finding about several connections; nil where one sample was all.
    var connections: Finding? {
        guard samples.count > 1, let best else { return nil }
        let rates = samples.compactMap { sample in
            sample.failures > 0 ? nil : sample.rate.map { Words.rate(sample.connections, SizeText.longRate($0)) }
        }
        let topic: SafeText = "connections"
        guard let last = samples.last, last.failures > 0 else {
            return Finding(topic: topic, fact: Words.fastest(best, rates.joined(by: ", ")))
        }
        let refused = Words.refused(last.failures, of: last.connections)
        let most = samples.last { $0.failures == 0 }?.connections ?? 1
        return .note(topic, refused, advice: Words.limit(most))
    }
}

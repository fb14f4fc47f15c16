import Testing

@testable import TransferService
@testable import netdash

/// Which samples of a file are taken, and what their speeds mean.
@Suite("Trials of a server's speed", .timeLimit(.minutes(1)))
struct SpeedTrialsTests {
    private static let large: Int64 = 64 << 20

    private static func sample(_ connections: Int, rate: Double?, failures: Int = 0) -> ServerSample {
        var sample = ServerSample(connections: connections)
        (sample.bytes, sample.rate, sample.failures) = (1_000_000, rate, failures)
        return sample
    }

    private static func trials(_ rates: [Double], length: Int64? = large) -> SpeedTrials {
        var trials = SpeedTrials(length: length)
        for rate in rates {
            guard let connections = trials.next else { break }
            trials.add(sample(connections, rate: rate))
        }
        return trials
    }

    @Test("One, two, four and eight connections are tried, and no more")
    func counts() {
        let trials = Self.trials([1, 2, 3, 4, 5])
        #expect(trials.samples.map(\.connections) == [1, 2, 4, 8])
        #expect(trials.next == nil)
    }

    @Test(
        "A file without ranges, or one too small to divide, is tried over one connection",
        arguments: [nil, 0, 8 << 20])
    func single(length: Int64?) {
        let trials = Self.trials([1, 2], length: length)
        #expect(trials.samples.map(\.connections) == [1])
        #expect(trials.connections == nil && trials.speed?.verdict == .good)
    }

    @Test("The first sample is bounded by 8 MiB and 3 seconds, each further one by 16 MiB and 2 seconds")
    func bounds() {
        #expect(SpeedTrials(length: Self.large).bounds == SpeedTrials.Bounds(bytes: 8 << 20, seconds: 3))
        #expect(Self.trials([1]).bounds == SpeedTrials.Bounds(bytes: 16 << 20, seconds: 2))
    }

    @Test("Ranges divide the file without a gap, and one connection needs none")
    func ranges() {
        let trials = SpeedTrials(length: 9 << 20)
        #expect(trials.ranges(1) == [nil])
        #expect(trials.ranges(2) == ["bytes=0-4718591", "bytes=4718592-9437183"])
        #expect(trials.ranges(8).count == 8)
    }

    @Test(
        "The fewest connections count that are about as fast as any",
        arguments: [
            ([1e6, 2e6, 4e6, 8e6], 8), ([1e6, 1e6, 1e6, 1e6], 1), ([1e6, 2e6, 2.1e6, 2e6], 2),
            ([2e6, 1e6, 1e6, 1e6], 1),
            ([1e6, 1.05e6, 1.2e6, 1.2e6], 4),
        ])
    func best(rates: [Double], connections: Int) {
        let trials = Self.trials(rates)
        #expect(trials.best == connections)
        let words = connections == 1 ? "1 connection is enough" : "\(connections) connections are enough"
        #expect(trials.connections?.fact.string.contains(words) == true)
    }

    @Test("Refused connections end the trials, and the advice is the number before")
    func refused() throws {
        var trials = Self.trials([1e6, 2e6])
        trials.add(Self.sample(4, rate: 2e6, failures: 3))
        #expect(trials.next == nil)
        let finding = try #require(trials.connections)
        #expect(finding.verdict == .note && finding.fact.string == "3 of 4 connections refused")
        #expect(finding.advice.string.contains("-x 2"))
    }

    @Test("A body that ends at once has no speed, and one without a byte is a note")
    func unmeasured() {
        var short = SpeedTrials(length: Self.large)
        short.add(Self.sample(1, rate: nil))
        #expect(short.next == nil && short.speed?.verdict == .good)
        #expect(short.speed?.fact.string.contains("too short") == true)
        var empty = SpeedTrials(length: nil)
        empty.add(ServerSample(connections: 1))
        #expect(empty.speed?.verdict == .note)
    }
}

/// How connections that run at the same time are measured.
@Suite("A meter of a server's speed", .timeLimit(.minutes(1)))
struct ServerMeterTests {
    private static let second: Int64 = 1_000_000_000

    @Test("The rate counts what comes after the first piece, up to the last one")
    func rate() {
        var meter = ServerMeter(connections: 2, limit: 1_000_000)
        meter.receive(5_000, at: 10 * Self.second)
        meter.receive(1_000, at: 11 * Self.second)
        meter.receive(3_000, at: 12 * Self.second)
        meter.end(true)
        meter.end(true)
        #expect(meter.isOver)
        #expect(meter.sample.bytes == 9_000)
        #expect(meter.sample.rate == 2_000)
        #expect(meter.sample.failures == 0)
    }

    @Test("Enough bytes end it; what ends or arrives after that does not count")
    func limit() {
        var meter = ServerMeter(connections: 2, limit: 4_000)
        meter.receive(2_000, at: 0)
        #expect(!meter.isOver)
        meter.receive(2_000, at: Self.second)
        #expect(meter.isOver)
        meter.receive(2_000, at: 2 * Self.second)
        meter.end(false)
        meter.end(false)
        #expect(meter.sample.bytes == 4_000 && meter.sample.rate == 2_000 && meter.sample.failures == 0)
        #expect(meter.running == 0)
    }

    @Test("Silence until the time is over counts")
    func silence() {
        var meter = ServerMeter(connections: 1, limit: 1_000_000)
        meter.receive(1_000, at: 0)
        meter.receive(1_000, at: 1_000)
        meter.stop(at: 2 * Self.second)
        #expect(meter.sample.rate == 500)
    }

    @Test("A connection that breaks before the stop is a failure, and a moment has no rate")
    func failures() {
        var meter = ServerMeter(connections: 1, limit: 1_000_000)
        meter.receive(1_000, at: 0)
        meter.end(false)
        #expect(meter.isOver && meter.sample.failures == 1 && meter.sample.rate == nil)
    }
}

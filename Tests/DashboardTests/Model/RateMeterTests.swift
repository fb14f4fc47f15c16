import Testing

@testable import Dashboard

@Suite("The speed of a row")
struct RateMeterTests {
    /// 200,000 bytes a second that come in a burst every quarter of a second, sampled every so many milliseconds.
    @Test("The shown speed is of the last two seconds, however often it is sampled", arguments: [5, 40, 250, 500])
    func layout(interval: Int64) {
        var meter = RateMeter(bytes: 0, now: 0)
        for time in stride(from: interval, through: 6_000, by: Int(interval)) {
            meter.sample(bytes: 50_000 * (Int64(time) / 250), now: Int64(time))
            guard time >= 2_500 else { continue }
            #expect((160_000...240_000).contains(meter.shown), "\(meter.shown) after \(time) ms")
        }
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("The rates of a row's latest seconds", .timeLimit(.minutes(1)))
struct RecentRatesTests {
    @Test("A second has its latest rate, and eight seconds are kept, newest last")
    func ring() {
        var rates = RecentRates()
        #expect(rates.values.isEmpty)
        rates.record(7, at: 0)
        #expect(rates.values == [7])
        for half in 1..<30 { rates.record(Double(half), at: Int64(half) * 500) }
        #expect(rates.values == [15, 17, 19, 21, 23, 25, 27, 29])
        rates.record(40, at: 60_000)
        #expect(rates.values.suffix(2) == [29, 40] && rates.values.count == RecentRates.length)
    }

    @Test("A meter keeps them while its row runs, and begins again with a transfer that restarts")
    func meter() {
        var meter = RateMeter(bytes: 0, now: 0)
        #expect(meter.recent.isEmpty)
        for second in 1...3 { meter.sample(bytes: Int64(second) * 1000, now: Int64(second) * 1000) }
        #expect(meter.recent == [1000, 1000, 1000])
        meter.sample(bytes: 10, now: 4000)
        #expect(meter.recent.isEmpty)
    }

    private static func lines(width: Int) throws -> [Substring] {
        let size = Size(columns: width, rows: 40)
        let scene = try #require(GoldenScenes.all.first { $0.name == "rates" })
        let surface = view(scene.build(size), size: size, capabilities: ViewCapabilities())
        return GoldenFiles.text(of: surface).split(separator: "\n")
    }

    @Test("A wide window has a curve in the lines of running rows and in no other", arguments: [159, 160])
    func curves(width: Int) throws {
        let lines = try Self.lines(width: width)
        let curve = /[▁▂▃▄▅▆▇█]{4,8} +\S+ +running/
        #expect(lines.contains { $0.contains("RECENT") } == (width == 160))
        for (name, isRunning) in [("faster.iso", true), ("slower.iso", true), ("waiting.iso", false)] {
            let line = try #require(lines.first { $0.contains(name) && $0.contains("h.example") })
            #expect(line.contains(curve) == (isRunning && width == 160), "\(line)")
        }
    }

    @Test("A faster row's curve rises to its end, and a slower one's falls")
    func slopes() throws {
        let lines = try Self.lines(width: 160)
        func curve(of name: String) throws -> Substring {
            let line = try #require(lines.first { $0.contains(name) && $0.contains("h.example") })
            return try #require(line.firstMatch(of: /([▁▂▃▄▅▆▇█]{4,8}) +\S+ +running/)).1
        }
        #expect(try curve(of: "faster.iso").last == "█" && curve(of: "slower.iso").first == "█")
        #expect(try curve(of: "faster.iso").first != "█" && curve(of: "slower.iso").last != "█")
    }
}

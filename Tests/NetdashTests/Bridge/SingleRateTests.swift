import DashboardTestSupport
import SessionSupport
import Testing

@testable import TransferService
@testable import TransferValues
@testable import netdash

/// A limit that a script sets leaves the others in force.
@Suite("One limit of several", .timeLimit(.minutes(1)))
struct SingleRateTests {
    @Test("The limit of downloads changes without the ones of uploads, hosts and tasks")
    func service() throws {
        let (download, upload, other) = (try RateSchedule("1M"), try RateSchedule("30k"), try RateSchedule("60k"))
        let fixture = try BridgeFixture {
            $0.rates.upload = upload
            ($0.rates.perHost, $0.rates.perTask) = (other, other)
        }
        defer { fixture.end() }
        for rate in [download, RateSchedule()] {
            fixture.bridge.send(.setDownloadRate(rate))
            let plan = fixture.bridge.state.withLock(\.rates)
            #expect(plan.download == rate && plan.upload == upload)
            #expect(plan.perHost == other && plan.perTask == other)
        }
    }

    @Test("The limit of a task's download changes without the one of its upload")
    func task() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        var job = fixture.job(.download, "/f")
        job.startsPaused = true
        job.rates = TaskRates(download: nil, upload: 1_024)
        let id = try #require(fixture.bridge.send(.add([job])).added.first)
        fixture.bridge.send(.limitDownloads([id], 2_048))
        #expect(fixture.bridge.state.withLock { $0.ownRates[id] } == TaskRates(download: 2_048, upload: 1_024))
        fixture.bridge.send(.limitDownloads([id], .off))
        #expect(fixture.bridge.state.withLock { $0.ownRates[id] } == TaskRates(download: .off, upload: 1_024))
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Pausing until the wire is quiet")
struct UpdatePausingTests {
    private func model(_ change: (inout RowSnapshot) -> Void) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 120, rows: 36)))
        _ = update(&model, .clock(1000))
        send(&model, change)
        return model
    }

    private func send(_ model: inout Model, _ change: (inout RowSnapshot) -> Void) {
        var row = RowSnapshot(id: 1, kind: .upload, name: "up.bin", url: "http://a/")
        row.expected = 10_000_000
        change(&row)
        _ = update(&model, .rows([row]))
    }

    private func text(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
    }

    @Test("A row says that it is pausing and how much is still under way, and counts as paused")
    func pausing() {
        var model = model {
            $0.state = .pausing
            ($0.sent, $0.inFlight) = (2_000_000, 1_500_000)
        }
        #expect(text(model).contains(" - pausing"), "the bytes in flight are no time left")
        #expect(text(model).contains(DetailsLines.pausing("1.4 MiB").string))
        #expect(text(model).contains("paused 1"))
        #expect(update(&model, .key(.character("r"))) == [.send(.resume([1]))])
        #expect(update(&model, .key(.character("R"))) == [.send(.resume([1]))])
        #expect(update(&model, .key(.character("p"))).isEmpty)
    }

    @Test("What arrives while it is pausing is shown, and what its connection had when it ended; neither has a speed")
    func arrivals() {
        var model = model {
            $0.state = .pausing
            $0.sent = 1000
        }
        send(&model) {
            $0.state = .pausing
            $0.sent = 2000
        }
        #expect(model.rows[1]?.moved == 2000)
        send(&model) {
            $0.state = .paused
            $0.sent = 2500
        }
        send(&model) {
            $0.state = .paused
            $0.sent = 9000
        }
        #expect(model.rows[1]?.moved == 9000)
        #expect(model.rows.counts.moved == 9000)
        _ = update(&model, .clock(5_000))
        #expect(model.rates.up == 0)
    }
}

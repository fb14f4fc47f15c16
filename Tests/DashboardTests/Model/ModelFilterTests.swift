import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("The filter language")
struct ModelFilterTests {
    private func row(
        _ state: RowState = .running, kind: Job.Kind = .download, host: SafeText = "dl.example.net",
        size: Int64? = 2 << 30
    ) -> RowSnapshot {
        var row = RowSnapshot(id: 1, kind: kind, name: "a.iso", url: "http://x/")
        row.state = state
        row.host = host
        row.expected = size
        return row
    }

    @Test("Words are text; conditions must all hold")
    func conditions() {
        let filter = FilterExpression("Big state:fail ISO host:EXAMPLE size>1g size<3G kind:down")
        #expect(filter.needle == Array("big iso".utf8))
        #expect(filter.problem == nil)
        #expect(filter.holds(for: row(.failed)))
        #expect(!filter.holds(for: row(.running)))
        #expect(!filter.holds(for: row(.failed, kind: .upload)))
        #expect(!filter.holds(for: row(.failed, host: "other.org")))
        #expect(!filter.holds(for: row(.failed, size: 1 << 30)))
        #expect(!filter.holds(for: row(.failed, size: 3 << 30)))
    }

    @Test("Several states may be named")
    func severalStates() {
        let filter = FilterExpression("state:paused state:queued")
        #expect(filter.holds(for: row(.paused)) && filter.holds(for: row(.queued)) && !filter.holds(for: row(.done)))
    }

    @Test(
        "A condition that makes no sense is named",
        arguments: [
            "state:lost", "kind:x", "size>", "size>1x", "size<-1", "size>nan", "state:", "stte:failed", "size:5M",
            "hots:x",
        ])
    func problems(text: String) {
        #expect(FilterExpression(text).problem != nil)
    }

    @Test("Text with a colon that is no condition is text", arguments: ["http://a", "12:30", "name:x", "ghost:8080"])
    func plainColons(text: String) {
        #expect(FilterExpression(text).needle == Array(text.utf8))
    }

    @Test("The prompt shows the error and the table goes on")
    func promptShowsProblem() {
        let size = Size(columns: 80, rows: 24)
        var model = GoldenScenes.start(size, rows: GoldenRows.mockUp)
        for key in "/state:nope".map(KeyPress.character) { _ = update(&model, .key(key)) }
        let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
        #expect(text.contains("state: running retrying queued"))
        #expect(model.rows.shownCount == 13)
    }

    @Test("The filter's words are completed as far as that is certain")
    func completion() {
        func complete(_ text: String) -> String? {
            FilterCompletion.complete(text, hosts: { ["a.example", "a.example", "api.example"] })
        }
        #expect(complete("st") == "state:")
        #expect(complete("iso state:fa") == "iso state:failed ")
        #expect(complete("state:r") == nil)
        #expect(complete("kind:u") == "kind:upload ")
        #expect(complete("host:ap") == "host:api.example ")
        #expect(complete("host:") == "host:a")
        #expect(complete("s") == nil)
        #expect(complete("si") == "size")
        #expect(complete("iso") == nil)
        #expect(complete("") == nil)
    }
}

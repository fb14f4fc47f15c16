import Testing

@testable import Dashboard

@Suite("Title and taskbar")
struct WindowStatusTests {
    /// A model with one row a state, each at 250 of 1,000 bytes.
    private static func model(_ states: RowState...) -> Model {
        var model = Model()
        _ = update(&model, .clock(1))
        let rows = states.enumerated().map { index, state in
            var row = RowSnapshot(id: UInt64(index + 1), kind: .download, name: "a.iso", url: "http://a/")
            row.state = state
            row.received = 250
            row.expected = 1000
            return row
        }
        _ = update(&model, .rows(rows))
        _ = update(&model, .clock(2000))
        return model
    }

    @Test("The title says how far what is under way, and nothing but the name on an idle screen")
    func titles() {
        #expect(WindowStatus(Model()).title.string == "netdash")
        #expect(WindowStatus(Self.model(.done)).title.string == "netdash")
        #expect(WindowStatus(Self.model(.running)).title.string == "25% a.iso - netdash")
        #expect(WindowStatus(Self.model(.running, .running, .queued)).title.string == "25% 2 tasks - netdash")
        #expect(WindowStatus(Self.model(.running, .failed)).title.string.hasSuffix("a.iso 1 failed - netdash"))
    }

    @Test("A session that the user has named is in the title, for windows that have no other place for it")
    func session() {
        var model = Self.model(.running)
        model.sessionName = "nightly"
        #expect(WindowStatus(model).title.string == "25% a.iso - netdash")
        model.hasNamedSession = true
        #expect(WindowStatus(model).title.string == "25% a.iso - netdash nightly")
    }

    @Test("The progress is the percent of everything, paused when only that is left, and none when idle")
    func progress() {
        #expect(WindowStatus(Model()).progress == .none)
        #expect(WindowStatus(Self.model(.done, .failed)).progress == .none)
        #expect(WindowStatus(Self.model(.running)).progress == .percent(25))
        #expect(WindowStatus(Self.model(.paused)).progress == .paused(25))
        var model = Self.model(.running)
        var row = model.rows[1] ?? RowSnapshot(id: 1, kind: .data, name: "", url: "")
        row.expected = nil
        _ = update(&model, .rows([row]))
        _ = update(&model, .clock(4000))
        #expect(WindowStatus(model).progress == .unknown)
    }
}

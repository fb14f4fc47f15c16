import Testing

@testable import Dashboard

@Suite("Tasks that their hours have paused")
struct UpdateHeldTests {
    private func row(_ id: UInt64, opensAt minute: Int16?) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "row" + SafeText(id), url: "http://a/")
        row.state = .paused
        if let minute { row.opening = WaitMoment(rawValue: minute) }
        return row
    }

    private func commands(_ model: inout Model, _ key: KeyPress) -> [TransferCommand] {
        update(&model, .key(key)).compactMap { if case .send(let command) = $0 { command } else { nil } }
    }

    @Test("Their user can pause them, one and all, and a pause of the user's own stays alone", arguments: [2, 300])
    func paused(count: UInt64) {
        let rows = (1...count).map { row($0, opensAt: $0 == 1 ? 600 : nil) }
        for key: KeyPress in [.character("p"), .character("P")] {
            var model = Model.showing(rows)
            #expect(commands(&model, key) == [.pause([1])])
            #expect(model.toasts.current?.text.string.contains("Paused 1 task") == true)
        }
        var model = Model.showing(Array(rows.dropFirst()))
        #expect(commands(&model, .character("p")) == [] && commands(&model, .character("P")) == [])
    }
}

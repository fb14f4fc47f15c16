import Testing

@testable import Dashboard

@Suite("How many run at once")
struct UpdateLimitTests {
    private func press(_ model: inout Model, _ keys: String) -> [Effect] {
        keys.flatMap { update(&model, .key(.character($0))) }
    }

    @Test(
        "Limits grow and shrink one by one where that matters, and in larger steps where it does not",
        arguments: [
            (5, 1, 6), (5, -1, 4), (1, -1, 1), (16, 1, 20), (20, -1, 16), (17, 1, 20), (17, -1, 16), (1000, 1, 1000),
            (900, 1, 1000), (900, -1, 768),
        ])
    func steps(limit: Int, steps: Int, next: Int) {
        #expect(TransferLimits.next(limit, by: steps) == next)
    }

    @Test("Keys change the limits at once, and say how they are")
    func keys() {
        var model = Model()
        #expect(press(&model, ")") == [.send(.setLimits(TransferLimits(all: 6, perHost: 16)))])
        #expect(model.toasts.current?.text == LimitToasts.counts(6, perHost: 16))
        #expect(
            press(&model, "((") == [
                .send(.setLimits(TransferLimits(all: 5))), .send(.setLimits(TransferLimits(all: 4))),
            ])
        #expect(press(&model, "{") == [.send(.setLimits(TransferLimits(all: 4, perHost: 15)))])
        #expect(press(&model, "}") == [.send(.setLimits(TransferLimits(all: 4, perHost: 16)))])
        #expect(press(&model, "((((").count == 3)
        #expect(model.toasts.current?.text == LimitToasts.minimum(LimitToasts.counts(1, perHost: 16)))
    }

    @Test("Fewer than are running says that those go on")
    func lowering() {
        var model = Model()
        let rows = (1...UInt64(5)).map { id in
            var row = RowSnapshot(id: id, kind: .download, name: "f", url: "http://a/")
            row.state = .running
            return row
        }
        _ = update(&model, .rows(rows))
        _ = press(&model, "(")
        #expect(model.toasts.current?.text == LimitToasts.runningContinue(LimitToasts.counts(4, perHost: 16)))
    }

    @Test("The options change them too, and save what was changed for the next run")
    func options() throws {
        var model = Model()
        _ = press(&model, "o")
        let line = try #require(OptionsMenu.items(model.options).firstIndex(of: .limit))
        #expect(press(&model, String(repeating: "j", count: line) + "l") == [.send(.setLimits(TransferLimits(all: 6)))])
        #expect(press(&model, "jh") == [.send(.setLimits(TransferLimits(all: 6, perHost: 15)))])
        #expect(
            press(&model, "s") == [
                .saveSettings([
                    SettingLine(name: "max-concurrent", value: "6"), SettingLine(name: "max-per-host", value: "15"),
                ])
            ])
    }
}

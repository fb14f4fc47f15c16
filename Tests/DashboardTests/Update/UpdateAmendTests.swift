import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView
@testable import TransferValues

@Suite("Changing several tasks at once")
struct UpdateAmendTests {
    private static let states: [RowState] = [.failed, .paused, .running, .done, .queued, .verifying]

    /// A row of each state, all of them marked.
    private func model(marked: Bool = true) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 100, rows: 30)))
        let rows = Self.states.enumerated().map { index, state in
            var row = RowSnapshot(id: UInt64(index) + 1, kind: .download, name: "f", url: "https://h/f")
            row.host = "h"
            row.state = state
            return row
        }
        _ = update(&model, .rows(rows))
        if marked { _ = press(&model, "A") }
        return model
    }

    private var ids: [UInt64] { Self.states.indices.map { UInt64($0) + 1 } }

    private func press(_ model: inout Model, _ text: String, then keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    private func prompt(of model: Model) throws -> Prompt {
        guard case .prompt(let prompt) = model.overlay else { throw NoPrompt() }
        return prompt
    }

    private struct NoPrompt: Error {}

    @Test("e asks for settings of all marked tasks or of a group, and sends them as one command")
    func asks() throws {
        let line = "user=me:new; dir=/data"
        let amendment = try JobAmendment(line, defaults: Job(kind: .download, url: ""))
        var model = model()
        #expect(press(&model, "e").isEmpty)
        #expect(try prompt(of: model).purpose == .amend(ids))
        let effects = press(&model, line, then: .enter)
        #expect(model.overlay == nil)
        #expect(effects == [.send(.amend(ids, amendment))])

        model = self.model(marked: false)
        _ = press(&model, "&", then: .home)
        #expect(press(&model, "e").isEmpty)
        guard case .amend(let asked) = try prompt(of: model).purpose else { throw NoPrompt() }
        #expect(asked.sorted() == ids)
        _ = press(&model, "", then: .escape)
        #expect(model.overlay == nil)
        model = self.model(marked: false)
        _ = press(&model, "", then: .home)
        let first = try #require(model.current?.id)
        #expect(press(&model, " e") == [.edit(first)])
    }

    @Test("A wrong line is told below the prompt, which stays")
    func wrong() throws {
        var model = model()
        model.variables = []
        for (line, problem) in [
            ("colour=red", OptionLineErrors.unknown("colour")), ("", AmendmentErrors.empty),
            ("user=me:@env:NONE", FormErrors.variableUnset("user", "NONE")),
        ] {
            #expect(press(&model, "e" + line, then: .enter).isEmpty)
            #expect(try prompt(of: model).problem?.string == problem)
            _ = press(&model, "", then: .escape)
        }
    }

    @Test("No history offers a line again, because it may contain a password")
    func noHistory() throws {
        var model = model()
        _ = press(&model, "euser=me:secret", then: .enter)
        _ = press(&model, "e", then: .up)
        #expect(try prompt(of: model).field.text.isEmpty)
    }

    @Test("Servers whose certificates are checked no more are named")
    func trust() {
        var model = model()
        _ = press(&model, "einsecure", then: .enter)
        #expect(model.toasts.current?.text == TrustErrors.certificatesUnverified("h"))
    }
}

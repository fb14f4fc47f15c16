import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

/// What `q` does in a window of a service.
@Suite("Quitting a window of a service", .timeLimit(.minutes(1)))
struct QuitChoiceTests {
    private static func model(_ choice: QuitChoice = .ask) -> Model {
        var row = RowSnapshot(id: 1, kind: .download, name: "row", url: "http://a/row")
        row.state = .running
        var model = Model()
        _ = update(&model, .resized(Size(columns: 80, rows: 24)))
        _ = update(&model, .rows([row]))
        model.owner = .service
        model.options.quitting = choice
        return model
    }

    @Test("The configured choice is made without a question", arguments: QuitChoice.allCases)
    func choices(choice: QuitChoice) {
        var model = Self.model(choice)
        let effects = update(&model, .key(.character("q")))
        let expected: [Effect] =
            switch choice {
            case .ask: []
            case .detach: [.quit]
            case .stop: [.stopService]
            }
        #expect(effects == expected)
        #expect((model.overlay != nil) == (choice == .ask))
    }

    @Test("The question counts every unfinished task, as the line after the end does")
    func count() {
        var model = Self.model()
        var paused = RowSnapshot(id: 2, kind: .download, name: "paused", url: "http://a/paused")
        paused.state = .paused
        _ = update(&model, .rows([paused]))
        _ = update(&model, .key(.character("q")))
        #expect(model.question?.text(in: model).title == Questions.closeWindow(2))
    }

    @Test("A service that was ended has no tasks to ask about")
    func stoppedService() {
        var model = Self.model()
        model.owner = .stoppedService
        #expect(update(&model, .key(.character("q"))) == [.quit])
    }

    @Test("An answer is saved when the user wants that, and only then")
    func remembering() {
        for (key, word, effect) in [("d", "detach", Effect.quit), ("s", "stop", .stopService)] {
            for remembers in [false, true] {
                var model = Self.model()
                _ = update(&model, .key(.character("q")))
                if remembers { _ = update(&model, .key(.character("r"))) }
                let saved: [Effect] = [.saveSettings([SettingLine(name: "quit", value: word)])]
                #expect(update(&model, .key(.character(Character(key)))) == (remembers ? saved : []) + [effect])
                #expect(model.options.quitting.rawValue == (remembers ? word : "ask"))
            }
        }
    }
}

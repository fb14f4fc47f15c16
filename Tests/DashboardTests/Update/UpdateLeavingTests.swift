import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Leaving when everything has ended")
struct UpdateLeavingTests {
    private func row(_ id: UInt64, _ state: RowState) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "row" + SafeText(id), url: "http://a/" + SafeText(id))
        row.state = state
        return row
    }

    private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
        keys.flatMap { update(&model, .key($0)) }.filter { if case .watch = $0 { false } else { true } }
    }

    /// One that was told to wait for two transfers.
    private func waiting() -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 80, rows: 24)))
        _ = update(&model, .rows([row(1, .running), row(2, .queued), row(3, .paused)]))
        #expect(press(&model, .character("q"), .character("w")) == [.awaitEnd(true)])
        return model
    }

    @Test("It leaves when the last transfer has ended, whatever its end, and does not wait for paused ones")
    func leaves() {
        var model = waiting()
        #expect(model.overlay == nil)
        #expect(model.toasts.current?.text == "\(ViewToasts.quitsAfter(2)) · \(ToastHints.change("q"))")
        #expect(!update(&model, .rows([row(1, .done)])).contains(.quit))
        #expect(!update(&model, .rows([row(2, .retrying)])).contains(.quit))
        #expect(update(&model, .rows([row(2, .failed)])).contains(.quit))
        #expect(!update(&model, .clock(5000)).contains(.quit), "It is said once")
    }

    @Test("The buttons do it too, and pausing what is left is an end")
    func button() {
        var model = Model()
        _ = update(&model, .rows([row(1, .running)]))
        #expect(press(&model, .character("q"), .left, .enter) == [.awaitEnd(true)])
        #expect(model.leavesWhenDone)
        #expect(update(&model, .rows([row(1, .paused)])).contains(.quit))
    }

    @Test("The question knows when the last transfer ends under it", arguments: [true, false])
    func endsUnderTheQuestion(isWaiting: Bool) {
        var model = waiting()
        if !isWaiting { #expect(press(&model, .character("q"), .escape) == [.awaitEnd(false)]) }
        #expect(press(&model, .character("q")).isEmpty)
        #expect(!update(&model, .rows([row(1, .done), row(2, .failed)])).contains(.quit))
        let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(text.contains(Questions.allEnded.string) && text.contains(QuestionLines.nothingInterrupted.string))
        #expect(!text.contains("0 unfinished"))
        #expect(press(&model, .character("s")) == [.quit])
    }

    @Test("Asked again it says that it waits; Stay takes that back, and the other answers still hold")
    func takenBack() {
        var model = waiting()
        #expect(press(&model, .character("q")).isEmpty)
        #expect(model.screen == .quitDialog)
        let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(text.contains(Questions.waiting(2).string))
        #expect(text.contains(QuestionLines.quitsWhenDone.string))
        #expect(press(&model, .escape) == [.awaitEnd(false)])
        #expect(model.toasts.current?.text == ViewToasts.autoQuitOff)
        #expect(press(&model, .character("q"), .escape).isEmpty, "There is nothing left to take back")
        #expect(!update(&model, .rows([row(1, .done), row(2, .done)])).contains(.quit))
        model = waiting()
        #expect(press(&model, .character("q"), .character("s")) == [.quit])
        model = waiting()
        #expect(press(&model, .character("q"), .character("w")) == [.awaitEnd(true)])
        #expect(update(&model, .rows([row(1, .done), row(2, .done)])).contains(.quit))
    }

    @Test("Nobody is thrown out of a form, a question or a frozen display")
    func politeness() {
        for key: KeyPress in [.character("a"), .character("/"), .character("?"), .character("Z")] {
            var model = waiting()
            _ = press(&model, key)
            #expect(!update(&model, .rows([row(1, .done), row(2, .done)])).contains(.quit), "\(key)")
            #expect(press(&model, key == .character("Z") ? key : .escape) == [.quit], "\(key)")
        }
    }

    @Test("What is added meanwhile is waited for, too")
    func additions() {
        var model = waiting()
        _ = update(&model, .rows([row(4, .queued)]))
        #expect(!update(&model, .rows([row(1, .done), row(2, .done)])).contains(.quit))
        #expect(update(&model, .rows([row(4, .done)])).contains(.quit))
    }

    @Test("The demo, which keeps nothing, does not promise to keep anything")
    func demo() {
        var model = waiting()
        model.isSaved = false
        model.keepsParts = false
        _ = press(&model, .character("q"))
        let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(text.contains(QuestionLines.demoSavesNothing.string))
        #expect(!text.contains("can go on") && !text.contains("partial files"))
    }

    @Test("That it waits is seen wherever there is room for it")
    func isSeen() {
        var model = waiting()
        _ = update(&model, .clock(60_000))
        for size in GoldenScreenTests.sizes where size.columns >= 40 {
            _ = update(&model, .resized(size))
            let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            #expect(text.contains(RuleLabels.quitsWhenDone.string), "\(size)")
            #expect(text.contains("q Quit"), "\(size)")
        }
    }
}

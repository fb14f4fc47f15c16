import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

/// What the screen says about a transfer that may have to start again.
@Suite("What is said about going on later")
struct ViewContinuationTests {
    private func row(_ continuation: Resumability, _ state: RowState = .running, id: UInt64 = 1) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "file", url: "http://a/file")
        row.state = state
        row.continuation = continuation
        row.received = 1000
        row.expected = 2000
        return row
    }

    private func model(_ rows: [RowSnapshot]) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 120, rows: 36)))
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows(rows))
        return model
    }

    private func text(_ model: Model) -> String {
        GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
    }

    private func details(_ row: RowSnapshot, _ tab: DetailsTab) -> [String] {
        DetailsContent(model: model([row]), row: row).lines(of: tab)
            .map { $0.label.isEmpty ? $0.text.string : $0.label.string + ": " + $0.text.string }
    }

    @Test("A pause says that it keeps a connection without which the rest may not come")
    func pausing() {
        var unsure = model([row(.unknown)])
        _ = update(&unsure, .key(.character("p")))
        let said = unsure.toasts.current?.text.string ?? ""
        #expect(said == "\(TaskToasts.paused(1)), \(TaskToasts.connectionsKept(1)) · z undo")
        for continuation in [Resumability.yes, .no] {
            var sure = model([row(continuation)])
            _ = update(&sure, .key(.character("p")))
            #expect(sure.toasts.current?.text.string == "Paused 1 task · z undo")
        }
        var several = model([row(.unknown), row(.yes, id: 2), row(.unknown, id: 3)])
        _ = update(&several, .key(.character("P")))
        let all = several.toasts.current?.text.string ?? ""
        #expect(all.hasSuffix(", \(TaskToasts.connectionsKept(2)) · z undo"))
    }

    @Test(
        "The details give the same three answers",
        arguments: [
            (Resumability.yes, "yes"), (.unknown, DetailsLabels.unknownWhilePaused.string),
            (.no, "no, restarts from zero"),
        ])
    func possible(continuation: Resumability, words: String) {
        #expect(details(row(continuation), .resume).first == "Resumable: " + words)
    }

    @Test("A paused transfer says that nobody knows what comes after its connection")
    func held() {
        let line = "State: \(DetailsLines.pausedUnsure)"
        #expect(details(row(.unknown, .paused), .overview).contains(line))
        #expect(details(row(.yes, .paused), .overview).contains("State: paused"))
    }

    @Test(
        "What the next try does with kept bytes is said as far as it is known",
        arguments: [
            (Resumability.yes, "resume"),
            (.unknown, "resume if supported, else restart"), (.no, "restart"),
        ])
    func nextTry(continuation: Resumability, words: String) {
        var failed = row(continuation, .failed)
        failed.error = "The connection was lost"
        #expect(details(failed, .overview).contains("Next: r \(words) · e edit and retry"))
    }

    @Test("Where another try meets the same answer or the same checksum, going on is not promised")
    func sameAgain() {
        var refused = row(.yes, .failed)
        (refused.statusCode, refused.cause, refused.error) = (404, .http, "404 Not Found")
        let lines = details(refused, .overview)
        #expect(lines.contains { $0.hasPrefix("Next: \(DetailsHints.retryRefused("r"))") }, "\(lines)")
        var wrong = row(.no, .failed)
        (wrong.cause, wrong.error) = (.checksum, "The checksum is wrong")
        let next = details(wrong, .overview)
        #expect(next.contains { $0.hasPrefix("Next: \(DetailsHints.downloadAgain("r"))") }, "\(next)")
    }

    @Test(
        "Leaving asks about a paused download whose bytes its connection alone keeps",
        arguments: [(Resumability.no, true), (.unknown, false), (.yes, false)])
    func pausedQuestion(continuation: Resumability, asks: Bool) {
        var leaving = model([row(continuation, .paused)])
        #expect(update(&leaving, .key(.character("q"))).contains(.quit) != asks)
        #expect((leaving.screen == .quitDialog) == asks)
        if asks {
            let question = text(leaving)
            #expect(
                question.contains(Questions.losingBytes(1).string)
                    && question.contains(QuestionLines.restarts("1 download").string))
            #expect(!question.contains("next time") && !question.contains("Quit when done"))
            #expect(!update(&leaving, .key(.character("w"))).contains(.quit) && leaving.screen == .quitDialog)
        }
    }

    @Test("The questions before leaving and cancelling tell what is sure from what is not")
    func questions() {
        let rows = [row(.yes), row(.unknown, id: 2), row(.no, id: 3)]
        var leaving = model(rows)
        leaving.overlay = .question(.quitting)
        let question = text(leaving)
        #expect(question.contains(QuestionLines.resumeNextTime(1).string))
        #expect(question.contains(QuestionLines.mayRestart("1 download").string))
        #expect(question.contains(QuestionLines.restarts("1 download").string))
        var cancelling = model(rows)
        cancelling.overlay = .question(.cancelling([1, 2, 3]))
        let named = text(cancelling)
        for words in [DialogLabels.resumable, DialogLabels.resumeUnsure, DialogLabels.notResumable] {
            #expect(named.contains(words.string))
        }
    }
}

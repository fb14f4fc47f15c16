import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("The question about existing files")
struct UpdateFileQuestionTests {
    private static func row(_ id: UInt64, isUndecided: Bool = true) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "f\(SafeText(Int(id)))", url: "http://h/f")
        row.state = isUndecided ? .paused : .queued
        if isUndecided { (row.cause, row.error) = (.destinationExists, "File exists: f") }
        return row
    }

    private func model(_ rows: RowSnapshot...) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 100, rows: 30)))
        _ = update(&model, .rows(rows))
        // Long enough for an answer to a question that has opened by itself.
        _ = update(&model, .clock(1000))
        return model
    }

    @Test(
        "Each answer settles the task in question, and the next one is asked about",
        arguments: [("k", .rename), ("o", .overwrite), ("s", .skip)] as [(Character, Job.IfExists)])
    func answers(key: Character, policy: Job.IfExists) {
        var model = model(Self.row(1), Self.row(2))
        #expect(model.screen == .fileDialog && model.question?.ids == [1])
        #expect(update(&model, .key(.character(key))).contains(.send(.settle([1], policy))))
        #expect(model.question?.ids == [2])
        #expect(update(&model, .key(.character(key))).contains(.send(.settle([2], policy))))
        #expect(model.overlay == nil)
    }

    @Test(
        "A key that was typed for the screen below answers no question that opens by itself",
        arguments: [
            KeyPress.character("o"), .character("k"), .character("s"), .character("a"), .enter, .left, .right, .tab,
        ], [true, false])
    func typedAhead(key: KeyPress, afterAnother: Bool) {
        var model = model(Self.row(1, isUndecided: false), Self.row(2, isUndecided: false))
        // The very first key of a window is typed for its table too.
        if afterAnother { _ = update(&model, .key(.character("j"))) }
        _ = update(&model, .clock(1100))
        _ = update(&model, .rows([Self.row(1), Self.row(2)]))
        // A key that is held down, and one that is pressed as the question appears.
        for time in [1120, 1500, 1990] as [Int64] {
            _ = update(&model, .clock(time))
            #expect(update(&model, .key(key)).isEmpty && model.question?.ids == [1], "at \(time)")
            #expect(model.toasts.current?.words == ViewToasts.askedJustNow)
        }
        #expect(model.question?.remembersAnswer == false && model.question?.button == 0)
        _ = update(&model, .clock(2490))
        #expect(update(&model, .key(.character("o"))).contains(.send(.settle([1], .overwrite))))
        #expect(update(&model, .key(.character("s"))).contains(.send(.settle([2], .skip))), "this one is expected")
    }

    @Test("A click that was meant for a row answers no question that has just opened over it")
    func clickedAhead() {
        var model = model(Self.row(1, isUndecided: false), Self.row(2, isUndecided: false))
        _ = update(&model, .rows([Self.row(1), Self.row(2)]))
        let overwrite = 2
        for time in [1000, 1499] as [Int64] {
            _ = update(&model, .clock(time))
            #expect(update(&model, .chosen(overwrite)).isEmpty && model.question?.ids == [1], "at \(time)")
            #expect(model.toasts.current?.words == ViewToasts.askedJustNowByClick)
        }
        #expect(model.question?.button == 0)
        _ = update(&model, .clock(1500))
        #expect(update(&model, .chosen(overwrite)).contains(.send(.settle([1], .overwrite))))
    }

    @Test("The question after an answer by mouse is expected, and takes the next click, but not a double one")
    func clicks() {
        var model = model(Self.row(1), Self.row(2), Self.row(3))
        _ = update(&model, .key(.character("j")))
        _ = update(&model, .clock(2000))
        let skip = 3
        #expect(update(&model, .chosen(skip)).contains(.send(.settle([1], .skip))))
        _ = update(&model, .clock(2249))
        #expect(update(&model, .chosen(skip)).isEmpty && model.question?.ids == [2])
        _ = update(&model, .clock(2250))
        #expect(update(&model, .chosen(skip)).contains(.send(.settle([2], .skip))))
        #expect(update(&model, .key(.character("s"))).contains(.send(.settle([3], .skip))), "by key at once")
    }

    @Test("One answer is enough for all")
    func all() {
        var model = model(Self.row(1), Self.row(2), Self.row(3))
        _ = update(&model, .key(.character("a")))
        #expect(update(&model, .key(.character("k"))).contains(.send(.settle([1, 2, 3], .rename))))
        #expect(model.overlay == nil)
        model = self.model(Self.row(1))
        _ = update(&model, .key(.character("a")))
        #expect(model.question?.remembersAnswer == false)
    }

    @Test("An answer for all leaves alone what the user put off")
    func putOff() {
        var model = model(Self.row(1), Self.row(2), Self.row(3), Self.row(4))
        _ = update(&model, .key(.escape))
        #expect(model.question?.ids == [2] && model.undecided.unaskedCount == 2)
        // One that finds a way and another file keeps its place and is asked about once.
        _ = update(&model, .rows([Self.row(3, isUndecided: false)]))
        _ = update(&model, .rows([Self.row(3)]))
        #expect(model.undecided.unasked == [3, 4])
        _ = update(&model, .key(.character("a")))
        #expect(update(&model, .key(.character("s"))).contains(.send(.settle([2, 3, 4], .skip))))
        #expect(model.overlay == nil && model.undecided.contains(1) && !model.undecided.contains(3))
    }

    @Test("Who decides later is asked again only when the task has run again")
    func later() {
        var model = model(Self.row(1))
        #expect(update(&model, .key(.escape)).isEmpty && model.overlay == nil)
        _ = update(&model, .rows([Self.row(1)]))
        #expect(model.overlay == nil)
        _ = update(&model, .rows([Self.row(1, isUndecided: false)]))
        _ = update(&model, .rows([Self.row(1)]))
        #expect(model.screen == .fileDialog)
        // Another window has answered.
        _ = update(&model, .rows([Self.row(1, isUndecided: false)]))
        #expect(model.overlay == nil)
    }

    @Test("A form that is open is not interrupted, and a removed task asks nothing")
    func busy() {
        var model = model(Self.row(1, isUndecided: false))
        _ = update(&model, .key(.character("a")))
        _ = update(&model, .rows([Self.row(1), Self.row(2)]))
        #expect(model.screen == .addForm)
        _ = update(&model, .removed([1]))
        _ = update(&model, .key(.escape))
        #expect(model.question?.ids == [2])
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("The selected row keeps its place")
struct UpdatePlaceTests {
    private func row(_ id: UInt64, _ state: RowState, _ change: (inout RowSnapshot) -> Void = { _ in }) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: .download, name: "row" + SafeText(id), url: "http://a/")
        row.state = state
        change(&row)
        return row
    }

    private func model(_ count: Int, _ state: RowState = .running) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 80, rows: 24)))
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows((1...count).map { row(UInt64($0), state) }))
        return model
    }

    private func press(_ model: inout Model, _ text: String) -> [Effect] {
        text.flatMap { update(&model, .key(.character($0))) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    @Test("p j p j pauses neighbours, r j r j resumes them, by rows and by figures", arguments: [true, false])
    func neighbours(byRows: Bool) {
        var model = model(5)
        func tell(_ id: UInt64, _ state: RowState) {
            let row = row(id, state)
            _ = update(&model, byRows ? .rows([row]) : .figures([row.figures]))
        }
        for id: UInt64 in 1...3 {
            #expect(press(&model, "p") == [.send(.pause([id]))])
            tell(id, .paused)
            #expect(model.list.position == 0, "It stands where it was")
            #expect(press(&model, "j").isEmpty)
            #expect(model.list.cursor == id + 1)
        }
        #expect(model.rows.shownIDs == [4, 5, 1, 2, 3])
        _ = press(&model, "jj")
        for id: UInt64 in 1...3 {
            #expect(press(&model, "r") == [.send(.resume([id]))])
            tell(id, .queued)
            tell(id, .running)
            #expect(press(&model, "j").isEmpty)
            #expect(model.list.cursor == (id < 3 ? id + 1 : 3))
        }
    }

    @Test("A row that ends stays under the selection and does not take the view along")
    func ending() {
        var model = model(100, .queued)
        for id: UInt64 in 1...5 { _ = update(&model, .rows([row(id, .running)])) }
        for id: UInt64 in 1...3 { _ = update(&model, .rows([row(id, .done), row(id + 5, .running)])) }
        #expect(model.list.top == 0)
        #expect(model.list.cursor == 1)
        #expect(model.rows.shownIDs.prefix(6) == [1, 4, 5, 6, 7, 8])
        _ = press(&model, "j")
        #expect(model.list.cursor == 4)
        #expect(model.rows.shownIDs.prefix(5) == [4, 5, 6, 7, 8])
        #expect(model.rows.shownIDs.suffix(3) == [1, 2, 3])
    }

    @Test("The view stays at the top until the selection is moved, and a movement begins where the view is")
    func top() {
        var model = model(100, .queued)
        _ = update(&model, .rows((2...60).map { row($0, .running) }))
        #expect(model.list.cursor == 1 && model.list.position == 59)
        #expect(model.list.top == 0)
        _ = press(&model, "j")
        #expect(model.list.cursor == 2 && model.list.top == 0)
        // From now on the view goes with the selection.
        _ = update(&model, .rows((61...99).map { row($0, .running) { $0.priority = 2 } }))
        _ = press(&model, "Gk")
        #expect(model.list.cursor == 1)
        _ = update(&model, .rows([row(1, .running)]))
        #expect(model.list.cursor == 1 && model.list.position == 0 && model.list.top == 0)
    }

    @Test("Other orders do not move a row that is paused either, but a new order puts all rows where they belong")
    func otherOrders() {
        var model = model(3)
        _ = update(&model, .clock(1500))
        _ = update(&model, .rows((1...3).map { id in row(id, .running) { $0.received = 5000 - Int64(id) } }))
        _ = update(&model, .clock(2500))
        for _ in 0..<4 { _ = press(&model, ">") }
        #expect(model.rows.query.order.column == .speed)
        #expect(model.rows.shownIDs == [1, 2, 3])
        _ = press(&model, "p")
        _ = update(&model, .rows([row(1, .paused)]))
        for time in stride(from: Int64(3000), through: 9000, by: 500) {
            // The others go on.
            _ = update(&model, .rows((2...3).map { id in row(id, .running) { $0.received = 5000 - Int64(id) + time } }))
            _ = update(&model, .clock(time))
        }
        #expect(model.rows.shownIDs.first == 1)
        _ = press(&model, "I")
        #expect(model.rows.shownIDs.first == 1, "Nothing is slower")
        _ = press(&model, "I")
        #expect(model.rows.shownIDs.last == 1)
    }

    @Test("A row that a state filter no longer means stays until the selection leaves it")
    func filtered() {
        var model = model(4)
        _ = press(&model, "/state:running")
        _ = update(&model, .key(.enter))
        for id: UInt64 in 1...3 {
            #expect(press(&model, "p") == [.send(.pause([id]))])
            _ = update(&model, .rows([row(id, .paused)]))
            #expect(model.rows.shownIDs.first == id)
            _ = press(&model, "j")
        }
        #expect(model.rows.shownIDs == [4])
    }

    @Test("A row that is moved in the queue or gets another priority goes there at once")
    func queue() {
        var model = model(4, .queued)
        _ = update(&model, .rows([row(1, .queued) { $0.position = 9 }]))
        #expect(model.rows.shownIDs == [2, 3, 4, 1])
        _ = update(&model, .rows([row(1, .queued) { $0.priority = 1 }]))
        #expect(model.rows.shownIDs == [1, 2, 3, 4])
    }

    @Test("Whatever is held, all other rows are in their order, and each is found at its position")
    func property() {
        var random = GoldenRandom(seed: 5)
        var model = model(200, .queued)
        var states = [RowState](repeating: .queued, count: 201)
        var heldOutOfOrder = 0
        for step in 0..<3000 {
            let changes = (0..<Int.random(in: 1...60, using: &random)).map { _ -> RowSnapshot in
                let id = UInt64.random(in: 1...200, using: &random)
                states[Int(id)] = RowState.allCases.randomElement(using: &random) ?? .running
                return row(id, states[Int(id)])
            }
            _ = update(&model, .rows(changes))
            if step % 3 == 0 { _ = press(&model, String("jkpr".randomElement(using: &random) ?? "j")) }
            let shown = model.rows.shownIDs
            #expect(Set(shown).count == 200)
            let cursor = model.list.cursor ?? 0
            let others = shown.filter { $0 != cursor }
            let wanted = others.sorted { (states[Int($0)].rank, $0) < (states[Int($1)].rank, $1) }
            guard others == wanted else {
                Issue.record("out of order at step \(step)")
                return
            }
            if shown != shown.sorted(by: { (states[Int($0)].rank, $0) < (states[Int($1)].rank, $1) }) {
                heldOutOfOrder += 1
            }
            let position = model.rows.position(of: cursor)
            #expect(position == shown.firstIndex(of: cursor))
            let any = UInt64.random(in: 1...200, using: &random)
            #expect(model.rows.position(of: any) == shown.firstIndex(of: any))
        }
        #expect(heldOutOfOrder > 100)
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("Groups of rows", .timeLimit(.minutes(1)))
struct RowGroupsTests {
    private static func row(_ id: UInt64, host: Int, state: RowState = .queued, bytes: Int64 = 10) -> RowSnapshot {
        let name = SafeText(untrusted: "host\(host).example")
        var row = RowSnapshot(
            id: id, kind: Job.Kind.allCases[Int(id % 3)], name: "row" + SafeText(id),
            url: "http://" + name + "/row" + SafeText(id))
        row.host = name
        row.state = state
        row.received = bytes
        row.sent = bytes
        row.expected = bytes * 2
        row.path = SafeText(untrusted: "/home/me/\(host)/row\(id)")
        return row
    }

    /// The lines of the table: a group's title, or a row's id.
    private static func lines(_ store: RowStore) -> [String] {
        (0..<store.lineCount).map { line in
            store.group(at: line).map { store.title(of: $0).string } ?? store.id(at: line).map { "\($0)" } ?? "?"
        }
    }

    /// What the lines must be, worked out from the rows themselves.
    private static func expected(_ store: RowStore, folded: Set<String>) -> [String] {
        let shown = store.shownIDs.compactMap { store[$0] }
        let titles = Set(shown.map(\.host.string)).sorted()
        return titles.flatMap { title in
            [title] + (folded.contains(title) ? [] : shown.filter { $0.host.string == title }.map { "\($0.id)" })
        }
    }

    @Test("Rows stand in their groups, sorted within them, and each line is found again", arguments: 0..<8)
    func walk(seed: Int) {
        var random = GoldenRandom(seed: UInt64(seed))
        var store = RowStore()
        let rates = RateBoard()
        store.apply(RowQuery(grouping: .host), rates: rates, now: 0)
        var folded: Set<String> = []
        for step in 0..<300 {
            let id = UInt64.random(in: 1...80, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: store.remove([id])
            case 1: store.remove((1...60).map { _ in UInt64.random(in: 1...80, using: &random) })
            case 2:
                var query = store.query
                query.filter = ["", "row1", "host2", "state:failed"].randomElement(using: &random) ?? ""
                query.order.column = SortOrder.Column.allCases.randomElement(using: &random) ?? .state
                store.apply(query, rates: rates, now: 0)
            case 3:
                let line = Int.random(in: 0...max(store.lineCount - 1, 0), using: &random)
                if let group = store.group(at: line) {
                    folded.formSymmetricDifference([store.title(of: group).string])
                    store.toggleFold(of: group.number)
                }
            case 4: store.anchor(at: id, rates: rates, now: 0)
            case 5: store.setAside([id])
            case 6: _ = store.bringBack(store.asideIDs, rates: rates, now: 0)
            default:
                let count = step % 20 == 0 ? 60 : 3
                let rows = (0..<count).map { _ in
                    Self.row(
                        UInt64.random(in: 1...80, using: &random), host: Int.random(in: 1...6, using: &random),
                        state: RowState.allCases.randomElement(using: &random) ?? .queued,
                        bytes: Int64.random(in: 0...100, using: &random))
                }
                store.upsert(rows.filter { !store.isAside($0.id) }, rates: rates, now: 0)
            }
            #expect(Self.lines(store) == Self.expected(store, folded: folded), "seed \(seed), step \(step)")
            for line in 0..<store.lineCount {
                if let group = store.group(at: line) {
                    #expect(store.line(ofGroup: group.number) == line)
                    let rows = store.ids(in: group).compactMap { store.figures(of: $0) }
                    var totals = GroupTotals()
                    for row in rows { totals.count(row) }
                    #expect(group.totals == totals, "seed \(seed), step \(step)")
                    #expect(group.count == rows.count)
                } else if let id = store.id(at: line) {
                    #expect(store.position(of: id) == line)
                }
            }
        }
    }

    @Test("Within groups rows stand as they would without", arguments: SortOrder.Column.allCases)
    func sorted(column: SortOrder.Column) {
        for isInverted in [false, true] {
            var query = RowQuery(order: SortOrder(column: column, isInverted: isInverted))
            query.order.tieBreaker = .init(column: .size)
            var plain = RowStore()
            var random = GoldenRandom(seed: 7)
            let rows = (1...100).map { id in
                Self.row(
                    id, host: Int.random(in: 1...4, using: &random),
                    state: RowState.allCases.randomElement(using: &random) ?? .done,
                    bytes: Int64.random(in: 0...9, using: &random))
            }
            plain.upsert(rows, rates: RateBoard(), now: 0)
            plain.apply(query, rates: RateBoard(), now: 0)
            var grouped = plain
            query.grouping = .host
            grouped.apply(query, rates: RateBoard(), now: 0)
            let titles = Set(rows.map(\.host.string)).sorted()
            let expected = titles.flatMap { title in
                plain.shownIDs.filter { plain[$0]?.host.string == title }
            }
            #expect(grouped.shownIDs == expected)
        }
    }

    @Test("A hundred thousand rows in groups change one by one without being divided anew")
    func manyRows() {
        var store = RowStore()
        let rates = RateBoard()
        store.apply(RowQuery(grouping: .host), rates: rates, now: 0)
        store.upsert((1...100_000).map { Self.row($0, host: Int($0 % 50)) }, rates: rates, now: 0)
        #expect(store.lineCount == 100_050)
        // Dividing all rows again for each change would take minutes.
        for id in 1...2000 as ClosedRange<UInt64> {
            var row = Self.row(id, host: Int(id % 50)).figures
            row.state = .running
            store.update([row], rates: rates, now: 0)
        }
        #expect(store.lineCount == 100_050)
        #expect((0..<50).allSatisfy { store.groups.groups[$0].totals.running == 40 })
        store.foldAll(true)
        #expect(store.lineCount == 50)
    }

    @Test("Rows are grouped by folder and by kind too; what has none has a group of its own")
    func otherGroupings() {
        var store = RowStore()
        let rates = RateBoard()
        var rows = [Self.row(1, host: 1), Self.row(2, host: 2), Self.row(3, host: 1)]
        rows[1].path = nil
        store.upsert(rows, rates: rates, now: 0)
        store.apply(RowQuery(grouping: .folder), rates: rates, now: 0)
        #expect(Self.lines(store) == ["(no folder)", "2", "/home/me/1/", "1", "3"])
        // A path that becomes known moves the row.
        store.upsert([Self.row(2, host: 1)], rates: rates, now: 0)
        #expect(Self.lines(store) == ["/home/me/1/", "1", "2", "3"])
        store.apply(RowQuery(grouping: .kind), rates: rates, now: 0)
        #expect(Self.lines(store) == ["Downloads", "2", "Requests", "3", "Uploads", "1"])
        store.apply(RowQuery(), rates: rates, now: 0)
        #expect(Self.lines(store) == ["1", "2", "3"])
    }

    // MARK: - Keys

    private static func model(_ keys: String = "&") -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 80, rows: 24)))
        let states: [RowState] = [.running, .queued, .failed, .paused, .done]
        _ = update(&model, .rows((1...10).map { Self.row($0, host: Int($0 % 2), state: states[Int($0) % 5]) }))
        for key in keys { _ = update(&model, .key(.character(key))) }
        return model
    }

    private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
        keys.flatMap { update(&model, .key($0)) }
    }

    @Test("& goes through the groupings and says how many groups there are")
    func groupKey() {
        var model = Self.model()
        #expect(model.toasts.current?.text.string == "Grouped by host: 2 groups")
        #expect(model.rows.lineCount == 12)
        _ = press(&model, .character("&"), .character("&"))
        #expect(model.toasts.current?.text.string == "Grouped by kind: 3 groups")
        _ = press(&model, .character("&"))
        #expect(model.rows.lineCount == 10 && model.rows.query.grouping == .none)
    }

    @Test("Keys on a group's line act on its rows and say how many; the filter leaves the others alone")
    func actions() {
        var model = Self.model()
        _ = press(&model, .home)
        #expect(model.list.group != nil && model.list.cursor == nil && model.current == nil)
        #expect(Set(model.targets.map(\.id)) == [2, 4, 6, 8, 10])
        let effects = press(&model, .character("p"))
        #expect(effects == [.send(.pause([10, 6]))] || effects == [.send(.pause([6, 10]))])
        #expect(model.toasts.current?.words == "\(TaskToasts.paused(2)), \(TaskToasts.skipped(3))")
        _ = press(&model, .character("x"))
        guard let question = model.question else {
            Issue.record("no question")
            return
        }
        #expect(Set(question.ids) == [6, 8, 10])
        _ = press(&model, .escape)
        for key in "/row1" { _ = press(&model, .character(key)) }
        _ = press(&model, .enter, .home)
        #expect(model.targets.map(\.id) == [10])
    }

    @Test("Space marks a group's rows, and takes the marks away when all have one")
    func marks() {
        var model = Self.model()
        _ = press(&model, .home, .character(" "))
        #expect(model.list.marks == [2, 4, 6, 8, 10])
        _ = press(&model, .home, .character(" "))
        #expect(model.list.marks.isEmpty)
        // A range over a folded group has its rows.
        _ = press(&model, .end, .left, .enter, .up, .character("V"), .down)
        #expect(model.list.marks.count == 6 && model.list.marks.isSuperset(of: [1, 3, 5, 7, 9]))
        _ = press(&model, .character("V"), .character("U"), .character("V"))
        #expect(model.list.marks.isEmpty && model.toasts.current?.text == TaskReasons.selectTaskFirst)
    }

    @Test("Enter, Left and Right fold and unfold; a row goes to its group by Left")
    func folding() {
        var model = Self.model()
        _ = press(&model, .home, .enter)
        #expect(model.rows.lineCount == 7 && model.screen == .list)
        _ = press(&model, .enter)
        #expect(model.rows.lineCount == 12)
        _ = press(&model, .left, .left)
        #expect(model.rows.lineCount == 7)
        _ = press(&model, .right, .right)
        #expect(model.rows.lineCount == 12)
        _ = press(&model, .down, .down, .left)
        #expect(model.list.position == 0 && model.list.group != nil)
        _ = press(&model, .character(","))
        #expect(model.rows.lineCount == 2)
        _ = press(&model, .character(","), .down, .enter)
        #expect(model.details.fullScreenID != nil)
    }

    @Test("A selection whose group is folded goes to the group's line, and the next failed row unfolds its group")
    func selection() {
        var model = Self.model()
        _ = press(&model, .down, .down, .character(","))
        #expect(model.list.group != nil && model.list.cursor == nil)
        _ = press(&model, .character("n"))
        #expect(model.current?.state == .failed)
        #expect(model.rows.lineCount == 7)
        // The group that was selected goes with its last row.
        _ = press(&model, .home)
        _ = update(&model, .removed([2, 4, 6, 8, 10]))
        #expect(model.list.position == 0 && model.list.group != nil)
        #expect(model.rows.groupCount == 1)
        _ = update(&model, .removed([1, 3, 5, 7, 9]))
        #expect(model.list.group == nil && model.rows.lineCount == 0)
    }

    @Test("Without groups nothing can be folded")
    func noGroups() {
        var model = Self.model("")
        _ = press(&model, .character(","))
        #expect(model.toasts.current?.text.string == "The table has no groups")
    }

    @Test("@ shows one line for each host, also for those that come later, and goes back")
    func hosts() {
        var model = Self.model("&&@")
        #expect(model.rows.query.grouping == .host && model.rows.lineCount == 2)
        _ = update(&model, .rows([Self.row(11, host: 7)]))
        #expect(model.rows.lineCount == 3)
        _ = press(&model, .character("@"))
        #expect(model.rows.query.grouping == .folder)
    }

    @Test("A click on a group's line selects it, and folds it when it is selected")
    func clicks() throws {
        var model = Self.model()
        let number = try #require(model.rows.group(at: 6)?.number)
        _ = update(&model, .pickedGroup(number))
        #expect(model.list.position == 6 && model.rows.lineCount == 12)
        _ = update(&model, .pickedGroup(number))
        #expect(model.rows.lineCount == 7)
    }
}

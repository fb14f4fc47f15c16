import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView
@testable import TransferValues

@Suite("Keys of the queue, of requests and of the display", .timeLimit(.minutes(1)))
struct UpdateRequestTests {
    private func press(_ model: inout Model, _ text: String, _ keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }.filter { effect in
            if case .watch = effect { false } else { true }
        }
    }

    private func row(_ id: UInt64, _ kind: Job.Kind, _ state: RowState) -> RowSnapshot {
        var row = RowSnapshot(id: id, kind: kind, name: "row" + SafeText(id), url: "https://a.example/v1/orders?x=1")
        row.state = state
        row.host = "a.example"
        return row
    }

    private func model(_ rows: RowSnapshot...) -> Model { .showing(rows) }

    @Test("Plus and minus change priorities within their bounds, and z takes the change back")
    func priorities() {
        var highest = row(2, .download, .queued)
        highest.priority = 2
        var model = model(row(1, .download, .running), highest, row(3, .download, .done))
        #expect(press(&model, "A+") == [.send(.prioritise([1], by: 1))])
        #expect(press(&model, "z") == [.send(.undo(.prioritise([1], by: -1)))])
        #expect(press(&model, "-") == [.send(.prioritise([1, 2], by: -1))])
        #expect(press(&model, "UG+").isEmpty)
    }

    @Test("K and J move waiting tasks in the queue, and the table shows them there")
    func queueMoves() {
        var model = model(row(1, .download, .queued), row(2, .download, .queued), row(3, .download, .running))
        #expect(press(&model, "jK") == [.send(.moveInQueue([1], by: -1))])
        #expect(press(&model, "J") == [.send(.moveInQueue([1], by: 1))])
        var (first, second) = (row(1, .download, .queued), row(2, .download, .queued))
        (first.position, second.position) = (2, 1)
        _ = update(&model, .rows([first, second]))
        #expect(model.rows.shownIDs == [3, 2, 1])
        #expect(model.list.cursor == 1)
        first.priority = 1
        _ = update(&model, .rows([first]))
        #expect(model.rows.shownIDs == [3, 1, 2])
        #expect(press(&model, "gK").isEmpty)
    }

    @Test("A finished data request is sent again with r, a finished download is not")
    func resending() {
        var model = model(row(1, .data, .done), row(2, .download, .done))
        #expect(press(&model, "r") == [.send(.resume([1]))])
        #expect(press(&model, "jr").isEmpty)
    }

    @Test("Edit, copy and view ask for the selected task, and the answers arrive as forms and texts")
    func questions() {
        var model = model(row(1, .data, .done))
        #expect(press(&model, "e") == [.edit(1)])
        #expect(press(&model, "y") == [.quote([1], asCommands: false)])
        #expect(press(&model, "Y") == [.quote([1], asCommands: true)])
        #expect(press(&model, "v") == [.view(1)])
        #expect(update(&model, .quoted("curl 'x'", "Copied")) == [.copy("curl 'x'")])
        var job = Job(kind: .data, url: "https://me:secret@a.example/v1?token=abc")
        job.headers = ["Authorization": "Bearer abc", "Accept": "a/b; q=1"]
        job.body = .text("{\n}")
        job.continues = false
        _ = update(&model, .edit(1, job))
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        #expect(!GoldenFiles.text(of: surface).contains("abc"))
        #expect(!GoldenFiles.text(of: surface).contains("secret"))
        #expect(press(&model, "", .enter) == [.send(.replace(1, with: job))])
    }

    @Test("An edited form keeps what was hidden and takes what was changed")
    func editing() throws {
        var job = Job(kind: .data, url: "https://a.example/v1?token=abc")
        job.headers = ["Authorization": "Bearer abc"]
        var form = AddForm(editing: job)
        form[.headers] = TextField("Authorization: •••; Accept: text/html; q=1")
        let edited = try #require(form.jobs().first)
        #expect(edited.url == job.url)
        #expect(edited.headers.map(\.value) == ["Bearer abc", "text/html; q=1"])
        form[.url].moveToEnd()
        form[.url].insert("&y=1")
        #expect(try form.jobs().first?.url == "https://a.example/v1?token=abc&y=1")
        form[.url] = TextField("https://b.example/v1?token=***")
        #expect(throws: AddForm.Problem.self) { try form.jobs() }
        form[.url] = TextField("https://b.example/")
        #expect(try form.jobs().first?.url == "https://b.example/")
        form[.headers] = TextField("X-Api-Key: •••")
        #expect(throws: AddForm.Problem.self) { try form.jobs() }
    }

    @Test("The body of a data request is written to a path that is asked for")
    func writing() {
        var model = model(row(1, .data, .done))
        #expect(press(&model, "w").isEmpty)
        #expect(model.overlay == nil)
        var details = RowDetails()
        details.body = BodyPreview(bytes: Array("text".utf8), total: 4, contentType: "")
        _ = update(&model, .details(1, details))
        #expect(press(&model, "w", .tab) == [.completePath("orders")])
        _ = update(&model, .completions("orders", ["orders.json"]))
        #expect(press(&model, "", .enter) == [.writeBody(1, path: "orders.json")])
        #expect(press(&model, "w", .up, .up, .down, .enter) == [.writeBody(1, path: "orders")])
        #expect(press(&model, "w", .control("u"), .enter).isEmpty)
        #expect(model.screen == .prompt)
    }

    @Test(
        "The name that is offered for a body is readable, and never more than a name",
        arguments: [
            ("http://h/caf%C3%A9.json?a=/b", "café.json"), ("http://h/a%2Fb%1B", "a%2Fb%1B"), ("http://h/%FF", "%FF"),
            ("http://h/", "body"),
        ])
    func offeredName(url: String, name: String) {
        var row = RowSnapshot(id: 1, kind: .data, name: "GET /", url: SafeText(untrusted: url))
        row.state = .done
        var model = model(row)
        var details = RowDetails()
        details.body = BodyPreview(bytes: Array("text".utf8), total: 4, contentType: "")
        _ = update(&model, .details(1, details))
        #expect(press(&model, "w", .enter) == [.writeBody(1, path: name)])
    }

    @Test("A data request is repeated at an interval that makes sense")
    func repeating() {
        var model = model(row(1, .data, .running), row(2, .upload, .running))
        #expect(press(&model, "Exx", .enter).isEmpty)
        #expect(press(&model, "", .control("u")).isEmpty)
        #expect(press(&model, "5", .enter) == [.send(.repeatRequest(1, seconds: 5))])
        #expect(press(&model, "E", .enter) == [.send(.repeatRequest(1, seconds: nil))])
        #expect(press(&model, "jE").isEmpty)
        #expect(model.overlay == nil)
    }

    @Test("Secrets are hidden until H, and again on the next task")
    func secrets() {
        var model = model(row(1, .data, .done), row(2, .data, .done))
        var details = RowDetails()
        details.requestHeaders = [.init(name: "Cookie", value: "session=1234", isSecret: true)]
        _ = update(&model, .details(1, details))
        func screen() -> String {
            GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        }
        _ = press(&model, "]", .enter)
        #expect(screen().contains("Cookie: •••"))
        _ = press(&model, "H")
        #expect(screen().contains("session=1234"))
        _ = press(&model, "", .escape)
        _ = press(&model, "jk")
        _ = update(&model, .details(1, details))
        _ = press(&model, "", .enter)
        #expect(!screen().contains("session=1234"))
    }

    @Test("Details are asked for when the selection moves, and late answers for another task are dropped")
    func watching() {
        var model = model(row(1, .data, .done), row(2, .data, .done))
        #expect(model.details.watchedID == 1)
        #expect(update(&model, .key(.down)) == [.watch(2)])
        var details = RowDetails()
        details.statusLine = "200 OK"
        _ = update(&model, .details(1, details))
        #expect(model.details.rowDetails == nil)
        _ = update(&model, .details(2, details))
        #expect(model.details.rowDetails == details)
        #expect(update(&model, .removed([1, 2])) == [.watch(nil)])
    }

    @Test("A frozen display shows nothing new, keys act all the same, and afterwards everything is there")
    func freezing() {
        var model = model(row(1, .download, .running), row(2, .download, .running))
        _ = press(&model, "Z")
        #expect(model.nextDeadline != nil)
        _ = update(&model, .rows([row(1, .download, .done), row(3, .download, .failed)]))
        _ = update(&model, .removed([2]))
        _ = update(&model, .clock(60_000))
        #expect(model.rows.count == 2)
        #expect(model.rows[1]?.state == .running)
        #expect(model.nextDeadline == nil)
        #expect(press(&model, "p") == [.send(.pause([1]))])
        _ = press(&model, "Z")
        #expect(model.rows.count == 2)
        #expect(model.rows[1]?.state == .done)
        #expect(model.rows[2] == nil)
        #expect(model.rows[3]?.state == .failed)
    }

    @Test("Options change what they name")
    func options() {
        var model = model(row(1, .download, .running))
        #expect(press(&model, "o", .right).isEmpty)
        #expect(model.units == .decimal)
        #expect(press(&model, "jl") == [.setGlyphs(.ascii)])
        #expect(press(&model, "jl") == [.setFramesPerSecond(8)])
        #expect(press(&model, "h") == [.setFramesPerSecond(4)])
        #expect(press(&model, "jl") == [.setMouse(true)])
        #expect(press(&model, "jjjjl").isEmpty)
        #expect(model.options.hiddenColumns == [.gauge])
        #expect(press(&model, "q").isEmpty)
        #expect(model.overlay == nil)
        #expect(press(&model, "M") == [.setMouse(false)])
    }

    @Test("Columns that are hidden leave their room to the names", arguments: [40, 60, 80, 100, 140, 200])
    func hiddenColumns(width: Int) throws {
        let all = TableColumns(width: width)
        let few = TableColumns(width: width, shown: [])
        #expect(few.columns.allSatisfy { $0.kind.option == nil })
        let name = try #require(few.columns.first { $0.kind == .name })
        let before = try #require(all.columns.first { $0.kind == .name })
        #expect(name.width >= before.width)
        #expect(few.columns.last?.end == all.columns.last?.end)
    }

    @Test("Columns stand in the order wanted, percent behind the bar", arguments: [20, 40, 60, 80, 100, 140, 200])
    func columnOrder(width: Int) throws {
        let all = TableColumns(width: width)
        let order: [TableColumn] = [.host, .time, .gauge, .speed, .size]
        let some = TableColumns(width: width, shown: order)
        let kinds = some.columns.compactMap(\.kind.option)
        #expect(kinds == order.filter { option in all.columns.contains { $0.kind.option == option } })
        #expect(some.columns.last?.end == all.columns.last?.end)
        for (left, right) in zip(some.columns, some.columns.dropFirst())
        where left.kind == .name || left.kind.option != nil {
            #expect(right.start == left.end + 1)
        }
        for column in some.columns where column.kind != .name {
            #expect(all.columns.contains { $0.kind == column.kind && $0.width == column.width })
        }
        if let bar = some.columns.firstIndex(where: { $0.kind == .gauge }) {
            #expect(some.columns[bar + 1].kind == .percent)
        }
        #expect(TableColumns(width: width, shown: TableColumn.allCases.reversed()).columns.count == all.columns.count)
    }

    @Test("K and J move a column, as far as there are others, and nothing else")
    func movingColumns() {
        var model = model(row(1, .download, .running))
        _ = press(&model, "oK")
        #expect(model.toasts.current?.text.string == "Only columns can be moved and sized")
        _ = press(&model, "jjjjjjjjjJJ")
        #expect(model.options.columnOrder.prefix(5) == [.gauge, .done, .speed, .rates, .size])
        _ = press(&model, "l")
        #expect(model.options.hiddenColumns == [.size])
        _ = press(&model, "KKKKKKK")
        #expect(model.options.columnOrder.first == .size)
        _ = press(&model, "GJJ")
        #expect(model.options.columnOrder.last == .host)
        _ = press(&model, "gjjjjjjjl")
        #expect(model.options.shownColumns.first == .size)
        let line = SettingLine(name: "columns", value: "size progress done speed rates time state protocol host")
        #expect(press(&model, "s") == [.saveSettings([line])])
    }

    @Test("A click selects what was drawn there, a second one opens it, and the wheel scrolls")
    func mouse() throws {
        var model = model(row(1, .download, .running), row(2, .download, .running))
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        let target = try #require(surface.targets.first { $0.meaning == .row(2) })
        #expect(surface[target.row, 8].cluster != " ")
        _ = update(&model, .picked(2))
        #expect(model.list.cursor == 2)
        #expect(model.details.fullScreenID == nil)
        _ = update(&model, .clock(1200))
        _ = update(&model, .picked(2))
        #expect(model.details.fullScreenID == 2)
        _ = press(&model, "q")
        _ = update(&model, .scrolled(-3))
        #expect(model.list.cursor == 1)
        _ = update(&model, .ordered(.size))
        #expect(model.rows.query.order.column == .size)
        #expect(surface.targets.contains { $0.meaning == .key(.character("q")) })
        #expect(surface.targets.contains { $0.meaning == .tab(.upload) })
        _ = press(&model, "?")
        #expect(view(model, size: model.size, capabilities: ViewCapabilities()).targets.isEmpty)
    }

    @Test("Giving a filter up selects what was selected before it, unless the selection was moved")
    func filterRestores() {
        var model = model(row(1, .download, .running), row(2, .data, .done), row(3, .data, .done))
        _ = press(&model, "jj/row1")
        #expect(model.list.cursor == 1)
        _ = press(&model, "", .escape)
        #expect(model.list.cursor == 3)
        _ = press(&model, "/row1", .enter)
        _ = press(&model, "", .escape)
        #expect(model.list.cursor == 1)
    }

    @Test("A filter that is wrong says so and is not kept")
    func wrongFilter() {
        var model = model(row(1, .download, .running))
        _ = press(&model, "/state:nonsense", .enter)
        #expect(model.screen == .filterPrompt)
        #expect(model.toasts.current?.isError == true)
        _ = press(&model, "", .control("u"))
        _ = press(&model, "st", .tab)
        #expect(model.rows.query.filter == "state:")
        _ = press(&model, "f", .tab, .enter)
        #expect(model.rows.query.filter == "state:failed ")
        #expect(model.screen == .list)
    }
}

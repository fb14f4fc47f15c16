import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView
@testable import TransferValues

@Suite("JSON bodies in the details")
struct JSONBodyTests {
    private static let text = #"{"a":[1,{"b":2}],"c":{},"d":"x"}"#

    private func details(_ text: String = Self.text) -> RowDetails {
        var details = RowDetails()
        details.body = BodyPreview(bytes: text.utf8, total: text.utf8.count, contentType: "application/json")
        return details
    }

    private func model(_ size: Size = Size(columns: 80, rows: 24), _ text: String = Self.text) -> Model {
        var model = Model()
        _ = update(&model, .resized(size))
        _ = update(&model, .clock(1000))
        var row = RowSnapshot(id: 1, kind: .data, name: "GET /x", url: "http://a/x")
        row.state = .done
        _ = update(&model, .rows([row]))
        _ = update(&model, .details(1, details(text)))
        press(&model, "", .enter, .character("["))
        return model
    }

    private func press(_ model: inout Model, _ text: String, _ keys: KeyPress...) {
        for key in text.map(KeyPress.character) + keys { _ = update(&model, .key(key)) }
    }

    private func lines(_ model: Model) throws -> [String] {
        let row = try #require(model.current)
        return DetailsContent(model: model, row: row).lines(of: .body).dropFirst().map(\.text.string)
    }

    @Test("Enter and Space fold the selected part, from a value that of its group, and unfold it again")
    func folding() throws {
        var model = model()
        let all = ["- {", "-   \"a\": [", "      1,", "-     {", "        \"b\": 2", "      }", "    ],"]
        #expect(try lines(model) == all + ["    \"c\": {},", "    \"d\": \"x\"", "  }"])
        press(&model, "j", .enter)
        #expect(try lines(model) == ["- {", "+   \"a\": […] 2 elements,", "    \"c\": {},", "    \"d\": \"x\"", "  }"])
        press(&model, " ")
        #expect(try lines(model).count == 10)
        press(&model, "jjj ")
        #expect(try lines(model)[3] == "+     {…} 1 member")
        #expect(model.details.json?.cursor == 3)
        press(&model, "", .end, .up, .enter)
        #expect(try lines(model)[0] == "- {", "A value of what is shown does not fold all of it")
        press(&model, "", .end, .enter)
        #expect(try lines(model) == ["+ {…} 3 members"])
        press(&model, "", .enter)
        #expect(try lines(model)[3] == "+     {…} 1 member", "What was folded inside stays so")
    }

    @Test("A comma folds everything inside, and unfolds all")
    func foldingAll() throws {
        var model = model()
        press(&model, ",")
        #expect(try lines(model) == ["- {", "+   \"a\": […] 2 elements,", "    \"c\": {},", "    \"d\": \"x\"", "  }"])
        press(&model, ",")
        #expect(try lines(model).count == 10)
    }

    @Test("A path shows its part alone, several with their paths, an empty one everything")
    func paths() throws {
        var model = model()
        press(&model, ".", .character("."), .character("a"), .enter)
        #expect(try lines(model) == ["- \"a\": [", "    1,", "-   {", "      \"b\": 2", "    }", "  ],"])
        press(&model, ".[]", .enter)
        #expect(model.details.json?.path?.text == ".a[]")
        #expect(try lines(model) == ["  .a[0]: 1,", "- .a[1]: {", "    \"b\": 2", "  }"])
        press(&model, ".", .control("u"), .enter)
        #expect(try lines(model).count == 10)
    }

    @Test("A path that is wrong or finds nothing stays in its prompt with the reason")
    func wrongPaths() throws {
        var model = model()
        press(&model, ".x[", .enter)
        guard case .prompt(let prompt) = model.overlay else { throw JSONPath.Problem(sentence: "No prompt") }
        #expect(prompt.problem == PathErrors.invalid("["))
        press(&model, "", .control("u"), .character("z"), .enter)
        guard case .prompt(let second) = model.overlay else { throw JSONPath.Problem(sentence: "No prompt") }
        #expect(second.problem == PathErrors.at(PathErrors.noMember("z"), PathErrors.body, "3 members"))
        press(&model, "", .escape)
        #expect(try lines(model).count == 10)
    }

    @Test("Another answer keeps the part that is shown and what is folded; one without it says so")
    func anotherAnswer() throws {
        var model = model()
        press(&model, "j ")
        _ = update(&model, .details(1, details(#"{"c":1,"a":[3,4,5]}"#)))
        #expect(try lines(model) == ["- {", "    \"c\": 1,", "+   \"a\": […] 3 elements", "  }"])
        press(&model, ".a", .enter)
        _ = update(&model, .details(1, details(#"{"a":[9]}"#)))
        #expect(try lines(model) == ["+ \"a\": […] 1 element"])
        _ = update(&model, .details(1, details(#"{"b":[9]}"#)))
        #expect(try lines(model).isEmpty)
        #expect(model.details.json?.problem == PathErrors.at(PathErrors.noMember("a"), PathErrors.body, "1 member"))
        _ = update(&model, .details(1, details("text")))
        #expect(model.details.json == nil)
        #expect(try lines(model) == ["text"])
    }

    @Test("The selected line is always seen, at every size", arguments: [(80, 24), (40, 10), (20, 5), (20, 3)])
    func cursor(columns: Int, rows: Int) throws {
        let numbers = (0..<200).map { "\($0)" }.joined(separator: ",")
        var model = model(Size(columns: columns, rows: rows), "[\(numbers)]")
        for keys: [KeyPress] in [[.end], [.home], [.pageDown, .pageDown], [.up, .up], [.end, .pageUp]] {
            press(&model, "", keys[0])
            for key in keys.dropFirst() { press(&model, "", key) }
            let surface = view(model, size: model.size, capabilities: ViewCapabilities())
            let row = try #require(surface.parkedRow)
            #expect(surface[row, 3].role == .rowSelected)
        }
    }

    @Test("What is not JSON has nothing to fold, and says so")
    func text() throws {
        var model = model(Size(columns: 80, rows: 24), "text")
        press(&model, " ")
        #expect(model.toasts.current?.text == TaskReasons.onlyJSONFolds)
        press(&model, ".")
        #expect(model.toasts.current?.text == TaskReasons.noJSON)
    }

    @Test("What a search does not find in the beginning of a body may stand in its rest")
    func searchInPart() {
        let text = String(repeating: "line\n", count: 20_000)
        var model = model(Size(columns: 80, rows: 24), text)
        press(&model, "/other", .enter)
        #expect(model.toasts.current?.text == ViewToasts.notFound("other", in: "first 64.0K", of: "Body"))
        model = self.model(Size(columns: 80, rows: 24), "text")
        press(&model, "/other", .enter)
        #expect(model.toasts.current?.text == ViewToasts.notFound("other", in: "Body"))
    }

    @Test("A search goes to a line and selects it")
    func search() throws {
        var model = model()
        press(&model, "/\"b", .enter)
        #expect(model.details.json?.cursor == 4)
        press(&model, "", .enter)
        #expect(try lines(model)[3] == "+     {…} 1 member")
    }

    @Test("Names, strings, numbers and words have colours of their own, however far the line is scrolled")
    func roles() throws {
        var model = model(Size(columns: 80, rows: 24), #"{"name":"text","n":12,"w":true}"#)
        let surface = view(model, size: model.size, capabilities: ViewCapabilities())
        func role(_ surface: Surface, _ text: String) -> Role? {
            for row in 0..<surface.size.rows {
                let line = (0..<surface.size.columns).map { surface[row, $0].cluster.text }.joined()
                guard let found = line.firstRange(of: text) else { continue }
                return surface[row, line.distance(from: line.startIndex, to: found.lowerBound)].role
            }
            return nil
        }
        #expect(role(surface, "\"name\"") == .jsonName)
        #expect(role(surface, "\"text\"") == .jsonString)
        #expect(role(surface, "12") == .jsonNumber)
        #expect(role(surface, "true") == .jsonWord)
        press(&model, "", .right)
        let scrolled = view(model, size: model.size, capabilities: ViewCapabilities())
        #expect(role(scrolled, "\"text\"") == .jsonString)
    }

    @Test("A body of a hundred thousand values is drawn as fast as a small one: only lines that are seen are made")
    func large() throws {
        let items = (0..<24_000).map { "{\"id\":\($0),\"ok\":true}" }.joined(separator: ",")
        var model = model(Size(columns: 80, rows: 24), "[\(items)]")
        #expect(model.details.json?.count == 96_002)
        press(&model, "", .end)
        #expect(GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities())).contains("23999"))
        press(&model, ",")
        #expect(model.details.json?.count == 24_002)
        press(&model, ".[].id", .enter)
        #expect(model.details.json?.count == JSONPath.resultLimit)
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("Saved views", .timeLimit(.minutes(1)))
struct UpdateViewTests {
    private static let full = RowQuery(
        tab: .upload, filter: "a|b state:failed | c", states: [.failed, .paused],
        order: SortOrder(column: .speed, isInverted: true, tieBreaker: .init(column: .name)), grouping: .folder)

    @Test("What a view's words say is read back", arguments: [RowQuery(), full, RowQuery(grouping: .host)])
    func words(query: RowQuery) {
        let view = SavedView(name: "big files", query: query)
        #expect(SavedView(words: view.words) == view)
    }

    @Test("The words are those of the configuration file")
    func wording() {
        let query = RowQuery(tab: .data, filter: "size>1G", order: SortOrder(column: .size), grouping: .host)
        #expect(
            SavedView(name: "big", query: query).words == "big | tab data | sort size | group host | filter size>1G")
    }

    @Test(
        "What is no view is refused",
        arguments: [
            "", " | sort size", "x | sort", "x | sort wide", "x | group disk", "x | tab 3", "x | states odd", "x | y z",
        ])
    func wrongWords(words: String) {
        #expect(SavedView(words: words) == nil)
    }

    private func press(_ model: inout Model, _ text: String, then keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }
    }

    @Test("; saves the view at once, its digit shows it again, and the digit alone removes it")
    func journey() {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        _ = press(&model, "/iso", then: .enter)
        _ = press(&model, ">&;")
        // The first free digit is there already.
        let saved = press(&model, "images", then: .enter)
        let words = "images | sort name | group host | filter iso"
        #expect(saved == [.saveSettings([SettingLine(name: "view.5", value: words)])])
        #expect(model.overlay == nil)
        _ = press(&model, "<&&&", then: .escape, .escape)
        #expect(model.rows.query == RowQuery())
        _ = press(&model, "5")
        #expect(model.rows.query.filter == "iso" && model.rows.query.grouping == .host)
        #expect(model.rows.query.order == SortOrder(column: .name))
        #expect(model.toasts.current?.text.string == "View 5: images")
        _ = press(&model, ";", then: .control("u"))
        let removed = press(&model, "5", then: .enter)
        #expect(removed == [.saveSettings([SettingLine(name: "view.5", value: "")])])
        _ = press(&model, "5")
        #expect(model.toasts.current?.text.string == "View 5 is empty · ; save a view")
    }

    @Test("The tabs leave a view: its filter is off, and order and groups are as before", arguments: Array("1234\t"))
    func leaving(key: Character) {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        let query = RowQuery(filter: "iso", states: [.running], order: SortOrder(column: .size), grouping: .host)
        model.options.views[5] = SavedView(name: "images", query: query)
        _ = press(&model, "<")
        let before = model.rows.query
        _ = press(&model, "55")
        #expect(model.rows.query == query)
        _ = update(&model, .key(key == "\t" ? .tab : .character(key)))
        #expect(!model.rows.query.isFiltering)
        #expect(model.rows.query.order == before.order && model.rows.query.grouping == before.grouping)
        if key == "1" { #expect(model.rows.shownCount == model.rows.count) }
    }

    @Test("A filter that was typed after a view is the user's own, and stays on another tab")
    func typedAfterwards() {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        model.options.views[5] = SavedView(name: "images", query: RowQuery(filter: "iso"))
        _ = press(&model, "5/", then: .control("u"))
        _ = press(&model, "b", then: .enter)
        _ = press(&model, "4")
        #expect(model.rows.query.filter == "b")
    }

    @Test(
        "What cannot be saved is one sentence in the prompt",
        arguments: [
            ("4 x", ViewErrors.usage.string),
            ("", ViewErrors.usage.string),
            ("5", ViewErrors.usage.string),
            ("files", ViewErrors.usage.string),
            ("5 a|b", ViewErrors.nameCharacters.string),
        ])
    func refusals(answer: String, sentence: String) {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        _ = press(&model, ";", then: .control("u"))
        #expect(press(&model, answer, then: .enter).isEmpty)
        guard case .prompt(let prompt) = model.overlay else {
            Issue.record("the prompt is gone")
            return
        }
        #expect(prompt.problem?.string == sentence)
        #expect(model.options.views.isEmpty)
    }

    @Test("A saved view is not saved again with the options")
    func notTwice() {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        _ = press(&model, ";x", then: .enter)
        guard let view = model.options.views[5] else {
            Issue.record("no view")
            return
        }
        _ = update(&model, .settingsSaved([.view(5, view)], path: "/c"))
        #expect(press(&model, "os").isEmpty)
    }

    @Test("What was saved, put in the place of another one or forgotten is said by its name")
    func sentences() {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        for (answer, sentence) in [
            ("5 one", ViewToasts.viewSaved(5, "one", to: "/c")),
            ("5 two", ViewToasts.viewReplaced(5, "two", was: "one", to: "/c")),
            ("5 two", ViewToasts.viewSaved(5, "two", to: "/c")), ("5", ViewToasts.viewDeleted(5, "two")),
        ] {
            _ = press(&model, ";", then: .control("u"))
            for case .saveSettings(let lines) in press(&model, answer, then: .enter) {
                _ = update(&model, .settingsSaved(lines, path: "/c"))
            }
            #expect(model.toasts.current?.text == sentence)
        }
    }

    @Test("When every digit has a view, Enter alone forgets none of them")
    func allTaken() {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        for digit in SavedView.digits { model.options.views[digit] = SavedView(name: "x", query: RowQuery()) }
        #expect(press(&model, ";", then: .enter).isEmpty)
        #expect(model.options.views.count == 5)
    }

    @Test("A view whose filter is not understood says so, and what is wrong with it")
    func brokenFilter() {
        var model = GoldenScenes.start(Size(columns: 80, rows: 24), rows: GoldenRows.mockUp)
        model.options.views[6] = SavedView(words: "big | filter size:>abc")
        _ = press(&model, "6", then: .up)
        let toast = model.toasts.current
        #expect(toast?.isError == true)
        #expect(
            toast?.text.string.hasPrefix(ViewErrors.filterIgnored("View 6: big", "").string) == true)
    }
}

import DashboardTestSupport
import DashboardView
import Testing

@testable import Dashboard

/// Limits on how fast bodies move, as keys change them.
@Suite("Limits of speed by key")
struct UpdateRateTests {
    private func model() -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 120, rows: 20)))
        let rows = (UInt64(1)...2).map { id in
            var row = RowSnapshot(id: id, kind: .download, name: "file", url: "http://a.example/file")
            row.state = .running
            return row
        }
        _ = update(&model, .rows(rows))
        return model
    }

    /// Presses a key, replaces what the prompt begins with and accepts it.
    private func answer(_ model: inout Model, key: Character, _ text: String) -> [Effect] {
        _ = update(&model, .key(.character(key)))
        _ = update(&model, .key(.control("u")))
        for character in text { _ = update(&model, .key(.character(character))) }
        return update(&model, .key(.enter))
    }

    private func plan(_ download: String, _ upload: String = "off") throws -> RatePlan {
        var plan = RatePlan()
        plan.download = try RateSchedule(download)
        plan.upload = try RateSchedule(upload)
        return plan
    }

    @Test("The limits of all are asked for beside those in force, and one rate is that of downloads, which is said")
    func all() throws {
        var model = model()
        var rates = RatesInForce()
        rates.upload = 2_048
        _ = update(&model, .bounded(rates))
        _ = update(&model, .key(.character("b")))
        guard case .prompt(let prompt) = model.overlay else { Issue.record("no prompt"); return }
        #expect(prompt.field.isEmpty)
        for (columns, words) in [
            (120, "off (now down off, up 2k):"), (80, "(now down off, up 2k):"), (40, "Speed limit:"),
        ] {
            let size = Size(columns: columns, rows: 10)
            let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            #expect(text.contains(words), "\(columns): \(text)")
        }
        _ = update(&model, .key(.escape))
        #expect(answer(&model, key: "b", "512k") == [.send(.setRates(try plan("512k")))])
        #expect(model.toasts.current?.text == LimitToasts.downloads("512k", uploads: "off"))
        #expect(answer(&model, key: "b", "2M 100k") == [.send(.setRates(try plan("2M", "100k")))])
        #expect(model.toasts.current?.text == LimitToasts.speeds("down 2M; up 100k"))
        #expect(
            answer(&model, key: "b", "08:00,1M 18:00,off") == [.send(.setRates(try plan("08:00,1M 18:00,off", "100k")))]
        )
        #expect(model.settings.contains(SettingLine(name: "limit-rate", value: "08:00,1M 18:00,off")))
    }

    @Test("A wrong answer stays in the prompt, which says what is wrong", arguments: ["fast", "1 2 3", "", "08:00,x"])
    func wrong(text: String) {
        var model = model()
        #expect(answer(&model, key: "b", text) == [])
        guard case .prompt(let prompt) = model.overlay else { Issue.record("no prompt"); return }
        #expect(prompt.problem?.string.hasPrefix(LimitErrors.invalid("").string) == true)
    }

    @Test("The selected task gets limits of its own, and an empty answer takes them away")
    func tasks() {
        var model = model()
        #expect(
            answer(&model, key: "u", "300k") == [.send(.limitTasks([1], TaskRates(download: 307_200, upload: nil)))])
        #expect(
            answer(&model, key: "u", "1M 1k") == [
                .send(.limitTasks([1], TaskRates(download: 1_048_576, upload: 1_024)))
            ])
        #expect(answer(&model, key: "u", "") == [.send(.limitTasks([1], nil))])
        #expect(model.toasts.current?.text == LimitToasts.tasksFreed(1))
    }

    @Test("One rate limits what a task moves: an upload sends it, and tasks of both kinds move it both ways")
    func directions() {
        var model = model()
        var upload = RowSnapshot(id: 2, kind: .upload, name: "up", url: "http://a.example/up")
        upload.state = .running
        _ = update(&model, .rows([upload]))
        _ = update(&model, .key(.down))
        #expect(answer(&model, key: "u", "1k") == [.send(.limitTasks([2], TaskRates(upload: 1_024)))])
        #expect(model.toasts.current?.text == LimitToasts.tasks(1, "down global, up 1k"))
        _ = update(&model, .key(.character("A")))
        #expect(
            answer(&model, key: "u", "1k") == [.send(.limitTasks([1, 2], TaskRates(download: 1_024, upload: 1_024)))])
    }

    @Test("The limits of a task whose own are known are as before with z, those of several are not")
    func undoneOfTask() {
        var model = model()
        var details = RowDetails()
        _ = update(&model, .details(1, details))
        _ = answer(&model, key: "u", "off")
        details.rates = TaskRates(download: .off)
        _ = update(&model, .details(1, details))
        _ = update(&model, .key(.character("u")))
        guard case .prompt(let prompt) = model.overlay else { Issue.record("no prompt"); return }
        #expect(prompt.titles.first?.string.hasSuffix("(now down off, up global):") == true)
        _ = update(&model, .key(.escape))
        #expect(
            answer(&model, key: "u", "1M 1k") == [
                .send(.limitTasks([1], TaskRates(download: 1_048_576, upload: 1_024)))
            ])
        #expect(update(&model, .key(.character("z"))) == [.send(.undo(.limitTasks([1], TaskRates(download: .off))))])
        #expect(update(&model, .key(.character("z"))) == [.send(.undo(.limitTasks([1], nil)))])
        #expect(model.toasts.current?.text == LimitToasts.tasksFreed(1))

        _ = update(&model, .key(.escape))
        _ = update(&model, .key(.character("A")))
        _ = answer(&model, key: "u", "1k")
        #expect(update(&model, .key(.character("z"))) == [])
        #expect(model.toasts.current?.text == UndoReasons.limits("u"))
    }

    @Test("Limits that were changed are as before with z, one step after the other")
    func undone() throws {
        var model = model()
        _ = answer(&model, key: "b", "512k")
        _ = answer(&model, key: "b", "off 1M")
        #expect(update(&model, .key(.character("z"))) == [.send(.undo(.setRates(try plan("512k"))))])
        #expect(update(&model, .key(.character("z"))) == [.send(.undo(.setRates(RatePlan())))])
        #expect(model.options.rates == RatePlan())
    }

    @Test(
        "The header shows what may move beside what moves",
        arguments: [(80, "down 0B of 512K/s"), (140, "down 0 B/s of 512 KiB/s")])
    func header(columns: Int, words: String) {
        var model = model()
        _ = update(&model, .resized(Size(columns: columns, rows: 20)))
        func header() -> String {
            GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities(glyphs: .ascii)))
                .split(separator: "\n").first.map(String.init) ?? ""
        }
        #expect(!header().contains("512K"))
        var rates = RatesInForce()
        rates.download = 524_288
        _ = update(&model, .bounded(rates))
        #expect(header().contains(words), "\(header())")
    }
}

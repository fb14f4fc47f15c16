import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("A list opened in the form")
struct UpdateListTests {
    private func press(_ model: inout Model, _ text: String, then keys: KeyPress...) -> [Effect] {
        (text.map(KeyPress.character) + keys).flatMap { update(&model, .key($0)) }.filter { effect in
            if case .lookUp = effect { false } else { true }
        }
    }

    private func model() -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 80, rows: 24)))
        return model
    }

    private func form(of model: Model) throws -> AddForm {
        guard case .addForm(let form) = model.overlay else { throw NoForm() }
        return form
    }

    private struct NoForm: Error {}

    private let jobs = [Job(kind: .download, url: "http://h/a"), Job(kind: .download, url: "http://h/b")]

    @Test(
        "A path in place of the URL is a list, a URL is none",
        arguments: [
            ("/tmp/urls", true), ("~/urls.txt", true), ("./urls", true), ("../urls", true), ("example.org/a", false),
            ("http://h/", false), ("file", false), ("~other", false),
        ])
    func paths(text: String, isList: Bool) {
        var form = AddForm()
        form[.url] = TextField(text)
        #expect((form.listPath != nil) == isList)
        var edited = AddForm(editing: jobs[0], of: 7)
        edited[.url] = TextField(text)
        #expect(edited.listPath == nil)
    }

    @Test("The list is read with the form's settings, and its tasks are added")
    func reads() throws {
        var model = model()
        var defaults = Job(kind: .download, url: "")
        defaults.tag = "night"
        _ = press(&model, "a")
        var form = try form(of: model)
        form[.options] = TextField("tag=night")
        model.overlay = .addForm(form)
        #expect(press(&model, "~/urls.txt", then: .enter) == [.readList(path: "~/urls.txt", defaults: defaults)])
        #expect(model.overlay == nil)
        #expect(update(&model, .list(jobs, problem: nil)) == [.send(.add(jobs))])
        #expect(model.toasts.current?.text == TaskToasts.added(2))
        // An answer that nothing waits for adds nothing.
        #expect(update(&model, .list(jobs, problem: nil)).isEmpty)
    }

    @Test("With a wrong list the form comes back with the reason, unless something else is open by then")
    func wrong() throws {
        var model = model()
        _ = press(&model, "a~/urls.txt", then: .enter)
        #expect(update(&model, .list([], problem: "urls.txt:2: no")).isEmpty)
        let form = try form(of: model)
        #expect(form.problem == "urls.txt:2: no" && form.problemField == .url && form[.url].text == "~/urls.txt")
        _ = press(&model, "", then: .enter)
        _ = press(&model, "?")
        #expect(update(&model, .list([], problem: "urls.txt:2: no")).isEmpty)
        #expect(model.screen == .help)
        #expect(model.toasts.current?.text == "urls.txt:2: no")
    }

    @Test("A second list waits for the first, whose form and problem stay its own")
    func two() throws {
        var model = model()
        _ = press(&model, "a/tmp/first", then: .enter)
        #expect(press(&model, "a/tmp/second", then: .enter).isEmpty)
        #expect(try form(of: model).problem == FormErrors.listIsBeingRead)
        #expect(update(&model, .list(jobs, problem: nil)) == [.send(.add(jobs))])
        #expect(try form(of: model)[.url].text == "/tmp/second")
    }

    @Test("A list has no one name, checksum or kind")
    func settings() throws {
        let changes: [(AddForm.Field, SafeText, (inout AddForm) -> Void)] = [
            (.name, FormErrors.oneNameForSeveral, { $0[.name] = TextField("a.iso") }),
            (
                .checksum, FormErrors.oneChecksumForSeveral,
                { $0[.checksum] = TextField("md5=" + String(repeating: "0", count: 32)) }
            ),
            (.kind, FormErrors.listOfDownloads, { $0.kind = .data }),
        ]
        for (field, sentence, change) in changes {
            var form = AddForm()
            form[.url] = TextField("/tmp/urls")
            change(&form)
            #expect(throws: AddForm.Problem(field: field, sentence: sentence)) { try form.listDefaults() }
        }
    }

    @Test("Tab completes the path")
    func completes() {
        var model = model()
        #expect(press(&model, "a/tmp/ur", then: .tab) == [.completePath("/tmp/ur")])
        _ = update(&model, .completions("/tmp/ur", ["/tmp/urls.txt"]))
        let paths = press(&model, "", then: .enter).compactMap { effect -> String? in
            if case .readList(let path, _) = effect { path } else { nil }
        }
        #expect(paths == ["/tmp/urls.txt"])
    }
}

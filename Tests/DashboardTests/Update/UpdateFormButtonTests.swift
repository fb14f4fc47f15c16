import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("The add form's check boxes and buttons")
struct UpdateFormButtonTests {
    private enum Problem: Error { case noForm }

    private func form(of model: Model) throws -> AddForm {
        guard case .addForm(let form) = model.overlay else { throw Problem.noForm }
        return form
    }

    /// What was asked for, without the questions about places.
    private func press(_ model: inout Model, _ keys: [KeyPress]) -> [Effect] {
        keys.flatMap { update(&model, .key($0)) }.filter { if case .lookUp = $0 { false } else { true } }
    }

    private func opened(_ text: String = "") -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 80, rows: 24)))
        _ = press(&model, [.character("a")] + text.map(KeyPress.character))
        return model
    }

    @Test("The focus goes through the fields, the boxes and the buttons, and round", arguments: Job.Kind.allCases)
    func focusOrder(kind: Job.Kind) throws {
        var model = opened()
        while try form(of: model).kind != kind { _ = press(&model, [.tab, .right, .backTab]) }
        var seen: [AddForm.Field] = []
        repeat {
            seen.append(try form(of: model).focus)
            _ = press(&model, [.down])
        } while try form(of: model).focus != .url
        let middle: [AddForm.Field] = kind == .download ? [.name, .checksum, .continues] : [.body]
        #expect(
            seen == [.url, .kind, .method, .headers] + middle + [.startsPaused, .options, .add, .addAnother, .cancel])
        _ = press(&model, [.backTab])
        #expect(try form(of: model).focus == .cancel)
    }

    @Test("The resume box begins as the configuration says, and decides whether a part is gone on with")
    func resumeBox() throws {
        for isOn in [true, false] {
            var model = Model()
            model.jobDefaults.continues = isOn
            _ = press(&model, [.character("a")] + "http://h/f".map(KeyPress.character))
            #expect(try form(of: model).continues == isOn)
            _ = press(&model, [.backTab, .backTab, .backTab, .backTab, .backTab, .backTab])
            #expect(try form(of: model).focus == .continues)
            var job = Job(kind: .download, url: "http://h/f")
            job.continues = !isOn
            #expect(update(&model, .key(.character(" "))) == [.lookUp(job)], "The note is about the other choice now")
            #expect(press(&model, [.enter]) == [.send(.add([job]))])
        }
    }

    @Test("The box tells of a task that is edited and of a pasted curl command what would happen to it")
    func resumeBoxOfOthers() throws {
        var job = Job(kind: .download, url: "http://h/f")
        job.continues = false
        var model = Model()
        _ = update(&model, .edit(1, job))
        #expect(try form(of: model).continues == false)
        model.overlay = nil
        model.jobDefaults.continues = false
        _ = update(&model, .paste("curl -O http://h/f"))
        #expect(try form(of: model).continues == false)
    }

    @Test("Left and right go from box to box and from button to button, and stop at the ends")
    func sideways() throws {
        var model = opened()
        _ = press(&model, [.backTab, .left, .left, .left])
        #expect(try form(of: model).focus == .add)
        _ = press(&model, [.right, .right, .right])
        #expect(try form(of: model).focus == .cancel)
        _ = press(&model, [.left, .left, .backTab, .backTab, .left, .left])
        #expect(try form(of: model).focus == .continues)
        _ = press(&model, [.right])
        #expect(try form(of: model).focus == .startsPaused)
    }

    @Test("The buttons do what they say, by Enter and by a blank", arguments: [KeyPress.enter, .character(" ")])
    func buttons(key: KeyPress) throws {
        let job = Job(kind: .download, url: "http://h/f")
        var model = opened("http://h/f")
        #expect(press(&model, [.backTab, key]).isEmpty)
        #expect(model.overlay == nil)
        model = opened("http://h/f")
        #expect(press(&model, [.backTab, .backTab, key]) == [.send(.add([job]))])
        #expect(try form(of: model).focus == .url)
        model = opened("http://h/f")
        #expect(press(&model, [.backTab, .backTab, .backTab, key]) == [.send(.add([job]))])
        #expect(model.overlay == nil)
    }

    @Test("Add another adds, forgets what belonged to that task and keeps the rest")
    func addAnother() throws {
        var model = Model()
        model.jobDefaults.ifExists = .skip
        model.jobDefaults.headers = ["Authorization": "Bearer 1"]
        _ = press(&model, [.character("a")] + "http://h/d/a.iso".map(KeyPress.character))
        _ = press(&model, [.tab, .tab] + "post".map(KeyPress.character))
        _ = press(&model, [.tab, .tab] + "x.iso".map(KeyPress.character))
        let hex = String(repeating: "a", count: 32)
        _ = press(&model, [.down] + ("md5=" + hex).map(KeyPress.character))
        _ = press(&model, [.down, .character(" "), .down, .character(" ")])
        var job = model.jobDefaults
        job.url = "http://h/d/a.iso"
        job.method = "POST"
        job.output = .name("x.iso")
        job.checksum = Job.Checksum(algorithm: .md5, hex: hex)
        job.continues = false
        job.startsPaused = true
        #expect(press(&model, [.control("n")]) == [.send(.add([job]))])
        let form = try form(of: model)
        #expect(form.added == "x.iso")
        #expect(form.focus == .url)
        #expect(form.lookup == nil)
        for field: AddForm.Field in [.url, .name, .checksum, .body] { #expect(form[field].isEmpty, "\(field)") }
        #expect(form[.method].text == "post")
        #expect(form[.headers].text == "Authorization: •••")
        #expect(model.toasts.current?.text == TaskToasts.added(1))
        // The next one is asked for with the same settings, the secret and the policy included.
        job.url = "http://h/b"
        job.output = .automatic
        job.checksum = nil
        #expect(press(&model, "http://h/b".map(KeyPress.character) + [.enter]) == [.send(.add([job]))])
        #expect(model.overlay == nil)
        // Both can be had again with the arrow keys.
        _ = press(&model, [.character("a"), .up, .up])
        #expect(try self.form(of: model)[.url].text == "http://h/d/a.iso")
    }

    @Test("Add another forgets the file of an upload, which has to be named anew")
    func addAnotherUpload() throws {
        var upload = Job(kind: .upload, url: "http://h/in/a")
        upload.body = .file(path: "/a")
        var model = Model()
        _ = update(&model, .edit(1, upload))
        #expect(press(&model, [.control("n")]) == [.send(.add([upload]))])
        #expect(press(&model, "http://h/in/b".map(KeyPress.character) + [.enter]).isEmpty)
        #expect(try form(of: model).problem == FormErrors.noUpload)
        #expect(try form(of: model).focus == .body)
    }

    @Test("Add another forgets the list that was pasted, and says how many tasks were added")
    func addAnotherAfterList() throws {
        var model = opened()
        _ = update(&model, .paste("http://h/1\nhttp://h/2"))
        let jobs = ["http://h/1", "http://h/2"].map { Job(kind: .download, url: $0) }
        #expect(press(&model, [.control("n")]) == [.send(.add(jobs))])
        #expect(try form(of: model).furtherURLs.isEmpty)
        #expect(try form(of: model).added == "2 tasks")
        // The word goes with the first letter of the next task.
        _ = press(&model, [.character("h")])
        #expect(try form(of: model).added == nil)
    }

    @Test("What is wrong keeps the form as it is, also for another")
    func addAnotherProblem() throws {
        var model = opened("ftp://h/f")
        #expect(press(&model, [.control("n")]).isEmpty)
        #expect(try form(of: model)[.url].text == "ftp://h/f")
        #expect(try form(of: model).added == nil)
        #expect(try form(of: model).problem == FormErrors.unsupportedScheme)
    }

    @Test(
        "A URL that no connection can be made to is refused with what is wrong with it",
        arguments: [
            ("http://", URLErrors.noHost), ("http://[]/", URLErrors.noHost),
            ("http://[::1", URLErrors.openAddress),
            ("http://[::1]x/", URLErrors.textBehindAddress),
            ("http://h:99999/", URLErrors.port),
            ("h:0/", URLErrors.port),
            ("http://a^b/", URLErrors.hostCharacters),
            ("'}*0z", URLErrors.hostCharacters),
            ("htp:/x", FormErrors.unsupportedScheme), ("http:/h/x", FormErrors.unsupportedScheme),
            ("mailto:a", FormErrors.unsupportedScheme),
        ])
    func unusableURL(url: String, problem: SafeText) throws {
        var model = opened(url)
        #expect(press(&model, [.control("n")]).isEmpty)
        #expect(try form(of: model).problem == problem)
    }

    @Test(
        "A URL without a scheme gets https",
        arguments: ["h:8080/f", "me@h/f", "h/f?from=http://other/", "me:secret@h/f"])
    func withoutScheme(text: String) {
        var model = opened(text)
        var job = Job(kind: .download, url: "https://" + text)
        job.guessesScheme = true
        #expect(press(&model, [.control("n")]) == [.send(.add([job]))])
    }

    @Test("A task that was in the list already is not called added")
    func repetition() throws {
        var model = opened("http://h/f")
        _ = press(&model, [.control("n")])
        _ = update(&model, .repetitions(1, of: 1))
        #expect(try form(of: model).added == nil)
        #expect(try form(of: model).problem == TaskToasts.alreadyInList(1))
        #expect(model.toasts.current?.isError == true)
        model = opened("http://h/f")
        _ = press(&model, [.enter])
        _ = update(&model, .repetitions(1, of: 1))
        #expect(model.toasts.current?.text == TaskToasts.alreadyInList(1))
        #expect(model.toasts.events.map(\.text) == [TaskToasts.alreadyInList(1)], "Nothing was added")
        model = opened("http://h/f")
        _ = update(&model, .paste("http://h/f\nhttp://h/g\nhttp://h/i"))
        _ = press(&model, [.enter])
        _ = update(&model, .repetitions(1, of: 3))
        #expect(model.toasts.events.map(\.text) == [TaskToasts.added(2), TaskToasts.alreadyInList(1)])
    }

    @Test("The line that says what was added is seen, and the selected button too, at every size")
    func sizes() {
        for size in GoldenScreenTests.sizes {
            var model = GoldenScenes.start(size, rows: [])
            _ = press(&model, [.character("a")] + "http://h/f.iso".map(KeyPress.character) + [.control("n")])
            var text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            #expect(text.contains("f.iso added"), "\(size)")
            for (key, words) in [(KeyPress.backTab, "[ Cancel ]"), (.left, "[ Add another ]"), (.left, "[ Add ]")] {
                _ = press(&model, [key])
                text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
                #expect(text.contains(words), "\(words) at \(size)")
            }
            _ = press(&model, [.backTab, .backTab])
            text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            #expect(text.contains("[ ] start paused"), "\(size)")
            _ = press(&model, [.left])
            text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
            #expect(text.contains("[x] resume"), "\(size)")
        }
    }
}

import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView
@testable import TransferValues

@Suite("Editing a task")
struct UpdateEditTests {
    private func model(_ state: RowState) -> Model {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 100, rows: 30)))
        var row = RowSnapshot(id: 7, kind: .download, name: "f", url: "http://h/f")
        row.state = state
        _ = update(&model, .rows([row]))
        return model
    }

    private func press(_ model: inout Model, _ keys: [KeyPress]) -> [Effect] {
        keys.flatMap { update(&model, .key($0)) }.filter { effect in
            switch effect {
            case .watch, .lookUp: false
            default: true
            }
        }
    }

    private func form(of model: Model) throws -> AddForm {
        guard case .addForm(let form) = model.overlay else { throw NoForm() }
        return form
    }

    private struct NoForm: Error {}

    private var job: Job {
        var job = Job(kind: .download, url: "http://h/f", directory: "/home/me/isos")
        job.output = .name("old.iso")
        return job
    }

    @Test(
        "A task is changed in its place, in a form that says so; the service stops one that is under way",
        arguments: RowState.allCases)
    func replaces(state: RowState) throws {
        var model = model(state)
        _ = update(&model, .edit(7, job))
        let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(text.contains("Edit task"))
        #expect(text.contains("[ Save ]  Add as new"))
        #expect(text.contains("Enter Save  ^N Add as new  Esc Cancel"))
        #expect(text.contains("Save stops the task") == !state.isFinal)
        #expect(try form(of: model).startsPaused == state.isPaused)
        var saved = job
        saved.startsPaused = state.isPaused
        #expect(press(&model, [.enter]) == [.send(.replace(7, with: saved))])
        #expect(model.overlay == nil)
        var earlier = job
        earlier.startsPaused = true
        _ = update(&model, .edit(7, earlier))
        #expect(try form(of: model).startsPaused == state.isPaused, "An earlier edit may have paused it")
        #expect(press(&model, [.enter]) == [.send(.replace(7, with: saved))])
        let told = state.isPaused ? TaskToasts.savedPaused : state.isFinal ? TaskToasts.saved : TaskToasts.savedStopping
        #expect(model.toasts.current?.text == told)
    }

    @Test("A server that nobody checks is told, and a secret that was not kept has to be written out")
    func options() throws {
        var model = model(.failed)
        var unchecked = job
        unchecked.url = "https://h/a"
        unchecked.options = [JobOption.Value(.insecure)]
        _ = update(&model, .edit(7, unchecked))
        #expect(press(&model, [.enter]) == [.send(.replace(7, with: unchecked))])
        let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(text.contains(TrustErrors.certificatesUnverified("h").string))
        var masked = job
        masked.options = [JobOption.Value(.user, "me:***")]
        _ = update(&model, .edit(7, masked))
        #expect(press(&model, [.enter]) == [])
        #expect(try form(of: model).problem?.string == FormErrors.hiddenOption("user"))
    }

    @Test(
        "A form without its secrets opens at the first field that has to be entered again, and is not saved without",
        arguments: [
            (["Authorization": "***", "X-Api-Key": "***"], "", AddForm.Field.headers, "Authorization, X-Api-Key"),
            ([:], "me:***", .options, "user"),
        ] as [([String: String], String, AddForm.Field, String)])
    func lostSecrets(headers: [String: String], user: String, field: AddForm.Field, names: String) throws {
        var model = model(.failed)
        var masked = job
        for name in headers.keys.sorted() { masked.headers.append(name: name, value: headers[name] ?? "") }
        if !user.isEmpty { masked.options = [JobOption.Value(.user, user)] }
        _ = update(&model, .edit(7, masked))
        for effects in [[], press(&model, [.enter])] {
            #expect(effects.isEmpty)
            let form = try form(of: model)
            #expect(form.problemField == field && form.focus == field)
            #expect(form.problem?.string.contains(names) == true)
        }
        let text = GoldenFiles.text(of: view(model, size: model.size, capabilities: ViewCapabilities()))
        #expect(text.contains("! Retype the "))
        _ = update(&model, .edit(7, job))
        #expect(try form(of: model).problem == nil && form(of: model).focus == .url)
    }

    @Test("Add as new leaves the edited task as it is, by key and by button, and the form goes")
    func addsAsNew() throws {
        for keys: [KeyPress] in [[.control("n")], [.backTab, .left, .enter]] {
            var model = model(.failed)
            _ = update(&model, .edit(7, job))
            #expect(press(&model, keys) == [.send(.add([job]))])
            #expect(model.overlay == nil)
        }
    }

    @Test("The form shows where the file goes, and keeps folder and name")
    func keepsPlace() throws {
        var model = model(.failed)
        _ = update(&model, .edit(7, job))
        #expect(try form(of: model)[.name].text == "/home/me/isos/old.iso")
        var unnamed = job
        unnamed.output = .automatic
        _ = update(&model, .edit(7, unnamed))
        #expect(try form(of: model)[.name].text == "/home/me/isos/")
        #expect(press(&model, [.enter]) == [.send(.replace(7, with: unnamed))])
        // A new name stays in the folder.
        _ = update(&model, .edit(7, job))
        var renamed = job
        renamed.output = .name("new.iso")
        #expect(
            press(&model, [.tab, .tab, .tab, .tab, .control("u")] + "new.iso".map(KeyPress.character) + [.enter])
                == [.send(.replace(7, with: renamed))])
    }

    @Test("The output of a data request is kept")
    func keepsOutput() throws {
        var request = Job(kind: .data, url: "http://h/api")
        request.output = .name("answer.json")
        var model = model(.failed)
        _ = update(&model, .edit(7, request))
        #expect(press(&model, [.enter]) == [.send(.replace(7, with: request))])
    }

    @Test("Tab passes by a place that nobody has touched, and completes one that was typed")
    func tab() throws {
        var model = model(.failed)
        _ = update(&model, .edit(7, job))
        #expect(press(&model, [.tab, .tab, .tab, .tab, .tab]).isEmpty)
        #expect(try form(of: model).focus == .checksum)
        #expect(
            press(&model, [.backTab, .control("u"), .tab, .backTab, .character("x"), .tab]) == [.completePath("x")])
    }

    @Test("A task that fails again says so, also when nobody saw it run, and a row that is told twice says it once")
    func failsAgain() throws {
        var model = model(.running)
        var row = RowSnapshot(id: 7, kind: .download, name: "f", url: "http://h/f")
        row.state = .failed
        row.error = "401 Unauthorized"
        for (index, endedAt) in [Int64(2000), 3000, 3000].enumerated() {
            row.endedAt = endedAt
            _ = update(&model, .clock(20_000 * Int64(index + 1)))
            _ = update(&model, .rows([row]))
            let text = model.toasts.current?.text.string
            #expect(text?.hasPrefix("f failed: 401 Unauthorized") == (index < 2 ? true : nil), "\(index)")
        }
    }

    @Test("A job that the list has already comes back in the form as it was typed, with the reason")
    func refused() throws {
        var model = model(.failed)
        _ = update(&model, .edit(7, job))
        #expect(press(&model, [.enter]) == [.send(.replace(7, with: job))])
        _ = update(&model, .edit(7, job, problem: "Another task does that"))
        #expect(try form(of: model).problem == "Another task does that")
        #expect(model.toasts.current?.isError == true)
        #expect(press(&model, [.enter]) == [.send(.replace(7, with: job))])
    }

    @Test("A refused edit does not stay told as saved, and a removed task is not saved but can be added as a new one")
    func overtaken() throws {
        var model = model(.running)
        _ = update(&model, .edit(7, job))
        #expect(press(&model, [.enter]).count == 1)
        #expect(model.toasts.current?.text == TaskToasts.savedStopping)
        _ = update(&model, .edit(7, job, problem: "Another window's change stands"))
        #expect(model.toasts.current?.text == "Another window's change stands")
        #expect(!model.toasts.toasts.contains { $0.text == TaskToasts.savedStopping })
        _ = update(&model, .removed([7]))
        #expect(press(&model, [.enter]).isEmpty)
        #expect(try form(of: model).problem == FormErrors.taskRemoved)
        #expect(press(&model, [.control("n")]) == [.send(.add([job]))])
    }

    @Test("A task that leaves the list while its edit is on the way keeps its form, which does not save it")
    func removedMeanwhile() throws {
        var model = model(.failed)
        _ = update(&model, .edit(7, job))
        #expect(press(&model, [.enter]).count == 1)
        _ = update(&model, .removed([7]))
        _ = update(&model, .edit(7, job, problem: "No task #7"))
        #expect(press(&model, [.enter]).isEmpty)
        #expect(try form(of: model).problem == FormErrors.taskRemoved)
    }

    @Test("Hidden parts of a URL keep what they stand for, unless they would go to another server")
    func hiddenParts() throws {
        var secret = job
        secret.url = "https://me:pw@h/f?token=abc&n=1"
        var model = model(.failed)
        _ = update(&model, .edit(7, secret))
        #expect(try form(of: model)[.url].text == "https://***@h/f?token=***&n=1")
        var edited = secret
        edited.url += "0"
        #expect(press(&model, [.character("0"), .enter]) == [.send(.replace(7, with: edited))])
        _ = update(&model, .edit(7, secret))
        let other = "https://elsewhere/f?token=***"
        #expect(press(&model, [.control("u")] + other.map(KeyPress.character) + [.enter]).isEmpty)
        #expect(try form(of: model).problem == FormErrors.hiddenURL)
    }

    @Test("The URLs of a list that is pasted into the form become tasks of their own")
    func pastedList() throws {
        var model = model(.failed)
        var plain = job
        plain.output = .automatic
        _ = update(&model, .edit(7, plain))
        _ = update(&model, .paste("http://h/1\nhttp://h/2"))
        var (first, second) = (plain, plain)
        (first.url, second.url) = ("http://h/1", "http://h/2")
        #expect(press(&model, [.enter]) == [.send(.replace(7, with: first)), .send(.add([second]))])
    }
}

@Suite("The place of a download in the form")
struct FormPlaceTests {
    private func jobs(saveAs name: String, urls: String...) throws -> [Job] {
        var form = AddForm()
        _ = form.paste(urls.joined(separator: "\n"))
        form[.name] = TextField(name)
        return try form.jobs()
    }

    @Test(
        "A slash at the end makes a folder, in which the server names the file",
        arguments: [("isos/", "./isos"), ("/", "/"), ("/srv/isos/", "/srv/isos"), ("../", "./..")])
    func folder(name: String, folder: String) throws {
        let job = try #require(jobs(saveAs: name, urls: "http://h/f").first)
        let destination = JobDestination.resolve(job, defaultDirectory: nil)
        #expect(destination.folder == folder)
        #expect(destination.name == nil)
    }

    @Test("Several URLs go into one folder, but not under one name")
    func severalURLs() throws {
        #expect(try jobs(saveAs: "isos/", urls: "http://h/1", "http://h/2").map(\.output.isFolder) == [true, true])
        #expect(throws: AddForm.Problem.self) { try jobs(saveAs: "isos", urls: "http://h/1", "http://h/2") }
    }

    @Test(
        "What cannot be a file's name is refused in the form",
        arguments: [".", "..", "a/..", String(repeating: "x", count: 256)])
    func refused(name: String) {
        #expect(
            performing: { try jobs(saveAs: name, urls: "http://h/f") },
            throws: { ($0 as? AddForm.Problem)?.field == .name })
    }
}

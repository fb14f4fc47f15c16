import Testing

@testable import Dashboard

@Suite("The add form")
struct UpdateFormTests {
    private func form(_ change: (inout AddForm) -> Void) -> AddForm {
        var form = AddForm()
        form[.url] = TextField("https://example.com/a.iso")
        change(&form)
        return form
    }

    @Test("What was left out of pasted text is told as long as that text is in the form")
    func pasteHints() {
        var model = Model()
        let (first, second) = ("curl --foo http://h/a", "curl http://h/b")
        for leave in [Message.paste(second), .key(.escape)] {
            _ = update(&model, .paste(first))
            #expect(model.toasts.current?.words == FormHints.ignoredOptions("--foo"))
            _ = update(&model, leave)
            #expect(model.toasts.current == nil)
            _ = update(&model, .key(.escape))
        }
    }

    @Test("A URL alone is a download")
    func plainURL() throws {
        let jobs = try form { _ in }.jobs()
        #expect(jobs == [Job(kind: .download, url: "https://example.com/a.iso")])
    }

    @Test("A URL without a scheme gets https")
    func schemeIsAdded() throws {
        #expect(try form { $0[.url] = TextField("example.com/x") }.jobs().first?.url == "https://example.com/x")
    }

    @Test("What a list says of a job its last line says too, and shows where the job differs from the others")
    func keysOfJobs() throws {
        let line =
            "proxy=http://h:3128; if-exists=skip; http2=yes; tag=a;b; priority=high; limit-rate=2M; limit-upload=off"
        let job = try #require(form { $0[.options] = TextField(line) }.jobs().first)
        #expect(job.ifExists == .skip && job.usesHTTP2 && job.tag == "a;b" && job.options.count == 1)
        #expect(job.rates == TaskRates(download: .bytesPerSecond(2 << 20), upload: .off))
        #expect(job.priority == .high)
        #expect(AddForm(editing: job)[.options].text == line)
        #expect(try AddForm(editing: job).jobs() == [job])
        #expect(AddForm(editing: job, defaults: job)[.options].text == "proxy=http://h:3128")
        // What is taken out of the line is as all have it.
        var edited = AddForm(editing: job)
        edited[.options] = TextField("tag=c")
        let plain = try #require(edited.jobs().first)
        #expect(plain.tag == "c" && plain.ifExists == .rename && !plain.usesHTTP2 && plain.rates == nil)
        #expect(plain.options.isEmpty)
    }

    @Test(
        "A key that cannot be read is named",
        arguments: [
            ("limit-rate=fast", "limit-rate: \(OptionUsage.rate("fast", problem: RateUsage.notRate))"),
            ("if-exists=maybe", "if-exists: \"maybe\" is not one of"),
            ("http2=maybe", "http2: takes yes or no, got \"maybe\""),
            ("proxy", OptionLineErrors.needsValue("proxy")), ("checksum=x", OptionLineErrors.ofField("checksum")),
            ("limit-rate=1.5", "limit-rate: \(OptionUsage.rate("1.5", problem: RateUsage.fraction))"),
            ("limitrate=1M", OptionLineErrors.unknown("limitrate")),
        ])
    func badKeys(line: String, sentence: String) {
        let form = form { $0[.options] = TextField(line) }
        let problem = #expect(throws: AddForm.Problem.self) { try form.jobs() }
        #expect(problem?.field == .options && problem?.sentence.string.hasPrefix(sentence) == true)
    }

    @Test("A variable without a value is told in the form, with its option, and adds nothing")
    func missingVariable() throws {
        var model = Model()
        model.variables = ["TOKEN"]
        for (line, sentence) in [
            ("user=me:@env:NOPE", FormErrors.variableUnset("user", "NOPE")),
            ("bearer=@env:NOPE", FormErrors.variableUnset("bearer", "NOPE")), ("bearer=@env:TOKEN", nil),
        ] {
            var form = AddForm()
            form[.url] = TextField("http://h/f")
            form[.options] = TextField(line)
            model.overlay = .addForm(form)
            let effects = update(&model, .key(.enter))
            guard let sentence else {
                #expect(model.overlay == nil && !effects.isEmpty)
                continue
            }
            guard case .addForm(let refused) = model.overlay else { Issue.record("no form"); return }
            #expect(refused.problem?.string == sentence)
            #expect(refused.problemField == .options)
        }
    }

    @Test("All fields reach the job")
    func allFields() throws {
        let hex = String(repeating: "a", count: 64)
        let job = try #require(
            form {
                $0[.method] = TextField("post")
                $0[.headers] = TextField("Accept: a/b; X-Y:z ")
                $0[.name] = TextField("out.iso")
                $0[.checksum] = TextField("sha-256=" + hex)
                $0.startsPaused = true
            }.jobs().first)
        #expect(job.method == "POST")
        #expect(job.headers == ["Accept": "a/b", "X-Y": "z"])
        #expect(job.output == .name("out.iso"))
        #expect(job.checksum == Job.Checksum(algorithm: .sha256, hex: hex))
        #expect(job.startsPaused)
    }

    @Test("Uploads take a file, data requests text or a file")
    func bodies() throws {
        let upload = form {
            $0.kind = .upload
            $0[.body] = TextField("/tmp/a b.bin")
        }
        #expect(try upload.jobs().first?.body == .file(path: "/tmp/a b.bin"))
        let data = form {
            $0.kind = .data
            $0[.body] = TextField("@x.json")
        }
        #expect(try data.jobs().first?.body == .file(path: "x.json"))
    }

    @Test("A typed curl command is told to be pasted")
    func typedCommand() {
        let form = form { $0[.url] = TextField("curl -I http://h/") }
        let problem = #expect(throws: AddForm.Problem.self) { try form.jobs() }
        #expect(problem?.sentence == FormErrors.typedCommand)
    }

    @Test(
        "What is wrong is said, and where",
        arguments: [
            (AddForm.Field.url, "", AddForm.Field.url), (.url, "ftp://a/b", .url), (.url, "https://a b", .url),
            (.url, "https:///x", .url),
            (.headers, "nonsense", .headers), (.checksum, "123", .checksum),
            (.checksum, "md5=" + String(repeating: "z", count: 32), .checksum),
            (.method, "GET /", .method),
        ])
    func problems(field: AddForm.Field, text: String, blamed: AddForm.Field) {
        let form = form { $0[field] = TextField(text) }
        #expect(performing: { try form.jobs() }, throws: { ($0 as? AddForm.Problem)?.field == blamed })
    }

    @Test("An upload without a file is refused")
    func uploadNeedsFile() {
        let form = form { $0.kind = .upload }
        #expect(performing: { try form.jobs() }, throws: { ($0 as? AddForm.Problem)?.field == .body })
    }

    @Test("A pasted list opens the form with all its URLs; a paste never fires keys")
    func pastedList() {
        var model = Model()
        #expect(update(&model, .paste("qQx")).isEmpty)
        #expect(model.overlay == nil)
        _ = update(&model, .paste("https://a/1\nnoise\nhttp://b/2\r\n  https://c/3  "))
        #expect(model.screen == .addForm)
        let effects = update(&model, .key(.enter))
        #expect(
            effects == [
                .send(.add(["https://a/1", "http://b/2", "https://c/3"].map { Job(kind: .download, url: $0) }))
            ])
    }

    @Test("Typing, moving between fields and choosing a kind work by key")
    func byKey() {
        var model = Model()
        let keys: [KeyPress] =
            [.character("a")] + "http://h/f".map { .character($0) } + [.tab, .right, .tab, .tab, .tab]
            + "/f".map { .character($0) } + [
                .enter
            ]
        let effects = keys.flatMap { update(&model, .key($0)) }.filter { effect in
            if case .lookUp = effect { false } else { true }
        }
        var job = Job(kind: .upload, url: "http://h/f")
        job.body = .file(path: "/f")
        #expect(effects == [.send(.add([job]))])
    }

    @Test("What lies at a download's place is asked for whenever it becomes another, and old answers are dropped")
    func place() {
        var model = Model()
        let first = Job(kind: .download, url: "http://h/f")
        #expect(update(&model, .paste("http://h/f")) == [.lookUp(first)])
        #expect(update(&model, .key(.tab)).isEmpty)
        let info = DestinationInfo(occupant: .file)
        let presses = [KeyPress.tab, .tab, .tab, .character("g")].flatMap { update(&model, .key($0)) }
        var second = first
        second.output = .name("g")
        #expect(presses == [.lookUp(second)])
        _ = update(&model, .lookedUp(first, info))
        #expect(Self.note(model) == "")
        _ = update(&model, .lookedUp(second, info))
        #expect(Self.note(model) == DestinationHints.numbers.string)
        // In a folder the file has the name of the URL. Nothing is asked of an upload and of a list.
        var third = first
        third.output = .name("g/")
        #expect(update(&model, .key(.character("/"))) == [.lookUp(third)])
        #expect(Self.note(model) == "")
        #expect(update(&model, .key(.backspace)) == [.lookUp(second)])
        #expect([.control("u")].flatMap { update(&model, .key($0)) } == [.lookUp(first)])
        #expect([.backTab, .backTab, .backTab, .right].flatMap { update(&model, .key($0)) }.isEmpty)
        #expect(update(&model, .key(.escape)).isEmpty)
        #expect(update(&model, .paste("http://h/1\nhttp://h/2")).isEmpty)
    }

    @Test("What the command line and the configuration say of every task holds for those of the form, too")
    func defaults() throws {
        var model = Model()
        model.jobDefaults.ifExists = .skip
        model.jobDefaults.continues = false
        model.jobDefaults.usesHTTP2 = true
        model.jobDefaults.headers = [
            "Authorization": "Bearer 1", "A": "b",
        ]
        var job = model.jobDefaults
        job.url = "http://h/f"
        #expect(update(&model, .key(.character("a"))).isEmpty)
        for character in "http://h/" { _ = update(&model, .key(.character(character))) }
        guard case .addForm(let form) = model.overlay else { throw Problem.noForm }
        #expect(form[.headers].text == "Authorization: •••; A: b", "What will be sent is seen, but no secret")
        #expect(
            update(&model, .key(.character("f"))).contains { effect in
                if case .lookUp(let asked) = effect { asked.ifExists == .skip && !asked.continues } else { false }
            })
        #expect(update(&model, .key(.enter)) == [.send(.add([job]))])
        // A list that is pasted has them, and so has a command of curl, which brings its own headers.
        _ = update(&model, .paste("http://h/f\nhttp://h/g"))
        var other = job
        other.url = "http://h/g"
        #expect(update(&model, .key(.enter)) == [.send(.add([job, other]))])
        _ = update(&model, .paste("curl -H 'C: d' -O http://h/f"))
        job.headers = ["C": "d"]
        let added = update(&model, .key(.enter))
        guard case .send(.add(let jobs)) = added.last else { throw Problem.noForm }
        #expect(jobs.map(\.ifExists) == [.skip])
        #expect(jobs.map(\.continues) == [false])
        #expect(jobs.map(\.usesHTTP2) == [true])
        #expect(jobs.map(\.headers) == [job.headers])
    }

    private enum Problem: Error { case noForm }

    private static func note(_ model: Model) -> String? {
        if case .addForm(let form) = model.overlay { form.outlook(units: .binary).string } else { nil }
    }

    @Test("The form of a task that is under way says whether it starts with the changes", arguments: [true, false])
    func inFlight(isPaused: Bool) {
        var form = AddForm(editing: Job(kind: .download, url: "http://h/f"), of: 1)
        (form.editsActiveTask, form.startsPaused) = (true, isPaused)
        #expect((form.outlook(units: .binary) == FormHints.savePauses) == isPaused)
    }

    @Test(
        "The note says what the policy does about a file, and from where a part is continued",
        arguments: [
            (DestinationInfo(), Job.IfExists.rename, SafeText.empty),
            (DestinationInfo(keptBytes: 2048), .fail, DestinationHints.partResumes(at: "2.0K")),
            (DestinationInfo(occupant: .obstacle), .overwrite, DestinationHints.obstacle),
            (DestinationInfo(occupant: .file), .fail, DestinationHints.fails),
            (DestinationInfo(occupant: .file, keptBytes: 9), .skip, DestinationHints.skips),
            (DestinationInfo(occupant: .file), .overwrite, DestinationHints.replaces),
            (
                DestinationInfo(occupant: .file, keptBytes: 2048), .rename,
                [DestinationHints.numbers, DestinationHints.resumes(at: "2.0K")].joined(by: ", ")
            ),
            (
                DestinationInfo(occupant: .file, numberedName: "f (2).iso"), .rename,
                DestinationHints.numbers("f (2).iso")
            ),
        ])
    func notes(info: DestinationInfo, policy: Job.IfExists, note: SafeText) {
        #expect(info.outlook(policy: policy, continues: true, units: .binary) == note)
    }

    @Test(
        "Without the resume box the note says that a part is not gone on with",
        arguments: [
            (DestinationInfo(), SafeText.empty),
            (DestinationInfo(keptBytes: 2048), DestinationHints.partRestarts("2.0K")),
            (
                DestinationInfo(occupant: .file, keptBytes: 2048),
                [DestinationHints.numbers, DestinationHints.restarts].joined(by: ", ")
            ),
        ])
    func notesWithoutResuming(info: DestinationInfo, note: SafeText) {
        #expect(info.outlook(policy: .rename, continues: false, units: .binary) == note)
    }

    @Test("A task that is edited keeps its folder and its policy in the question")
    func placeOfEdited() {
        var job = Job(kind: .download, url: "http://h/f")
        job.directory = "/d"
        job.ifExists = .skip
        job.output = .name("x")
        var model = Model()
        #expect(update(&model, .edit(1, job)) == [.lookUp(job)])
        job.output = .standardOutput
        #expect(update(&model, .edit(1, job)).isEmpty)
    }

    @Test("A text field edits as shells do, and drops control characters")
    func fieldEditing() {
        var field = TextField("one two\u{1B}\n three")
        #expect(field.text == "one two three")
        field.deleteWord()
        #expect(field.text == "one two ")
        field.moveToStart()
        field.deleteForward()
        field.moveRight()
        field.deleteToEnd()
        #expect(field.text == "n")
        field.moveToEnd()
        field.insert("👨‍👩‍👧")
        field.deleteBackward()
        #expect(field.text == "n")
        field.clear()
        field.deleteBackward()
        field.moveLeft()
        #expect(field.isEmpty)
    }
}

import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// What of a job a saved session keeps, and what it becomes again.
@Suite("Saved jobs")
struct SavedJobTests {
    private let factory = TaskFactory(manager: SessionManager(), directory: nil, printsBodies: false)

    private static let jobs: [Job] = {
        var named = Job(kind: .download, url: "https://example.org/a/file.bin?x=1")
        named.headers = ["Accept": "*/*", "X-Part": "1"]
        named.directory = "/downloads"
        named.output = .name("other.bin")
        named.checksum = Job.Checksum(algorithm: .md5, hex: "0a1b2c3d4e5f60718293a4b5c6d7e8f9")
        named.ifExists = .overwrite
        named.continues = false
        named.usesHTTP2 = true
        var plain = Job(kind: .download, url: "http://example.org/")
        plain.directory = "/"
        var upload = Job(kind: .upload, url: "http://example.org/in")
        upload.body = .file(path: "/payload")
        var request = Job(kind: .data, url: "http://example.org/api")
        request.method = "PATCH"
        request.body = .text("ä=1")
        var json = request
        json.body = .text("[1]")
        var typed = request
        typed.headers = ["Content-Type": "text/plain"]
        var limited = plain
        limited.rates = TaskRates(download: 102_400)
        var free = plain
        free.rates = TaskRates(upload: .off)
        return [named, plain, upload, request, json, typed, limited, free]
    }()

    @Test("A job that was stored and read again is the same job", arguments: jobs)
    func conversion(job: Job) throws {
        let row = TransferRow(id: 7, job: job)
        let stored = row.stored(by: factory)
        #expect(stored.id.rawValue == 7)
        #expect(SavedJob.job(of: stored, SavedJob.kept(stored.annotation)) == job)
        #expect(SavedJob.isKept(job, printsBodies: false))
        #expect(TransferRow(restoring: stored).job == job)
    }

    @Test("A row's state, priority and place survive", arguments: [(0, 7), (2, 1), (-2, 9_000), (-1, 7)])
    func place(priority: Int, position: Int) {
        var row = TransferRow(id: 7, job: Self.jobs[0])
        row.priority = Int8(priority)
        row.position = UInt64(position)
        row.run.isPausedInQueue = true
        let again = TransferRow(restoring: row.stored(by: factory))
        #expect(again.priority == row.priority)
        #expect(again.position == row.position)
        #expect(again.run.isPausedInQueue)
        #expect(again.run.result == nil)
        #expect(TransferRow(id: 7, job: Self.jobs[0]).storedPosition == 7)
    }

    @Test(
        "A stored response is the end of a request once its conditions or its status were judged",
        arguments: [
            ("status=2xx", true, 200, "GET", true), ("status=2xx", false, 200, "GET", false),
            ("header:A=b", false, 200, "GET", false), ("status=2xx", false, 200, "POST", false),
            (nil, false, 200, "GET", true), (nil, false, 404, "GET", false),
        ] as [(String?, Bool, Int, String, Bool)])
    func judged(_ story: (condition: String?, isMarked: Bool, status: Int, method: String, isDone: Bool)) {
        var job = Job(kind: .data, url: "http://example.org/api")
        job.method = story.method == "GET" ? nil : story.method
        if let condition = story.condition { job.options = [JobOption.Value(.assertion, condition)] }
        var row = TransferRow(id: 7, job: job)
        if story.isMarked { row.run.result = .completed }
        var stored = row.stored(by: factory)
        (stored.standing, stored.statusCode) = (.completed, story.status)
        let again = TransferRow(restoring: stored)
        #expect((again.run.result == .completed) == story.isDone && again.run.isUnjudged == !story.isDone)
        #expect(again.wantsTask == (!story.isDone && story.method == "GET"), "a POST waits for its user")
        #expect(again.job == job)
    }

    @Test("A row of an earlier run ended at one moment, however often it is read")
    func end() throws {
        var row = TransferRow(id: 7, job: Self.jobs[0])
        row.run.result = .completed
        (row.run.startedAt, row.run.endedAt) = (1_000, 3_500)
        let stored = row.stored(by: factory)
        let first = try #require(TransferRow(restoring: stored).run.endedAt)
        let length = first - (TransferRow(restoring: stored).run.startedAt ?? 0)
        #expect((2_499...2_501).contains(length))
        let moments = (0..<3_000).map { _ in TransferRow(restoring: stored).run.endedAt }
        #expect(moments.allSatisfy { $0 == first })
    }

    @Test("Stored rows are in the order of their priorities and places")
    func order() {
        let positions = [(2, 9), (2, 10), (0, 1), (0, 2), (-1, 1)].map { priority, position in
            var row = TransferRow(id: 7, job: Self.jobs[0])
            row.priority = Int8(priority)
            row.position = UInt64(position)
            return row.storedPosition
        }
        #expect(positions == positions.sorted())
    }

    @Test("A failed row comes back with its sentence, without the URL's secrets, and counts for an earlier run")
    func failure() {
        let url = "http://example.org/?token=sesame"
        var row = TransferRow(id: 7, job: Job(kind: .data, url: url))
        row.run.result = .failed(TransferFailure(kind: "http", category: .ordinary, message: "\(url) is gone"))
        row.run.lastStatus.received = 5
        let stored = row.stored(by: factory)
        #expect(!"\(stored.standing)".contains("sesame"))
        let again = TransferRow(restoring: stored)
        #expect(again.run.isEarlier)
        #expect(again.moved == 5)
        guard case .failed(let failure) = again.run.result else {
            Issue.record("\(String(describing: again.run.result))")
            return
        }
        #expect(failure.kind == "http")
        #expect(failure.message.hasSuffix("is gone"))
    }

    @Test(
        "Of a body with secrets a mask comes back, and the row says what to write again", arguments: Job.Kind.allCases)
    func secretBody(kind: Job.Kind) throws {
        guard kind != .download else { return }
        var job = Job(kind: kind, url: "http://example.org/", method: "PUT", body: .text("user=me&password=sesame"))
        job.tag = "mine"
        var stored = TransferRow(id: 7, job: job).stored(by: factory)
        // As the store leaves it out.
        stored.request.body = .none
        stored.needsCredentials = true
        #expect(stored.annotation?.contains("sesame") == false)
        let row = TransferRow(restoring: stored)
        #expect(row.lacksSecrets && row.job.body == .masked)
        guard case .failed(let failure) = row.run.result else {
            Issue.record("\(String(describing: row.run.result))")
            return
        }
        #expect(failure.message == ServiceErrors.secretsNotSaved("body"), "\(failure.message)")
        var form = AddForm()
        form.fill(from: row.job)
        #expect(throws: AddForm.Problem.self) { try form.jobs() }
    }

    @Test("What reads a stream, or writes a body as it comes, is of one run alone")
    func unkept() {
        var piped = Job(kind: .upload, url: "http://example.org/")
        piped.body = .standardInput
        var printed = Job(kind: .download, url: "http://example.org/")
        printed.output = .standardOutput
        var written = Job(kind: .data, url: "http://example.org/")
        written.output = .name("answer")
        for job in [piped, printed, written] { #expect(!SavedJob.isKept(job, printsBodies: false)) }
        #expect(!SavedJob.isKept(Self.jobs[3], printsBodies: true))
    }

    @Test("Relative paths of a saved job are made absolute, others stay")
    func paths() {
        var job = Job(kind: .download, url: "http://example.org/")
        #expect(SavedJob.absolute(job, directory: nil).directory?.hasPrefix("/") == true)
        #expect(SavedJob.absolute(job, directory: "/d").directory == "/d")
        #expect(SavedJob.absolute(job, directory: "d").directory?.hasSuffix("/d") == true)
        job.directory = "/own"
        #expect(SavedJob.absolute(job, directory: "/d").directory == "/own")
    }

    @Test("Sessions lie in the state folder, and a relative one is ignored")
    func folder() {
        #expect(UserFolder.sessions(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/netdash")
        #expect(UserFolder.sessions(environment: ["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/netdash")
        #expect(UserFolder.sessions(environment: [:]) == nil)
    }

    @Test("A ~ is the home that the environment names, and the user's where it names none")
    func home() {
        func path(_ typed: String, _ home: String?) -> String {
            UserFolder.expanding(typed, environment: home.map { ["HOME": $0] } ?? [:])
        }
        #expect(path("~", "/h") == "/h" && path("~/x/", "/h") == "/h/x" && path("~/", "/") == "/")
        #expect(path("~x/y", "/h") == "~x/y" && path("a~/b", "/h") == "a~/b" && path("/a/", "/h") == "/a/")
        #expect(path("~/x", "") == NSHomeDirectory() + "/x" && path("~/x", nil) == NSHomeDirectory() + "/x")
    }

    @Test("Sessions are named by --session, or refused with --ephemeral, and the demo has none")
    func options() throws {
        func choice(_ words: String...) throws -> SessionChoice {
            try CommandLine.parse(words).get().settings.session
        }
        #expect(try choice("http://h/") == .automatic)
        #expect(try choice("--session", "a.b-c_1", "http://h/") == .named("a.b-c_1"))
        #expect(try choice("--ephemeral") == .ephemeral)
        #expect(try choice("demo") == .ephemeral)
        for words in [
            ["--session", "../x"], ["--session="], ["--session", String(repeating: "a", count: 65)],
            ["--session", "a", "--ephemeral"], ["demo", "--session", "a"],
        ] {
            #expect(throws: UsageError.self) { try CommandLine.parse(words).get() }
        }
    }
}

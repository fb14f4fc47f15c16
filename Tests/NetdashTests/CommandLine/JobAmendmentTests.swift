import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("A line of settings for several tasks")
struct JobAmendmentTests {
    private func job(_ change: (inout Job) -> Void = { _ in }) -> Job {
        var job = Job(kind: .download, url: "http://h/f", headers: ["X-Old": "1"], directory: "/data")
        job.options = [JobOption.Value(.user, "me:old"), JobOption.Value(.insecure)]
        job.rates = TaskRates(download: 100)
        change(&job)
        return job
    }

    private func amended(_ line: String, _ job: Job? = nil) throws -> Job {
        try JobAmendment(line, defaults: Job(kind: .download, url: "")).applied(to: job ?? self.job())
    }

    @Test("What the line does not name stays as it is")
    func keeps() throws {
        #expect(try amended("user=me:new") == job { $0.options = [.init(.insecure), .init(.user, "me:new")] })
        #expect(try amended("tag=night") == job { $0.tag = "night" })
        #expect(try amended("limit-upload=off").rates?.download == job().rates?.download)
    }

    @Test("A name without a value removes the setting")
    func removes() throws {
        #expect(try amended("user=") == job { $0.options = [.init(.insecure)] })
        #expect(try amended("insecure=no") == job { $0.options = [.init(.user, "me:old")] })
        #expect(try amended("limit-rate=") == job { $0.rates = nil })
        #expect(try amended("header=x-old:") == job { $0.headers = [:] })
        #expect(try amended("dir=") == job { $0.directory = nil })
    }

    @Test("A header replaces the ones of its name, and its value may contain semicolons")
    func headers() throws {
        let headers = try amended("header=x-old: 2; header=Cookie: a=1; b=2").headers
        #expect(headers == ["x-old": "2", "Cookie": "a=1; b=2"])
    }

    @Test("A folder keeps the name of the file; only downloads have one")
    func folders() throws {
        for (output, expected): (Job.Output, Job.Output) in [
            (.automatic, .automatic), (.name("a.iso"), .name("a.iso")), (.name("sub/a.iso"), .name("sub/a.iso")),
            (.name("/old/a.iso"), .name("a.iso")), (.name("/old/"), .automatic), (.name("~/a.iso"), .name("a.iso")),
        ] {
            let moved = try amended("dir=/new", job { $0.output = output })
            #expect(moved.directory == "/new" && moved.output == expected)
        }
        let upload = job { $0.kind = .upload }
        #expect(try amended("dir=/new", upload) == upload)
        let printed = job { $0.output = .standardOutput }
        #expect(try amended("dir=/new", printed) == printed)
    }

    @Test("The same line twice changes nothing more")
    func twice() throws {
        let line = "user=me:new; header=X-Key: 1; limit-rate=1M; dir=/new; insecure"
        let once = try amended(line)
        #expect(try amended(line, once) == once)
    }

    @Test(
        "A wrong line is told, and settings of one task alone are refused",
        arguments: [
            ("", AmendmentErrors.empty), (" ; ", AmendmentErrors.empty),
            ("colour=red", OptionLineErrors.unknown("colour")), ("user", OptionLineErrors.needsValue("user")),
            ("user=***", OptionLineErrors.hidden("user")), ("header=X-Key", AmendmentErrors.header),
            ("header=X Key: 1", AmendmentErrors.header), ("header=: 1", AmendmentErrors.header),
            ("id=a", AmendmentErrors.oneTask("id")), ("json-body={}", AmendmentErrors.oneTask("json-body")),
            ("assert=status=200", AmendmentErrors.oneTask("assert")),
            ("mirror=http://m/f", AmendmentErrors.oneTask("mirror")),
        ])
    func refusals(line: String, message: String) {
        #expect(throws: UsageError.self) { try amended(line) }
        do {
            _ = try amended(line)
        } catch {
            #expect("\((error as? UsageError)?.message ?? "")" == message)
        }
    }

    @Test("An option that a kind of task cannot have is left out there")
    func kinds() throws {
        let request = Job(kind: .data, url: "http://h/")
        #expect(try amended("resumable=tus", request) == request)
    }
}

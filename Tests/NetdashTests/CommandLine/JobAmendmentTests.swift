import Foundation
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

    private func amendment(_ line: String) throws -> JobAmendment {
        try JobAmendment(line, defaults: Job(kind: .download, url: ""))
    }

    private func amended(_ line: String, _ job: Job? = nil) throws -> Job {
        let job = job ?? self.job()
        switch try amendment(line).verdict(on: job) {
        case .changed(let changed): return changed
        case .isSame: return job
        case .doesNotSuit(let name, _): throw UsageError(name)
        }
    }

    @Test("What the line does not name stays as it is")
    func keeps() throws {
        #expect(try amended("user=me:new") == job { $0.options = [.init(.insecure), .init(.user, "me:new")] })
        #expect(try amended("tag=night") == job { $0.tag = "night" })
        #expect(try amended("limit-upload=off").rates?.download == job().rates?.download)
    }

    @Test("A name without a value restores the default")
    func removes() throws {
        #expect(try amended("user=") == job { $0.options = [.init(.insecure)] })
        #expect(try amended("insecure=no") == job { $0.options = [.init(.user, "me:old")] })
        #expect(try amended("limit-rate=") == job { $0.rates = nil })
        #expect(try amended("header=x-old:") == job { $0.headers = [:] })
        #expect(try amended("dir=") == job { $0.directory = nil })
        var defaults = Job(kind: .download, url: "", directory: "/there")
        defaults.tag = "mine"
        let amendment = try JobAmendment("tag=; dir=", defaults: defaults)
        let changed = job {
            $0.tag = "mine"
            $0.directory = "/there"
        }
        #expect(amendment.verdict(on: job()) == .changed(changed))
    }

    @Test("A header replaces the ones of its name, and its value may contain semicolons")
    func headers() throws {
        let headers = try amended(#"header=x-old: 2; header=Cookie: a=1\; b=2"#).headers
        #expect(headers == ["x-old": "2", "Cookie": "a=1; b=2"])
    }

    @Test("A backslash before a semicolon is taken away, whatever follows, and a line is read back")
    func escapes() throws {
        #expect(try amended(#"user-agent=M (X11\; Linux)"#).options.text(of: .userAgent) == "M (X11; Linux)")
        for value in ["M (X11; Linux)", #"a\; b"#, #"a\\; proxy=b"#, "a; proxy=b", #"a\;b"#] {
            var job = job()
            job.options = [JobOption.Value(.userAgent, value)]
            let line = OptionLine.text(of: job, defaults: job)
            #expect(try OptionLine(line).options.text(of: .userAgent) == value, "\(line)")
        }
    }

    @Test("A folder keeps the name of the file")
    func folders() throws {
        for (output, expected): (Job.Output, Job.Output) in [
            (.automatic, .automatic), (.name("a.iso"), .name("a.iso")), (.name("sub/a.iso"), .name("sub/a.iso")),
            (.name("/old/a.iso"), .name("a.iso")), (.name("/old/"), .automatic), (.name("~/a.iso"), .name("a.iso")),
        ] {
            let moved = try amended("dir=/new", job { $0.output = output })
            #expect(moved.directory == "/new" && moved.output == expected)
        }
    }

    @Test("The same line twice changes nothing more, whatever the order of the options")
    func twice() throws {
        let line = "user=me:new; header=X-Key: 1; limit-rate=1M; dir=/new; insecure; start-at=+2h"
        let amendment = try amendment(line)
        guard case .changed(let once) = amendment.verdict(on: job()) else { throw UsageError("not changed") }
        #expect(amendment.verdict(on: once) == .isSame)
        #expect(try self.amendment("insecure; user=me:old").verdict(on: job()) == .isSame)
    }

    @Test("A repeatable option replaces the values of its name")
    func repeatable() throws {
        let old = job { $0.options = [.init(.resolve, "h:80:10.0.0.1")] }
        let new = try amended("resolve=h:80:10.0.0.2; resolve=h:81:10.0.0.3", old)
        #expect(new.options.map(\.text) == ["h:80:10.0.0.2", "h:81:10.0.0.3"])
    }

    @Test("What makes no sense for a kind of tasks does not suit it")
    func kinds() throws {
        let (upload, request) = (job { $0.kind = .upload }, job { $0.kind = .data })
        #expect(try amendment("dir=/new").verdict(on: upload) == .doesNotSuit("dir", [.download]))
        #expect(try amendment("user=a:b; resumable=tus").verdict(on: request) == .doesNotSuit("resumable", [.upload]))
        #expect(try amendment("if-exists=skip").verdict(on: request) == .doesNotSuit("if-exists", [.download]))
        #expect(try amendment("http2=yes").verdict(on: request) == .doesNotSuit("http2", [.download, .upload]))
        let printed = job { $0.output = .standardOutput }
        #expect(try amendment("dir=/new").verdict(on: printed) == .doesNotSuit("dir", [.download]))
    }

    @Test(
        "A wrong line is told, and settings of one task alone are refused",
        arguments: [
            ("", AmendmentErrors.empty), (" ; ", AmendmentErrors.empty),
            ("colour=red", OptionLineErrors.unknown("colour")), ("user", OptionLineErrors.needsValue("user")),
            ("dir=/new; limitrate=1k", OptionLineErrors.unknownOrValue("limitrate")),
            ("header=X-Team: blue; limitrate=1k", OptionLineErrors.unknownOrValue("limitrate")),
            ("user=***", OptionLineErrors.hidden("user")), ("header=X-Key", AmendmentErrors.header),
            ("header=X-Key: ***", OptionLineErrors.hidden("X-Key")),
            ("header=X Key: 1", AmendmentErrors.header), ("header=: 1", AmendmentErrors.header),
            ("id=a", AmendmentErrors.oneTask("id")), ("json-body={}", AmendmentErrors.oneTask("json-body")),
            ("assert=status=200", AmendmentErrors.oneTask("assert")),
            ("mirror=http://m/f", AmendmentErrors.oneTask("mirror")),
            ("checksum=md5=00", AmendmentErrors.oneTask("checksum")), ("url=http://h/", AmendmentErrors.oneTask("url")),
        ])
    func refusals(line: String, message: String) {
        do throws(UsageError) {
            _ = try JobAmendment(line, defaults: Job(kind: .download, url: ""))
            Issue.record("\(line) was read")
        } catch {
            #expect(error.message == message)
        }
    }

    @Test("A value has a semicolon before what looks like a setting where a backslash or no space says so")
    func semicolons() throws {
        for (line, value) in [
            (#"header=Content-Type: text/html\; charset=utf-8; limit-rate=1k"#, "text/html; charset=utf-8"),
            ("header=Content-Type: text/html;charset=utf-8; limit-rate=1k", "text/html;charset=utf-8"),
            ("header=Content-Type: a; b c=1; limit-rate=1k", "a; b c=1"),
            (#"header=Content-Type: a\; insecure; limit-rate=1k"#, "a; insecure"),
        ] {
            let given = self.job()
            guard case .changed(let job) = try amendment(line).verdict(on: given) else {
                throw UsageError("not changed")
            }
            #expect(job.headers["Content-Type"] == value && job.rates != nil && job.options == given.options)
        }
    }

    @Test("It reaches another process whole")
    func coding() throws {
        let amendment = try amendment("user=me:new; header=X-Key: 1; header=Y:; limit-rate=1M; dir=/new; tag=; pass=")
        #expect(try JSONDecoder().decode(JobAmendment.self, from: JSONEncoder().encode(amendment)) == amendment)
        let moved = amendment.converted(option: { $0 }, folder: { "/root" + $0 })
        guard case .changed(let job) = moved.verdict(on: job()) else { throw UsageError("not changed") }
        #expect(job.directory == "/root/new")
    }
}

import Dashboard
import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// An option that only this file knows, looked for in each place that reads the table.
@Suite("A new option is one record", .timeLimit(.minutes(1)))
struct MadeUpOptionTests {
    private static let option = JobOption(
        "shade", .text("SHADE"), "paint the request in SHADE", letter: "~", curl: ["--tint", "-%"],
        aria: ["aria-paint"]
    ) { $0.headers["X-Shade"] = $1 }

    private static let secret = JobOption("whisper", .secret("WORD"), "say WORD to the server") { $0.bearer = $1 }

    /// What comes of options in a request.
    private func paint(_ options: [JobOption.Value]) throws -> String? {
        var job = Job(kind: .download, url: "http://h/file")
        job.options = options
        var request = TransferRequest(url: job.url)
        try JobIdentity(environment: ["WORD": "hush"]).complete(&request, of: job)
        return request.headers["X-Shade"]
    }

    private func list(_ line: String) throws -> [JobOption.Value] {
        let text = Array("http://h/file\n \(line)\n".utf8)
        return try InputListParser.jobs(in: text, name: "list", defaults: Job(kind: .download, url: "")).get()[0]
            .options
    }

    @Test(
        "It is understood on the command line, in the configuration, in lists of ours and of aria2's, and in the form")
    func understood() throws {
        try JobOption.$added.withValue([Self.option]) {
            for words in [["--shade", "red"], ["--shade=red"], ["-~red"]] {
                let job = try #require(CommandLine.parse(words + ["http://h/file"]).get().jobs.first)
                #expect(try paint(job.options) == "red")
            }
            let configured = try CommandLine.parse(["http://h/file"]) { () throws(UsageError) in
                try ConfigurationParser.configuration(in: Array("shade = red\n".utf8), name: "f", home: nil)
            }.get()
            #expect(try paint(configured.jobs[0].options) == "red")
            #expect(try paint(list("shade=red")) == "red" && paint(list("aria-paint=red")) == "red")
            #expect(try paint(OptionLine("shade=red").options) == "red")
            #expect(throws: UsageError.self) { try CommandLine.parse(["--shade", "", "http://h/"]).get() }
        }
        #expect(throws: UsageError.self) { try CommandLine.parse(["--shade", "red", "http://h/"]).get() }
    }

    @Test("It is kept by a saved session, and its secret is not")
    func kept() throws {
        try JobOption.$added.withValue([Self.option, Self.secret]) {
            var job = Job(kind: .download, url: "http://h/file")
            job.options = [JobOption.Value(Self.option, "red"), JobOption.Value(Self.secret, "hush")]
            let text = try #require(SavedJob.annotation(of: job))
            #expect(!text.contains("hush"))
            let saved = try #require(SavedJob.kept(text))
            #expect(try paint(saved.options) == "red" && SavedJob.lacksSecrets(saved))
            #expect(!job.options.contains { $0.line.contains("hush") })
            #expect(
                ArgumentMask.shown(["--whisper", "hush", "--shade", "red"]) == ["--whisper", "***", "--shade", "red"])
        }
    }

    @Test("It is a word of curl commands, both ways")
    func curl() throws {
        try JobOption.$added.withValue([Self.option]) {
            let reading = try #require(CurlCommandReader.read("curl -% red http://h/file"))
            #expect(try paint(reading.job.options) == "red" && reading.unknown.isEmpty)
            #expect(CurlCommand.text(of: reading.job).contains("--tint 'red'"))
        }
    }

    @Test("It stands in the help, in the manual page, in the keys of lists and in each shell's completions")
    func documented() {
        JobOption.$added.withValue([Self.option]) {
            #expect(
                HelpText.text(.download).contains("--shade SHADE") || HelpText.text(.download).contains("--shade=SHADE")
            )
            #expect(ListKey.manual().contains("shade"))
            #expect(ManualSections.options().contains("shade"))
            for shell in Shell.allCases {
                #expect(Completions.script(for: shell).contains("shade"), "\(shell)")
            }
        }
    }

    @Test("A name that is nearly its name is told it")
    func hint() {
        JobOption.$added.withValue([Self.option]) {
            guard case .failure(let error) = CommandLine.parse(["--shide", "red", "http://h/"]) else {
                Issue.record("--shide was taken")
                return
            }
            #expect(error.message.contains("--shade") || error.message.contains("shade"))
        }
    }
}

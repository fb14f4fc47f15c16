import Testing

@testable import TransferService
@testable import TransferValues
@testable import netdash

/// Options about responses that contradict each other, or that need another one.
@Suite("Options about responses", .timeLimit(.minutes(1)))
struct AnswerOptionTests {
    @Test(
        "What contradicts is refused in one sentence",
        arguments: [
            (["GET", "--max-pages", "2"], "--max-pages: \(AnswerUsage.needsPages)"),
            (["GET", "--then-download", ""], "--then-download: \(ConditionUsage.emptyPath)"),
            (["GET", "--paginate-json", ""], "--paginate-json: \(ConditionUsage.emptyPath)"),
            (["GET", "--assert", "json:=1"], "--assert: \(ConditionUsage.emptyPath)"),
            (["GET", "--assert", "json:.a[=1"], "--assert: json: invalid path"),
            (["GET", "--if-exists", "skip"], "--if-exists: \(JobUsage.onlyForDownloads)"),
            (["GET", "--then-download", ".a", "--mirror", "http://g/"], "--mirror: \(JobUsage.onlyForDownloads)"),
            (["-d", "{\"a\":1}"], "-d: \(JobUsage.bodyAsFolder)"),
        ])
    func refused(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try CommandLine.parse(words + ["http://h/"]).get() }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("A request whose response names downloads has their options")
    func downloads() throws {
        let words = ["GET", "--then-download", ".a", "--if-exists", "skip", "--no-continue", "-x", "3", "http://h/"]
        let job = try #require(try CommandLine.parse(words).get().jobs.first)
        #expect(job.ifExists == .skip && !job.continues && job.options.contains(.connections))
        let download = job.follower(.download, at: "http://h/b")
        #expect(download.ifExists == .skip && !download.continues && download.options.contains(.connections))
        #expect(!download.options.contains(.thenDownload))
    }

    @Test("What follows a request that was added paused begins at once")
    func followersOfPaused() {
        var job = Job(kind: .data, url: "http://h/")
        job.startsPaused = true
        for kind in [Job.Kind.data, .download] { #expect(!job.follower(kind, at: "http://h/b").startsPaused) }
    }

    @Test("A header field with nothing after its colon is not sent, and one with a semicolon is sent without a value")
    func emptyFields() throws {
        let words = ["-H", "X-A: 1", "-H", "X-A:", "-H", "Accept:", "-H", "X-B;", "http://h/"]
        let job = try #require(try CommandLine.parse(words).get().jobs.first)
        #expect(job.headers.map(\.name) == ["X-B"] && job.headers.map(\.value) == [""])
        #expect(job.options == [.init(.withoutHeader, "X-A"), .init(.withoutHeader, "Accept")])
    }

    @Test("Standard input is not resumed, and a setting of the configuration does not ask for that")
    func resumedInput() throws {
        func upload(_ words: [String], _ text: String = "") throws -> [Job] {
            try CommandLine.parse(["upload"] + words + ["-", "http://h/f"]) { () throws(UsageError) in
                try ConfigurationParser.configuration(in: Array(text.utf8), name: "config", home: "/h")
            }.get().jobs
        }
        #expect(throws: UsageError(argument: "--resumable", JobUsage.resumedInput)) {
            try upload(["--resumable", "tus"])
        }
        #expect(try upload(["--resumable", "off"]).count == 1 && upload([], "resumable = auto").count == 1)
    }
}

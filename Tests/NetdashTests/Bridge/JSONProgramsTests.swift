import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import TransferService
@testable import TransferValues

/// Programs that jq runs in a process of its own; skipped where jq is not installed.
@Suite("Programs of jq", .timeLimit(.minutes(1)), .enabled(if: InstalledJQ.isThere, "jq is not installed"))
struct JSONProgramsTests {
    private static let body = """
        {"items": [{"name": "a", "n": 1, "ok": true}, {"name": "b", "n": 2, "ok": false}], "meta": {"next": null},
         "name": "Ann Lee", "when": "2026-01-02T03:04:05Z", "token": "hush-hush-1"}
        """

    private func finding(_ condition: String, seconds: Int = 50) throws -> String? {
        let programs = JSONPrograms(environment: InstalledJQ.environment, secondsLimit: seconds)
        let condition = try Condition(condition)
        let program = try #require(condition.query?.program)
        let body = Array(Self.body.utf8)
        let outcome = programs.outcome(of: program, for: body)
        let answer = Answer(
            status: 200, headers: HeaderFields(), body: body, seconds: 1, readsJSON: true, outcomes: [program: outcome])
        return condition.finding(in: answer)
    }

    @Test(
        "Programs as users write them",
        arguments: [
            ".items|length==2", "[.items[].n]|add==3", ".items|map(select(.ok))|length==1",
            #".items[]|select(.n>1)|.name=="b""#, ".items|sort_by(.n)|last|.name==b", ".items|group_by(.ok)|length==2",
            #".items|map(.name)|join(",")=="a,b""#, ".items|any(.ok)", ".items|all(.n>0)", "[.items[]|.n]|max==2",
            ".items|max_by(.n)|.name==b", ".items|first|.name==a", ".|keys|length==5", #".meta|has("next")"#,
            #".meta.next // "none"=="none""#, ".meta.next? ==null", ".items[1:]|length==1",
            ".items|map(.name|ascii_upcase)|first==A", #".items[]|.name|test("^[ab]$")"#,
            #".name|split(" ")|first==Ann"#, #".name|capture("(?<first>\\w+)").first==Ann"#, "[..|numbers]|length==2",
            "reduce .items[] as $i (0; .+$i.n)==3", "def f: .n*2; [.items[]|f]|add==6",
            #"if (.items|length)>1 then "many" else "few" end=="many""#,
            ".items as [$a,$b] | $a.n+$b.n==3", "[.items[]|{(.name): .n}]|add|.b==2",
            ".when|fromdateiso8601==1767323045", #".items|map("\(.name)=\(.n)")|first=="a=1""#,
            #"try error("x") catch .=="x""#, #".name|@base64=="QW5uIExlZQ==""#, "-1|.+1==0",
            "(.items|length)>1 and (.name|length)>3", ".items[0].n == 1 and .items[1].n == 2", ".items # a comment",
        ])
    func programs(text: String) throws {
        #expect(try finding("json:" + text) == nil)
    }

    @Test(
        "What reaches for its surroundings finds nothing, and does no harm",
        arguments: [
            ("$ENV|keys-[\"HOME\",\"PATH\"]|length==0", nil), ("env|to_entries|map(.value)|unique|length==1", nil),
            ("[inputs]|length==0", nil), (".|input", "error from jq: break"), (".name|debug==\"Ann Lee\"", nil),
            ("halt|.", ConditionErrors.noResult), (#""bye"|halt_error"#, "error from jq: bye"),
            (#".name|@sh=="'Ann Lee'""#, nil), ("input_line_number|.<=1", nil),
            (#""x"|error"#, "error from jq: x"),
            (#".name|.b"#, #"error from jq: Cannot index string with string "b""#),
            (".token|tonumber", "***"),
        ] as [(String, String?)])
    func surroundings(text: String, finding expected: String?) throws {
        let found = try finding("json:" + text)
        guard expected != "***" else { return #expect(found?.contains("hush") == false, "\(found ?? "")") }
        #expect(found == expected)
    }

    @Test("A request is cancelled while a program reads its response, at once and for the next run too")
    func cancelled() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        saved.server.setRoute("/r", .respond(.text(Self.body)))
        let observer = EffectsObserver()
        let first = try saved.run(observer)
        var job = Job(kind: .data, url: saved.server.url("/r"))
        job.options = [JobOption.Value(.assertion, "json:.|until(false; .)")]
        let id = try #require(first.send(.add([job])).added.first)
        while first.state.withLock({ $0.readings.isEmpty }) { usleep(1_000) }
        first.send(.cancel([id], deletingParts: false))
        #expect(first.snapshots(of: [id]).first?.state == .cancelled)
        try #require(observer.waitForEnds())
        _ = first.close()
        let second = try saved.run(EffectsObserver())
        defer { _ = second.close() }
        #expect(second.allSnapshots.map(\.state) == [.cancelled] && saved.server.requests(for: "/r").count == 1)
    }

    @Test("A program without an end, one that wants memory and one that prints much end by their limits")
    func limits() throws {
        #expect(try finding("json:[recurse(.)]|length", seconds: 1)?.contains("jq within") == true)
        #expect(try finding("json:.|until(false; .)", seconds: 1) == "no result from jq within 1 s")
        #expect(try finding("json:[range(1e9)]|length") == "no result from jq within 512 MiB of memory")
        #expect(try finding("json:range(20000000)|.") == "more than 1 MiB of values from jq")
    }

    @Test(
        "A program that jq cannot read is known before it runs",
        arguments: [
            (".a|", "unexpected"), ("nofunction(.)", "nofunction/1 is not defined"), (#"include "x"; ."#, "include"),
            (#"import "x" as x; ."#, "import"), (".a|\0", PathErrors.programZero),
        ])
    func problems(text: String, words: String) throws {
        let programs = JSONPrograms(environment: InstalledJQ.environment)
        let failure = try #require(programs.problem(with: JSONProgram(text)))
        #expect(failure.sentence().string.contains(words), "\(failure)")
        #expect(programs.problem(with: JSONProgram(text)) == failure)
        #expect(programs.problem(with: JSONProgram(".a|length")) == nil)
        // Reading is not running.
        #expect(programs.problem(with: JSONProgram("error(1)|.")) == nil)
    }

    @Test("A check calls back with the first problem, and a run with all outcomes")
    func calls() throws {
        let programs = JSONPrograms(environment: InstalledJQ.environment)
        let (good, wrong) = (JSONProgram(".items|length"), JSONProgram(".a|"))
        for _ in 1...2 {
            let found = Monitor<JSONProgram.Failure??>(nil)
            programs.check([good, wrong]) { failure in found.change { $0 = .some(failure) } }
            let failure = found.wait { $0 }
            #expect(failure == programs.problem(with: wrong))
        }
        let found = Monitor<[JSONProgram: JSONProgram.Outcome]?>(nil)
        programs.run([good, wrong], for: Array(Self.body.utf8)) { outcomes in found.change { $0 = outcomes } }
        let outcomes = found.wait { $0 }
        #expect(outcomes[good] == .success(try #require(JSONProgram.results(Array("2\n".utf8)))))
        #expect(outcomes.count == 2 && (try? outcomes[wrong]?.get()) == nil)
    }
}

/// Whether this machine has jq.
enum InstalledJQ {
    static let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
    static var isThere: Bool { InstalledProgram.path(of: "jq", environment: environment) != nil }
}

/// A machine without jq.
@Suite("No jq", .timeLimit(.minutes(1)))
struct MissingProgramTests {
    @Test("Programs are refused with the name of the package, and paths are taken")
    func missing() throws {
        let programs = JSONPrograms(environment: ["PATH": "/nonexistent:.:"])
        #expect(programs.problem(with: JSONProgram(".a|length")) == .missing)
        #expect(PathErrors.programMissing.string.contains("package jq"))
        let identity = JobIdentity(environment: ["PATH": "/nonexistent"])
        var job = Job(kind: .data, url: "http://h/")
        job.options = [JobOption.Value(.assertion, "json:.a==1")]
        try identity.check(job)
        job.options.append(JobOption.Value(.assertion, "json:.a|length==1"))
        let error = #expect(throws: UsageError.self) { try identity.check(job) }
        #expect(error?.message == "--assert: " + PathErrors.programMissing.string)
    }

    @Test("Only absolute folders of PATH count, and only programs")
    func search() {
        #expect(InstalledProgram.path(of: "sh", environment: ["PATH": "bin::/nonexistent:/bin"]) == "/bin/sh")
        #expect(InstalledProgram.path(of: "passwd", environment: ["PATH": "/etc"]) == nil)
        #expect(InstalledProgram.path(of: "bin", environment: ["PATH": "/usr"]) == nil)
    }
}

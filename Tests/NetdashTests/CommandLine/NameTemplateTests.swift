import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// Templates of file names, and the jobs that they name.
@Suite("Name templates")
struct NameTemplateTests {
    private static let clock = LocalClock(
        now: { 0 }, reading: { _ in .init(year: 2026, month: 3, day: 2, hour: 7, minute: 5) }, moment: { _ in nil })

    private func name(_ template: String, _ url: String, _ values: [String] = [], _ number: Int = 1) throws -> String? {
        try NameTemplate(template, label: "-o")?.output(for: url, values, number: number, clock: Self.clock).name
    }

    @Test(
        "Placeholders stand for parts of the URL and of the run",
        arguments: [
            ("{host}/{name}", "https://h.example:8443/a/b/f.tar.gz?x=1", "h.example/f.tar.gz"),
            ("{host}-{port}", "https://h/f", "h-443"), ("{port}", "http://h/f", "80"),
            ("{port}", "http://h:81/f", "81"),
            ("{path}/{base}.{number}.{ext}", "http://h/a/b/f.bin", "a/b/f.1.bin"), ("{path}/{name}", "http://h/f", "f"),
            ("x{path}y", "http://h/a/b/f", "xa_by"), ("{date}_{time}/{name}", "http://h/f", "2026-03-02_0705/f"),
            ("{name}{query}", "http://h/f?id=7&v=a/b", "fid=7&v=a_b"), ("{query}", "http://h/f", "download"),
            ("{query}", "http://h/f?token=hush", "token=_"), ("{name}", "http://h/", "download"),
            ("{ext}/{base}", "http://h/README", "README"), ("{host}/", "http://h/f", "h/"),
            ("{name}", "http://h/a%20b%2Fc", "a b_c"), ("{name}", "http://h/.htaccess", "_htaccess"),
            ("/data/{name}", "http://h/f", "/data/f"), ("../{name}", "http://h/f", "../f"),
            ("{path}/{name}", "http://h/%2e%2e/..%2f/.ssh/f", "_._/_ssh/f"), (".{name}", "http://h/f", ".f"),
            (".{ext}/{name}", "http://h/f", "_/f"), ("..{ext}", "http://h/f", "_."),
            ("a#1{x}{name}", "http://h/f", nil),
        ] as [(String, String, String?)])
    func fields(template: String, url: String, expected: String?) throws {
        guard let expected else {
            #expect(throws: UsageError.self) { try name(template, url) }
            return
        }
        #expect(try name(template, url) == expected)
    }

    @Test(
        "Values of patterns have curl's numbers, and no value leaves its folder",
        arguments: [
            ("#1/#2", ["a", "2"], "a/2"), ("f#3", ["a"], "f#3"), ("#1#1-#12", ["x"], "xx-#12"), ("#0", ["x"], nil),
            ("#1/x", ["../.."], "_._../x"), ("#1", [".."], "_."), ("#1", ["/etc/passwd"], "_etc_passwd"),
            ("#1/x", [""], "x"), ("a#1", ["\u{1B}[2J"], "a_[2J"), ("#1", [".hidden"], "_hidden"),
        ] as [(String, [String], String?)])
    func values(template: String, values: [String], expected: String?) throws {
        #expect(try name(template, "http://h/f", values) == expected)
    }

    @Test("A name without placeholders is none, a mistyped or unknown one is refused, and so is .. behind one")
    func wrong() throws {
        for plain in ["f.bin", "a/{x}.bin", "{}", "#", "#a", "{1}", "a{b", "{}{}"] {
            #expect(try NameTemplate(plain, label: "-o") == nil)
        }
        let cases = [
            ("{nmae}", TemplateUsage.unknown("nmae", "name")),
            ("{name}.{foo}", TemplateUsage.unknown("foo", known: NameTemplate.Field.words)),
            ("{host}/../{name}", TemplateUsage.leavesFolder),
        ]
        for (template, sentence) in cases {
            do {
                _ = try NameTemplate(template, label: "-o")
                Issue.record("\(template) was taken")
            } catch {
                #expect(error.message == "-o: " + sentence)
            }
        }
    }

    @Test("A long value is cut between characters, and keeps its ending")
    func long() throws {
        let url = "http://h/" + String(repeating: "ä", count: 300) + ".tar"
        let entry = try #require(try name("{name}x{host}.gz", url))
        #expect(entry.utf8.count <= 255 && entry.hasSuffix(".gz"))
    }

    private func jobs(_ words: String...) throws -> [Job] { try CommandLine.parse(words).get().jobs }

    @Test("Templates name what the command line asks for, and several URLs need one that differs")
    func commandLine() throws {
        let names = try jobs("-o", "#1/{host}/{name}", "http://h/{a,b}/f[1-2]").map(\.output.name)
        #expect(names == ["a/h/f1", "a/h/f2", "b/h/f1", "b/h/f2"])
        #expect(try jobs("-o", "{number}.bin", "http://h/a", "http://g/a").map(\.output.name) == ["1.bin", "2.bin"])
        #expect(try jobs("-g", "-o", "#1{name}", "http://h/a").map(\.output.name) == ["#1{name}"])
        #expect(try jobs("request", "-o", "r#1.json", "http://h/[1-2]").map(\.output.name) == ["r1.json", "r2.json"])
        for words in [
            ["-o", "#1", "http://h/a", "http://h/b"], ["-o", "{date}", "http://h/a", "http://h/b"],
            ["-o", "#2", "http://h/{a,b}"], ["request", "-o", "x#2", "http://h/[1-2]"], ["-o", "#1", "-i", "list"],
            ["-o", "{date}", "-i", "list"],
        ] {
            #expect(throws: UsageError.self) { try CommandLine.parse(words).get() }
        }
    }

    @Test("A list's files without a name get the template's, and number themselves")
    func lists() throws {
        let invocation = try CommandLine.parse(["-o", "{host}/{number}-{name}", "-i", "list"]).get()
        let text = "http://h/a\nhttp://g/b\n out=own\nx.example/c\n"
        var list = try InputList(
            Array(text.utf8), name: "l", defaults: invocation.jobDefaults, template: invocation.listTemplate)
        #expect(list.next(9).map(\.output.name) == ["h/1-a", "own", "x.example/3-c"])
    }
}

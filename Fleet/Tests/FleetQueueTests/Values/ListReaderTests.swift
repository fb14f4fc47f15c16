import Testing

@testable import FleetQueue

@Suite("Lists and rules of jobs")
struct ListReaderTests {
    private func read(_ text: String, folder: String = "", usesTree: Bool = false) throws -> [ListReader.Entry] {
        var reader = try ListReader(folder: folder, usesTree: usesTree)
        let lines = Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
        var entries = lines.compactMap { reader.take($0) }
        if let last = reader.finish() { entries.append(last) }
        return entries
    }

    private func job(_ text: String, folder: String = "", usesTree: Bool = false) throws -> NewJob? {
        guard case .job(let job)? = try read(text, folder: folder, usesTree: usesTree).first else { return nil }
        return job
    }

    private func refusal(_ text: String) throws -> String? {
        guard case .refused(_, let reason)? = try read(text).first else { return nil }
        return reason
    }

    @Test("A URL begins a job, indented lines are its options, and comments and empty lines are none")
    func form() throws {
        let list = """
            # list
            http://H.example:80/a%20b.iso\tmirror\r
              dir=x/y
              # no option
              priority=7

              out=z
            https://h:8443/q?x=1#f
            """
        let entries = try read(list)
        #expect(entries.count == 3)
        guard case .job(let first) = entries[0], case .job(let last) = entries[2] else {
            Issue.record("jobs are missing")
            return
        }
        #expect(first.url == "http://H.example:80/a%20b.iso" && first.host == "h.example")
        #expect(first.destination == "x/y/a b.iso" && first.priority == 7)
        #expect(entries[1] == .refused(line: 7, JobFaults.noURL))
        #expect(last.host == "h:8443" && last.destination == "q")
    }

    @Test("Destinations are below a folder, and by the URL's path in a tree")
    func destinations() throws {
        #expect(try job("http://h/a", folder: "d/e")?.destination == "d/e/a")
        #expect(try job("http://h:81/x/a?b", folder: "d", usesTree: true)?.destination == "d/h_81/x/a")
        #expect(try job("http://h/\n out=n")?.destination == "n")
        #expect(throws: FleetError(.usage, ListErrors.badFolder(JobFaults.notRelative))) { try read("", folder: "/d") }
    }

    @Test(
        "A job that could do harm is refused with its reason",
        arguments: [
            ("ftp://h/a", JobFaults.otherScheme), ("h/a", JobFaults.noScheme), ("http:///a", JobFaults.badHost),
            ("http://h:99999999/a", JobFaults.badPort("99999999")), ("http://h:99999/a", JobFaults.badPort("99999")),
            ("http://h:0/a", JobFaults.badPort("0")), ("http://h:65536/a", JobFaults.badPort("65536")),
            ("http://h:8x/a", JobFaults.badHost), ("http://h/a b", JobFaults.spaceInURL),
            ("http://u:p@h/a", JobFaults.userInfo), ("http://h/", JobFaults.noName),
            ("http://h/a?X-Amz-Signature=1", JobFaults.secretParameter("X-Amz-Signature")),
            ("http://h/a?%74oken=1", JobFaults.secretParameter("%74oken")),
            ("http://h/..%2Fa", JobFaults.traversal), ("http://h/..", JobFaults.traversal),
            ("http://h/a\n out=../a", JobFaults.traversal), ("http://h/a\n out=/a", JobFaults.notRelative),
            ("http://h/a\n out=a//b", JobFaults.traversal), ("http://h/a%00b", JobFaults.controlInDestination),
            ("http://h/a%0Ab", JobFaults.controlInDestination), ("http://h/a%C2%9Bb", JobFaults.controlInDestination),
            ("http://h/a\n header=Cookie: a", JobFaults.plainSecret("Cookie")),
            ("http://h/a\n header=X-Key: Token @env:A", JobFaults.partialReference("X-Key")),
            ("http://h/a\n query=q=x@file:/a", JobFaults.partialReference("q")),
            ("http://h/a\n header=A:\u{7}", JobFaults.controlInField), ("http://h/a\n header=A", JobFaults.noValue),
            ("http://h/a\n header=Range: bytes=0-3", JobFaults.rangeField("Range")),
            ("http://h/a\n header=if-range : x", JobFaults.rangeField("if-range")),
            ("http://h/a\n bearer=abc", JobFaults.plainSecret("bearer")),
            ("http://h/a\n query=sig=abc", JobFaults.plainSecret("sig")),
            ("http://h/a\n checksum=md5=00", JobFaults.badChecksum), ("http://h/a\n priority=x", JobFaults.badPriority),
            ("http://h/a\n split=4", JobFaults.unknownOption("split")),
        ])
    func refused(list: String, reason: String) throws {
        #expect(try refusal(list) == reason)
    }

    @Test("Long parts are refused: URL, destination, name, header and line")
    func long() throws {
        let text = String(repeating: "a", count: 300)
        #expect(try refusal("http://h/" + String(repeating: text, count: 30)) == JobFaults.longURL)
        #expect(try refusal("http://h/" + text) == JobFaults.longName)
        let path = Array(repeating: "abcdefgh", count: 200).joined(separator: "/")
        #expect(try refusal("http://h/a\n out=\(path)") == JobFaults.longDestination)
        let field = String(repeating: text, count: 100)
        #expect(try refusal("http://h/a\n header=A: \(field)") == JobFaults.longField)
        #expect(try refusal("http://h/a\n header=A: \(String(repeating: field, count: 40))") == JobFaults.longLine)
    }

    @Test("References and parameters that hold no secret are taken")
    func references() throws {
        let list = "http://h/a?id=1&token=\n header=Authorization: @env:A\n query=sig=@cmd:get sig\n bearer=@file:/a"
        #expect(
            try job(list)?.options == [
                "header": ["Authorization: @env:A"], "query": ["sig=@cmd:get sig"], "bearer": ["@file:/a"],
            ])
        #expect(SecretReference("@env:") == nil && SecretReference("env:A") == nil)
        #expect(SecretReference("@cmd:pass show x") == .command("pass show x"))
    }

    @Test("Bytes that are no text are refused, and the next job is read")
    func bytes() throws {
        var reader = try ListReader()
        check(reader.take([0x68, 0xFF]), is: .refused(line: 1, JobFaults.notText))
        check(reader.take(Array("http://h/a".utf8)), is: nil)
        check(reader.take([0x20, 0xFF]), is: nil)
        check(reader.take(Array("http://h/b".utf8)), is: .refused(line: 3, JobFaults.notText))
        check(reader.finish() == nil, is: false)
    }
}

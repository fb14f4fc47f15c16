import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// What scripts write and read: URLs that stand for several, lists of checksums, lists of what has failed.
@Suite("Options for scripts")
struct ScriptOptionTests {
    @Test(
        "Patterns in URLs stand for several, and what is none stays as it is",
        arguments: [
            ("http://h/[1-3]", ["http://h/1", "http://h/2", "http://h/3"]), ("h/[08-10]", ["h/08", "h/09", "h/10"]),
            ("h/[1-7:3]x", ["h/1x", "h/4x", "h/7x"]), ("h/[a-c]", ["h/a", "h/b", "h/c"]),
            ("h/{one,two}/[1-2]", ["h/one/1", "h/one/2", "h/two/1", "h/two/2"]), ("h/{,x}", ["h/", "h/x"]),
            ("http://[::1]/a", ["http://[::1]/a"]), ("h/?f[name]={id}", ["h/?f[name]={id}"]),
            (#"h/\[1-2\]"#, ["h/[1-2]"]), (#"h/\[1-2"#, ["h/[1-2"]), ("h", ["h"]), ("h/[5-5]", ["h/5"]),
            ("http://{a,b}.h/", ["http://a.h/", "http://b.h/"]), ("http://[::1", ["http://[::1"]),
            ("h/?f[first-name]=a", ["h/?f[first-name]=a"]),
            (#"h/?q={"a":{"b":1},"c":2}"#, [#"h/?q={"a":{"b":1},"c":2}"#]),
            ("h/a]}", ["h/a]}"]),
        ])
    func patterns(text: String, urls: [String]) throws {
        #expect(try URLGlob.urls(in: text, label: "URL") == urls)
    }

    @Test(
        "A pattern that counts down, or for too many, is refused",
        arguments: [
            "[9-1]", "[a-Z]", "[1-9:0]", "[1-999999999]", "[1-99999999999999999999999]", "[1-3", "{a,b", "{a,{b,c}}",
            "{{a,b},c}", "[a-3]", "[1-z]",
        ])
    func wrongPatterns(text: String) {
        #expect(throws: UsageError.self) { try URLGlob.urls(in: "h/" + text, label: "URL") }
    }

    @Test("The command line expands patterns unless it is told not to, and an upload never does")
    func commandLine() throws {
        #expect(try CommandLine.parse(["http://h/[1-2]"]).get().jobs.map(\.url) == ["http://h/1", "http://h/2"])
        #expect(try CommandLine.parse(["-g", "http://h/a{b,c}"]).get().jobs.count == 1)
        #expect(try CommandLine.parse(["request", "-g", "http://h/a{b,c}"]).get().jobs.count == 1)
        #expect(try CommandLine.parse(["request", "http://h/a{b,c}"]).get().jobs.count == 2)
        #expect {
            try CommandLine.parse(["upload", "f", "http://h/[1-2]"]).get()
        } throws: {
            ($0 as? UsageError)?.message.contains("list") == true
        }
        #expect(throws: UsageError.self) { try CommandLine.parse(["-o", "x", "http://h/[1-2]"]).get() }
    }

    @Test("Lists of checksums are read as their programs write them")
    func checksums() throws {
        let sha = String(repeating: "Ab", count: 32)
        let md5 = String(repeating: "0", count: 32)
        let list = try ChecksumList(
            "# made today\n\(sha)  a.iso\n\(sha) *./dir/b c.iso\r\n\nMD5 (d (1).iso) = \(md5)\n", label: "SUMS")
        func checksum(_ url: String, _ name: String? = nil) -> Job.Checksum? {
            var job = Job(kind: .download, url: url)
            if let name { job.output = .name(name) }
            guard case .found(let checksum) = list.checksum(of: job) else { return nil }
            return checksum
        }
        #expect(checksum("http://h/a.iso?x") == Job.Checksum(algorithm: .sha256, hex: sha.lowercased()))
        #expect(checksum("http://h/b%20c.iso") != nil && checksum("http://h/get", "x/a.iso") != nil)
        #expect(checksum("http://h/get", "d (1).iso") == Job.Checksum(algorithm: .md5, hex: md5))
        #expect(checksum("http://h/other") == nil)
        for wrong in ["abc  name", sha, "a.iso \(sha)"] {
            #expect(throws: UsageError.self) { try ChecksumList(wrong, label: "SUMS") }
        }
    }

    @Test("Lists of checksums are read as they are published: signed in clear, with comments, by OpenSSL")
    func publishedChecksums() throws {
        let sha = String(repeating: "ab", count: 32)
        let other = String(repeating: "cd", count: 32)
        let text = """
            -----BEGIN PGP SIGNED MESSAGE-----
            Hash: SHA256

            ; a comment
            \(sha)  a
            - -----no digest-----
            SHA2-256(b)= \(sha)
            SHA512/256 (c) = \(other)
            SHA3-256 (d) = \(other)
              \(sha)\tfolder/e  
            MD5 (a) = \(String(repeating: "0", count: 32))
            -----BEGIN PGP SIGNATURE-----

            iQIzBAEBCgAdFiEE
            -----END PGP SIGNATURE-----
            """
        let list = try ChecksumList(text, label: "SUMS")
        func hex(_ name: String) -> String? {
            guard case .found(let checksum) = list.checksum(of: Job(kind: .download, url: "http://h/\(name)")) else {
                return nil
            }
            return checksum.hex
        }
        #expect(hex("a") == sha && hex("b") == sha && hex("e") == sha)
        #expect(hex("c") == nil && hex("d") == nil)
        #expect(
            list.unreadSentence(of: "list") == ChecksumListErrors.unread("list", lines: "6, 8, 9", isOne: false))
    }

    @Test(
        "Of several files of one name the one with the URL's folders counts, and none where that does not tell",
        arguments: [
            ("http://h/i/cdrom/f.gz", "a"), ("http://h/i/hd/f.gz", "b"), ("http://h/hd%2Fx/../hd/f.gz?x=1", "b"),
            ("http://h/i/net/f.gz", nil), ("http://h/deep/net/g.gz", "c"), ("http://h/g.gz", "d"),
            ("http://h/twice", nil), ("http://h/strong", "e"),
        ] as [(String, Character?)])
    func checksumsByPath(url: String, digit: Character?) throws {
        func sha(_ digit: Character) -> String { String(repeating: digit, count: 64) }
        let list = try ChecksumList(
            """
            \(sha("a"))  ./cdrom/f.gz
            \(sha("b"))  ./hd/f.gz
            \(sha("c"))  net/g.gz
            \(sha("d"))  g.gz
            \(sha("a"))  twice
            \(sha("b"))  twice
            \(String(repeating: "0", count: 32))  strong
            \(sha("e"))  strong
            \(String(repeating: "1", count: 40))  strong
            """, label: "SUMS")
        let expected = digit.map { ChecksumList.Finding.found(Job.Checksum(algorithm: .sha256, hex: sha($0))) }
        #expect(list.checksum(of: Job(kind: .download, url: url)) == expected ?? .ambiguous)
        #expect(list.checksum(of: Job(kind: .download, url: "http://h/none")) == .missing)
    }

    @Test("A session file of aria2 is read, and what has no meaning here is named once")
    func aria() throws {
        let text = """
            http://h/a\thttp://mirror/a
             gid=0123456789abcdef
             file-allocation=none
             split=5
             max-connection-per-server=4
             dir=/tmp/x
             out=b
             header=X-A: 1
             pause=true
             allow-overwrite=true
             check-certificate=false
             all-proxy=http://p:3128
             user-agent=me
            http://h/c
             split=2
             min-split-size=20M

            """
        let list = try InputList(Array(text.utf8), name: "l", defaults: Job(kind: .download, url: ""))
        var rest = list
        let jobs = rest.next(9)
        #expect(jobs.map(\.url) == ["http://h/a", "http://h/c"])
        #expect(
            jobs[0].options.map(\.line)
                == ["mirror=http://mirror/a", "connections=4", "insecure", "proxy=http://p:3128", "user-agent=me"])
        #expect(jobs[1].options.map(\.line) == ["connections=2", "min-split=20M"])
        #expect(jobs[0].ifExists == .overwrite && jobs[0].startsPaused && jobs[0].directory == "/tmp/x")
        #expect(jobs[0].aria?.gid == "0123456789abcdef")
        #expect(list.ignored == ["file-allocation"])
        #expect(AriaKey("colour", value: "red") == nil)
    }

    @Test("Names and passwords of aria2's lists come in two lines, in any order")
    func credentialsOfAria() throws {
        let text = """
            http://h/a
             http-user=me
             http-passwd=a:b
            http://h/b
             http-passwd=late
             http-user=you
             all-proxy=http://p:1
             all-proxy-user=gate
            http://h/c
             http-passwd=alone

            """
        var list = try InputList(Array(text.utf8), name: "l", defaults: Job(kind: .download, url: ""))
        let jobs = list.next(9)
        #expect(jobs.map { $0.options.text(of: .user) } == ["me:a:b", "you:late", nil])
        #expect(jobs[1].options.text(of: .proxyUser) == "gate:")
    }

    @Test("What has failed is written as a list that means the same, and without secrets")
    func failed() throws {
        let text = """
            http://h/a
              dir=files
              out=b.bin
              header=X-A: 1
              checksum=md5=00000000000000000000000000000000
              if-exists=skip
              continue=no
              tag=row 7
              digest=yes
              referer=http://from/
            http://h/post
              kind=data
              method=PATCH
              body={"a": 1}
              http2=yes

            """
        let jobs = try InputListParser.jobs(in: Array(text.utf8), name: "l", defaults: Job(kind: .download, url: ""))
            .get()
        let written = FailedList.text(of: jobs)
        let again = InputListParser.jobs(in: Array(written.utf8), name: "l", defaults: Job(kind: .download, url: ""))
        #expect(try again.get() == jobs)
        var twice = Job(kind: .download, url: "http://h/t")
        twice.headers = ["user-agent": "field", "X-A": "1"]
        twice.options = [JobOption.Value(.userAgent, "option")]
        #expect(FailedList.text(of: [twice]) == "http://h/t\n  header=X-A: 1\n  user-agent=option\n")
        #expect(CurlCommand.text(of: twice) == "curl -L -H 'X-A: 1' --user-agent 'option' -O 'http://h/t'")
        var secret = Job(kind: .data, url: "http://h/s")
        secret.headers = ["Authorization": "Bearer hush"]
        secret.options = [JobOption.Value(.user, "me:hush"), JobOption.Value(.insecure)]
        secret.body = .text("password=hush")
        let kept = FailedList.text(of: [Job(kind: .download, url: "http://h/?token=hush")], keepingSecrets: true)
        #expect(kept == "http://h/?token=hush\n")
        let hidden = FailedList.text(of: [secret, Job(kind: .download, url: "http://h/?token=hush")])
        #expect(!hidden.contains("hush"))
        #expect(
            hidden.hasPrefix("# Left out, a list cannot have its body: http://h/s\n"))
    }
}

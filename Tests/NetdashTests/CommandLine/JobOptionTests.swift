import Dashboard
import Foundation
import Glibc
import SessionCore
import Testing

@testable import TransferService
@testable import netdash

/// The options of requests: what is understood, what is refused, and what is shown of them.
@Suite("Options of requests", .timeLimit(.minutes(1)))
struct JobOptionTests {
    private static let pin = "sha256//" + String(repeating: "A", count: 43) + "="

    /// A value that an option takes.
    static func example(of option: JobOption) -> String {
        examples[option.name] ?? (option.isSwitch ? "" : "text")
    }

    private static let examples = [
        "proxy": "socks5h://me:secret@proxy.example:1080", "http-proxy": "http://me:secret@proxy.example:1080",
        "https-proxy": "http://me:secret@proxy.example:1081", "noproxy": "localhost, .example.com, 10.0.0.0/8",
        "proxy-user": "me:secret", "user": "me:secret", "cacert": "name", "capath": "name", "cert": "name",
        "tls-max": "1.2", "hsts": "name", "doh-url": "https://dns.example/dns-query", "ip-tos": "AF21",
        "vlan-priority": "3", "cert-type": "P12",
        "key": "name", "netrc-file": "name", "cookie-jar": "name", "cookies-from": "firefox", "unix-socket": "name",
        "pass": "@env:SECRET",
        "bearer": "@env:SECRET", "secret-header": "X-Token: @env:SECRET", "pin": pin, "cookie": "a=b",
        "resolve": "example.com:443:[::1]",
        "connect-to": "example.com:443::8443", "interface": "lo", "max-time": "1.5", "answer-timeout": "1.5",
        "retry-on": "404,5xx",
        "speed-time": "1.5", "max-filesize": "2G", "speed-limit": "10k", "connections": "8", "min-split": "4M",
        "mirror": "https://m.example/f", "length": "5000", "aws-sigv4": "aws:amz:eu-west-1:s3", "form": "a=b",
        "data-urlencode": "a=b", "json-body": "{}", "resumable": "tus",
        "upload-digest": "sha-256", "part-size": "8M",
        "until": "status=200", "poll": "500ms", "poll-max-time": "1m", "then-download": ".files[].url",
        "paginate-json": ".next", "max-pages": "7", "max-redirs": "5", "data-part": "a=b", "without-header": "Accept",
        "assert": "json:.state==\"done\"",
    ]

    @Test("A name in a URL finds its password in a netrc file, and Digest is asked for wherever the name stands")
    func namedInURL() throws {
        let path = NSTemporaryDirectory() + "netrc-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        let text =
            "machine h login other password no\nmachine h login me password pw\nmachine ::1 login six password 6\n"
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        func credentials(_ url: String, _ options: JobOption...) throws -> RequestCredentials? {
            var job = Job(kind: .download, url: url)
            job.options = options.map { JobOption.Value($0, $0 == .netrcFile ? path : "") }
            var request = TransferRequest(url: url)
            try JobIdentity(environment: [:]).complete(&request, of: job)
            return request.options?.credentials
        }
        func shown(_ user: String, _ password: String, _ scheme: RequestCredentials.Scheme = .basic)
            -> RequestCredentials
        {
            RequestCredentials(user: user, password: password, scheme: scheme)
        }
        #expect(try credentials("http://me@h/", .netrcFile) == shown("me", "pw"))
        #expect(try credentials("http://h/", .netrcFile) == shown("other", "no"))
        #expect(try credentials("http://you@h/", .netrcFile) == nil)
        #expect(try credentials("http://me:own@h/", .netrcFile) == nil)
        #expect(try credentials("http://[::1]/", .netrcFile) == shown("six", "6"))
        #expect(try credentials("http://me@h/", .netrcFile, .digest) == shown("me", "pw", .digest))
        #expect(try credentials("http://me:o%3Awn@h/", .digest) == shown("me", "o:wn", .digest))
        #expect(try credentials("http://me@h/", .digest) == shown("me", "", .digest))
        #expect(try credentials("http://h/", .digest) == nil)
    }

    @Test("The scheme that was asked for holds for names in URLs of mirrors and redirects too")
    func schemeOfURLs() throws {
        func scheme(_ options: JobOption.Value...) throws -> RequestCredentials.Scheme? {
            var job = Job(kind: .download, url: "http://h/")
            job.options = options
            var request = TransferRequest(url: job.url)
            try JobIdentity(environment: [:]).complete(&request, of: job)
            return request.options?.urlScheme
        }
        #expect(try scheme(JobOption.Value(.digest)) == .digest)
        #expect(try scheme(JobOption.Value(.digest), JobOption.Value(.user, "a:b")) == .digest)
        #expect(try scheme(JobOption.Value(.negotiate)) == .negotiate)
        #expect(try scheme(JobOption.Value(.user, "a:b")) == nil)
    }

    @Test("A netrc file's machines are for redirects too, its default is not, and none goes from https to http")
    func hostsOfRedirects() throws {
        let path = NSTemporaryDirectory() + "netrc-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        let text =
            "machine login.h login me password pw\nmachine ::1 login six password 6\ndefault login any password no\n"
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        func known(from url: String, to other: String) throws -> String? {
            var job = Job(kind: .download, url: url)
            job.options = [JobOption.Value(.netrcFile, path)]
            var request = TransferRequest(url: url)
            try JobIdentity(environment: [:]).complete(&request, of: job)
            return request.options?.hostCredentials?.credentials(for: other)?.user
        }
        #expect(try known(from: "https://h/", to: "https://LOGIN.h:8443/x") == "me")
        #expect(try known(from: "http://h/", to: "http://[::1]/") == "six")
        #expect(try known(from: "https://h/", to: "http://login.h/") == nil)
        #expect(try known(from: "http://h/", to: "http://elsewhere/") == nil)
        let twice = "machine h login alice password a\nmachine h login bob password b\n"
        try Data(twice.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try known(from: "http://bob@h/", to: "https://h/") == "bob")
        #expect(try known(from: "http://carol@h/", to: "https://h/") == nil)
        #expect(try known(from: "http://h/", to: "https://h/") == "alice")
    }

    @Test("A netrc file that is missing, too large or no file is refused in a sentence")
    func strangeNetrc() throws {
        let path = NSTemporaryDirectory() + "netrc-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        for (size, words) in [(nil, "cannot be read"), (16 << 20 + 1, "at most 16 MiB"), (200, nil)]
            as [(Int?, String?)]
        {
            if let size {
                _ = FileManager.default.createFile(atPath: path, contents: Data("machine h login a\n".utf8))
                if size > 200 { #expect(Glibc.truncate(path, off_t(size)) == 0) }
            }
            var job = Job(kind: .download, url: "http://h/")
            job.options = [JobOption.Value(.netrcFile, path)]
            do throws(UsageError) {
                try JobIdentity(environment: [:]).check(job)
                #expect(words == nil, "\(size ?? 0)")
            } catch {
                #expect(words.map { "\(error)".contains($0) } == true, "\(error)")
            }
        }
    }

    @Test(
        "Of the arguments everybody may read what is no secret",
        arguments: [
            (["--proxy-user", "me:hush", "http://h/"], ["--proxy-user", "me:***", "http://h/"]),
            (
                ["--bearer=hush", "--pass", "hush", "--pass", "@env:X"],
                ["--bearer=***", "--pass", "***", "--pass", "@env:X"]
            ),
            (["-4ume:hush", "-H", "Authorization: hush"], ["-4ume:***", "-H", "Authorization: ***"]),
            (["-HAccept:  a/b", "-H", "X-Token:hush"], ["-HAccept:  a/b", "-H", "X-Token: ***"]),
            (["-b", "{\"password\": \"hush\"}", "-b", "@password=x"], ["-b", "***", "-b", "@password=x"]),
            (["--beerer=hush", "--beerer", "a"], ["--beerer=***", "--beerer", "a"]),
            (["-U", "me:hush", "-Ume:hush", "-4Ume:hush"], ["-U", "me:***", "-Ume:***", "-4Ume:***"]),
            (["--url", "http://me:hush@h/", "--url=http://h/"], ["--url", "http://***@h/", "--url=http://h/"]),
            // A foreign option's value that looks like an option is none.
            (["--progress", "--", "-u", "me:hush"], ["--progress", "--", "-u", "me:***"]),
            (["-P", "/d", "-nc", "--no-clobber", "-f"], ["-P", "/d", "-nc", "--no-clobber", "-f"]),
            (["--http-passwd=hush", "--http-passw", "hush"], ["--http-passwd=***", "--http-passw", "***"]),
            (["--check-certificate=false", "--quiet=hush"], ["--check-certificate=false", "--quiet=***"]),
            (
                ["request", "h/", "Authorization:Bearer hush", "token:=1", "password=hush", "Accept:a/b", "h:80/a"],
                ["request", "h/", "Authorization:***", "token:***", "password=***", "Accept:a/b", "h:80/a"]
            ),
            (["--", "-u", "http://me:hush@h/"], ["--", "-u", "http://***@h/"]),
            (
                ["--json-body", "{\"token\":1}", "-F", "key=hush", "-F", "name=@file"],
                ["--json-body", "***", "-F", "key=***", "-F", "name=@file"]
            ),
            (["--bearer"], ["--bearer"]), (["--"], ["--"]), (["-"], ["-"]), ([], []),
        ] as [([String], [String])])
    func listOfProcesses(arguments: [String], shown: [String]) {
        #expect(ArgumentMask.shown(arguments) == shown)
    }

    @Test("A secret behind any name or letter that is accepted is masked as behind our own name")
    func listOfProcessesByAnyName() throws {
        let secrets: [(option: CommandLineOption, value: String)] = CommandLineOption.allCases.compactMap { option in
            let values = ["me:hush", "Authorization: hush", "{\"password\": \"hush\"}", "http://me:hush@h/"]
            let value = values.first { !ArgumentMask.shown([option.spelling + "=" + $0]).joined().contains("hush") }
            return option.valueName == nil ? nil : value.map { (option, $0) }
        }
        try #require(secrets.count > 10)
        let names =
            ForeignOption.table.flatMap(\.names) + JobOption.allCases.flatMap(\.curlNames)
            + CommandLineOption.allCases.flatMap(\.spellings)
        var masked: Set<String> = []
        for name in Set(names) {
            for (option, value) in secrets {
                for words in [[name, value], [name + (name.hasPrefix("--") ? "=" : "") + value]] {
                    let items = try? CommandLineScanner.scan(words)
                    guard items?.contains(where: { $0.option == option }) == true else { continue }
                    masked.insert(name)
                    #expect(!ArgumentMask.shown(words).joined().contains("hush"), "\(words)")
                }
            }
        }
        #expect(masked.isSuperset(of: ["-U", "-u", "-H", "--auth", "--data-raw", "--post-data", "--raw"]))
    }

    @Test(
        "Sizes are read as curl reads them",
        arguments: [
            ("1", 1), ("5000", 5000), ("20k", 20 << 10), ("20K", 20 << 10), ("500M", 500 << 20), ("2g", 2 << 30),
            ("1T", 1 << 40), ("8388607T", 8_388_607 << 40), ("8388608T", nil), ("1.5M", nil), ("M", nil), ("1 k", nil),
        ] as [(String, Int64?)])
    func sizes(text: String, count: Int64?) {
        #expect(ByteCountText.bytes(text) == count)
    }

    @Test("The options of speed are one thing, each with curl's value in the place of the other")
    func leastSpeed() throws {
        func least(_ words: String...) throws -> LeastSpeed? {
            let job = try #require(CommandLine.parse(words + ["http://h/"]).get().jobs.first)
            var request = TransferRequest(url: job.url)
            try JobIdentity(environment: [:]).complete(&request, of: job)
            return request.options?.leastSpeed
        }
        #expect(try least("--speed-limit", "2k") == LeastSpeed(bytesPerSecond: 2048, seconds: 30))
        #expect(try least("--speed-time", "5") == LeastSpeed(bytesPerSecond: 1, seconds: 5))
        #expect(try least("--speed-limit", "9", "--speed-time", "5") == LeastSpeed(bytesPerSecond: 9, seconds: 5))
        #expect(try least("--max-filesize", "9") == nil)
    }

    @Test(
        "What cannot be meant is refused in words that do not repeat secrets",
        arguments: [
            (JobOption.proxy, "ftp://h"), (.proxy, "http://h:0"), (.proxy, "http://h/path"), (.proxy, "socks5://"),
            (.user, "secret"), (.user, "@env:"), (.user, "me:@file:"), (.bearer, ""), (.bearer, "secret\nX: y"),
            (.bearer, "@cmd: "), (.secretHeader, "secret"), (.cookiesFrom, "secret"), (.cookiesFrom, "firefox:"),
            (.secretHeader, ":secret"),
            (.pin, "sha256//secret"), (.pin, "sha1//x"), (.resolve, "h:443"), (.resolve, "h:x:1.2.3.4"),
            (.resolve, ":443:1.2.3.4"), (.connectTo, "h:443:x"), (.connectTo, "h:1:x:70000"), (.maximumTime, "soon"),
            (.maximumTime, "0"), (.maximumTime, "1e5"), (.amazonSignature, "aws:amz:x y"),
            (.maximumFileSize, "0"), (.maximumFileSize, "-5"), (.maximumFileSize, "5x"), (.maximumFileSize, ""),
            (.maximumFileSize, "k"), (.maximumFileSize, "9999999999T"), (.leastSpeed, "1.5k"), (.leastSpeedTime, "0.5"),
            (.connections, "0"), (.connections, "17"), (.connections, "500"), (.connections, "-1"), (.connections, ""),
            (.connections, "many"), (.connections, "2.5"), (.minimumSegment, "0"), (.minimumSegment, "63k"),
            (.minimumSegment, "1x"), (.minimumSegment, ""),
            (.poll, "0"), (.poll, "secret"), (.pollLimit, "-1s"), (.thenDownload, ".a["), (.maximumPages, "0"),
            (.assertion, ""), (.assertion, "status"), (.assertion, "status=secret"), (.assertion, "secret=1"),
            (.assertion, "header:a secret=1"), (.assertion, "json:.a>secret"), (.assertion, "time=2s"),
            (.leastSpeedTime, "x"), (.amazonSignature, "a:b:c:d:e"), (.form, "=x"), (.form, "x"), (.authorityFile, ""),
        ])
    func refused(option: JobOption, text: String) throws {
        let problem = try #require(option.problem(with: text))
        #expect(!problem.contains("secret"))
        #expect(throws: UsageError.self) { try CommandLine.parse(["--\(option.name)=\(text)", "http://h/"]).get() }
    }

    @Test(
        "Every option is understood on the command line, in a list and in the form's line",
        arguments: JobOption.allCases)
    func everywhere(option: JobOption) throws {
        let text = Self.example(of: option)
        let value = JobOption.Value(option, text)
        #expect(option.problem(with: text) == nil)
        let word = option.isSwitch ? "--\(option.name)" : "--\(option.name)=\(text)"
        let command =
            (option.subject == .downloads) ? [] : (option.subject == .uploads) ? ["upload", "-b", "x"] : ["request"]
        // The most pages need an option that has several.
        let beside = option == .maximumPages ? [JobOption.Value(.paginate)] : []
        let words = command + beside.map { "--\($0.option.name)" } + [word, "http://h/"]
        let invocation = try CommandLine.parse(words).get()
        let options = (option.reach == .run) ? invocation.settings.options : invocation.jobs.first?.options
        #expect(options == beside + [value])
        let line = "\(option.name)=\(option.isSwitch ? "yes" : text)"
        let lines = beside.map { "\($0.option.name)=yes\n " }.joined() + line
        let list = InputListParser.jobs(
            in: Array("http://h/\n kind=data\n \(lines)\n".utf8), name: "list", defaults: Job(kind: .download, url: ""))
        #expect(try list.get().map(\.options) == [beside + [value]])
        #expect(
            try OptionLine(line + "; ipv6").options.first == (option == .ipv4 ? nil : value)
                || option == .ipv4 || option == .ipv6)
        if option.memory == .kept {
            let configuration = try ConfigurationParser.configuration(in: Array(line.utf8), name: "f", home: nil)
            #expect(configuration.settings.map(\.option) == [.job(option)])
        }
    }

    @Test("A body of the options belongs to one request alone, and a setting that switches checks off to one run")
    func misplaced() {
        for words in [
            ["-F", "a=b", "http://h/"], ["upload", "-F", "a=b", "f", "http://h/"],
            ["request", "-F", "a=b", "-b", "x", "http://h/"],
            ["request", "-F", "b=2", "--data-urlencode", "a=1", "http://h/"],
            ["request", "--json-body", "{}", "-F", "b=2", "http://h/"],
            ["request", "--json-body", "{}", "--data-urlencode", "a=1", "http://h/"],
            ["request", "--json-body", "{}", "--json-body", "[]", "http://h/"],
            ["request", "-b", "x", "--body", "y", "http://h/"], ["-4", "--ipv6", "http://h/"],
            ["demo", "--proxy", "h"],
        ] {
            #expect(throws: UsageError.self) { try CommandLine.parse(words).get() }
        }
        #expect(throws: UsageError.self) {
            try ConfigurationParser.configuration(in: Array("insecure = yes".utf8), name: "f", home: nil)
        }
        let list = Array("http://h/\n form=a=b\n".utf8)
        #expect(throws: UsageError.self) {
            try InputListParser.jobs(in: list, name: "l", defaults: Job(kind: .download, url: "")).get()
        }
    }

    @Test("A list's own option takes the place of the one that all have, and repeatable ones add up")
    func ownOptions() throws {
        var defaults = Job(kind: .download, url: "")
        defaults.options = [JobOption.Value(.user, "all:1"), JobOption.Value(.cookie, "a=1")]
        let text = "http://h/\n user=own:2\n cookie=b=2\nhttp://h/2\n"
        let jobs = try InputListParser.jobs(in: Array(text.utf8), name: "l", defaults: defaults).get()
        #expect(
            jobs[0].options.text(of: .user) == "own:2" && jobs[0].options.filter { $0.option == .cookie }.count == 2)
        #expect(jobs[1].options == defaults.options)
    }

    @Test("A line of options with semicolons in values is read as it was written")
    func semicolons() throws {
        var job = Job(kind: .download, url: "http://h/")
        job.options = [
            JobOption.Value(.userAgent, #"a; b=1; insecure\; c=2;limit-rate=1"#),
            JobOption.Value(.referer, "http://h/;x; y=2"),
        ]
        let defaults = Job(kind: .download, url: "")
        let line = OptionLine.text(of: job, defaults: defaults)
        #expect(line.hasPrefix(#"user-agent=a\; b=1; insecure\\; c=2\;limit-rate=1; "#))
        #expect(try OptionLine(line).options == job.options)
        #expect(throws: UsageError.self) { try OptionLine("referer=http://h/; limitrate=1k") }
    }

    @Test("Cookies are written as a browser shows them, up to a known name")
    func cookies() throws {
        let options = try OptionLine("cookie=a=1; b=2; max-time=3; secret-header=Cookie: c=3; d=4").options
        #expect(options.map(\.text) == ["a=1; b=2", "3", "Cookie: c=3; d=4"])
        let defaults = Job(kind: .download, url: "")
        let amendment = try JobAmendment("header=Cookie: a=1; b=2; limit-rate=1k", defaults: defaults)
        guard case .changed(let job) = amendment.verdict(on: Job(kind: .download, url: "http://h/")) else {
            Issue.record("nothing is changed")
            return
        }
        #expect(job.headers["Cookie"] == "a=1; b=2" && job.rates?.download != nil)
        #expect(throws: UsageError.self) { try OptionLine("cookie=file; b=2") }
    }

    @Test("Secrets are hidden where options are shown; the places of secrets are not, and what is hidden can be kept")
    func hidden() throws {
        let values = [
            JobOption.Value(.user, "me:secret"), JobOption.Value(.bearer, "secret"),
            JobOption.Value(.proxy, "http://me:secret@proxy:3128"), JobOption.Value(.cookie, "sid=secret"),
            JobOption.Value(.proxyUser, "me:@env:PROXY_PASSWORD"), JobOption.Value(.form, "password=secret"),
            JobOption.Value(.urlEncoded, "token=secret"), JobOption.Value(.jsonBody, #"{"pass": "secret"}"#),
            JobOption.Value(.insecure),
        ]
        var job = Job(kind: .download, url: "http://h/")
        job.options = values
        let line = OptionLine.text(of: job, defaults: Job(kind: .download, url: ""))
        #expect(!line.contains("secret"))
        #expect(line.contains("proxy-user=me:@env:PROXY_PASSWORD") && line.hasSuffix("; insecure"))
        #expect(try OptionLine(line, hidden: values).options == values)
        #expect(throws: UsageError.self) { try OptionLine("bearer=***") }
        #expect(throws: UsageError.self) { try OptionLine("colour=red") }
    }

    @Test("A saved session keeps the values of options, but for secrets and the switch that turns checks off")
    func saved() throws {
        var job = Job(kind: .data, url: "http://h/")
        job.options = [
            JobOption.Value(.noProxy, "h"), JobOption.Value(.user, "me:@env:NAME"), JobOption.Value(.insecure),
            JobOption.Value(.digest), JobOption.Value(.authorityFile, "ca.pem"), JobOption.Value(.form, "f=@part"),
        ]
        let absolute = job.options.map { $0.withPath { SavedJob.absolute($0) } }
        let folder = SavedJob.absolute(".")
        #expect(absolute.text(of: .authorityFile) == folder + "/ca.pem")
        #expect(absolute.text(of: .form) == "f=@\(folder)/part")
        let text = try #require(SavedJob.annotation(of: job))
        let kept = try #require(SavedJob.kept(text))
        #expect(kept.options == job.options.filter { $0.option != .insecure } && !SavedJob.lacksSecrets(kept))
        job.options = [JobOption.Value(.user, "me:secret"), JobOption.Value(.jsonBody, #"{"password": "secret"}"#)]
        let masked = try #require(SavedJob.annotation(of: job))
        #expect(!masked.contains("secret"))
        let hidden = try #require(SavedJob.kept(masked))
        #expect(hidden.options.map(\.isHidden) == [true, true] && SavedJob.lacksSecrets(hidden))
        #expect(SavedJob.kept("[]") == nil)
        job.options = [JobOption.Value(.digest)]
        var named = job
        named.headers = ["Authorization": "Bearer secret"]
        job.url = "http://me:secret@h/?token=secret"
        for job in [job, named] {
            let text = try #require(SavedJob.annotation(of: job))
            #expect(!text.contains("secret"))
            #expect(SavedJob.lacksSecrets(try #require(SavedJob.kept(text))))
        }
    }

    @Test("A server that is not checked is named in a warning")
    func warning() throws {
        let invocation = try CommandLine.parse(["--insecure", "https://h:1/a", "https://h:1/b", "https://g/"]).get()
        #expect(invocation.trustWarning?.string.contains("h, g") == true)
        #expect(try CommandLine.parse(["https://h/"]).get().trustWarning == nil)
        // A server of plain http shows no certificate; a mirror in TLS does.
        #expect(try CommandLine.parse(["--insecure", "http://h/"]).get().trustWarning == nil)
        let mirrored = try CommandLine.parse(["--insecure", "--mirror", "https://m/a", "http://h/a"]).get()
        #expect(mirrored.trustWarning?.string.contains(" m ") == true)
    }
}

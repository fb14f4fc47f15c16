import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// Every argument of aria2c, as `aria2c --help=#all` of version 1.36.0 lists them.
@Suite("Arguments of aria2c", .timeLimit(.minutes(1)))
struct AriaArgumentTests {
    /// The names with a value that is not the default, and the default where there is one of the machine's own.
    private static let list = """
        all-proxy http://p:1; all-proxy-passwd x; all-proxy-user x; allow-overwrite true false;
        allow-piece-length-change true false; always-resume false true; async-dns false true; async-dns-server
        1.1.1.1; auto-file-renaming false true; auto-save-interval 7 60; bt-detach-seed-only true false;
        bt-enable-hook-after-hash-check false true; bt-enable-lpd true false; bt-exclude-tracker URI; bt-external-ip
        x; bt-force-encryption true false; bt-hash-check-seed false true; bt-load-saved-metadata true false;
        bt-lpd-interface interface; bt-max-open-files 7 100; bt-max-peers 7 55; bt-metadata-only true false;
        bt-min-crypto-level arc4 plain; bt-prioritize-piece head[=SIZE]; bt-remove-unselected-file true false;
        bt-request-peer-speed-limit 7 50K; bt-require-crypto true false; bt-save-metadata true false;
        bt-seed-unverified true false; bt-stop-timeout 7 0; bt-tracker URI; bt-tracker-connect-timeout 7 60;
        bt-tracker-interval 7 0; bt-tracker-timeout 7 60; ca-certificate /p; certificate /p; check-certificate false
        true; check-integrity true false; checksum md5=0123456789abcdef0123456789abcdef; conditional-get true false;
        conf-path /c; connect-timeout 7; console-log-level debug notice; content-disposition-default-utf8 true
        false; continue true false; daemon true false; deferred-input true false; dht-entry-point x;
        dht-entry-point6 x; dht-file-path /p; dht-file-path6 /p; dht-listen-addr6 x; dht-listen-port 7000 6881-6999;
        dht-message-timeout 7 10; dir /d; disable-ipv6 true false; disk-cache 7 16M; download-result full default;
        dry-run true false; dscp 7 0; enable-async-dns6 false; enable-color false true; enable-dht false true;
        enable-dht6 true false; enable-http-keep-alive false true; enable-http-pipelining true false; enable-mmap
        true false; enable-peer-exchange false true; enable-rpc true false; event-poll poll epoll; file-allocation
        falloc prealloc; follow-metalink mem true; follow-torrent mem true; force-save true false; force-sequential
        true false; ftp-passwd x; ftp-pasv false true; ftp-proxy http://p:1; ftp-proxy-passwd x; ftp-proxy-user x;
        ftp-reuse-connection false true; ftp-type ascii binary; ftp-user x; gid aabbccddeeff0011; hash-check-only
        true false; header A:_b; http-accept-gzip true false; http-auth-challenge true false; http-no-cache true
        false; http-passwd x; http-proxy http://p:1; http-proxy-passwd x; http-proxy-user x; http-user x;
        https-proxy http://p:1; https-proxy-passwd x; https-proxy-user x; human-readable false true; index-out 1=a;
        input-file list; interface lo; keep-unfinished-download-result false true; listen-port 7000 6881-6999;
        load-cookies /n; log /l; log-level info; lowest-speed-limit 7 0; max-concurrent-downloads 7;
        max-connection-per-server 7; max-download-limit 7 0; max-download-result 7 1000; max-file-not-found 3 0;
        max-mmap-limit 7 9223372036854775807; max-overall-download-limit 7 0; max-overall-upload-limit 7 0;
        max-resume-failure-tries 7 0; max-tries 7; max-upload-limit 7 0; metalink-base-uri x;
        metalink-enable-unique-protocol false true; metalink-file a.meta4; metalink-language x; metalink-location x;
        metalink-os x; metalink-preferred-protocol http none; metalink-version x; min-split-size 7; min-tls-version
        TLSv1.3 TLSv1.2; multiple-interface interface; netrc-path /n; no-conf true false; no-file-allocation-limit 7
        5M; no-netrc true false; no-proxy h; on-bt-download-complete /p; on-download-complete /p; on-download-error
        /p; on-download-pause /p; on-download-start /p; on-download-stop /p; optimize-concurrent-downloads true
        false; out n; parameterized-uri true false; pause true false; pause-metadata true false; peer-agent x
        aria2/1.36.0; peer-id-prefix x A2-1-36-0-; piece-length 2M 1M; private-key /p; proxy-method tunnel get;
        quiet true false; realtime-chunk-checksum false true; referer http://r/; remote-time true false;
        remove-control-file true false; retry-wait 7 0; reuse-uri false true; rlimit-nofile 7 1024;
        rpc-allow-origin-all true false; rpc-certificate /p; rpc-listen-all true false; rpc-listen-port 7000 6800;
        rpc-max-request-size 7 2M; rpc-passwd x; rpc-private-key /p; rpc-save-upload-metadata false true; rpc-secret
        x; rpc-secure true false; rpc-user x; save-cookies /n; save-not-found false true; save-session /p;
        save-session-interval 7 0; seed-ratio 2.0 1.0; seed-time 7; select-file 1; server-stat-if /p; server-stat-of
        /p; server-stat-timeout 7 86400; show-console-readout false true; show-files true false;
        socket-recv-buffer-size 7 0; split 7; ssh-host-key-md x; stderr true false; stop 7 0; stop-with-process 7;
        stream-piece-selector inorder default; summary-interval 7 60; timeout 7; torrent-file /p;
        truncate-console-readout false true; uri-selector inorder feedback; use-head true false; user-agent x
        """

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String
        let usual: String?
        var testDescription: String { name }
    }

    static let rows: [Row] = list.split(separator: ";").map { text in
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        return Row(
            name: words[0], value: words[1].replacing("_", with: " "), usual: words.count > 2 ? words[2] : nil)
    }

    /// What netdash does with every value, by itself or because there is nothing else in aria2 either.
    private static let doneAlways: Set = ["check-integrity", "no-conf", "no-netrc", "parameterized-uri"]

    /// A run, or the interface, with further arguments.
    private static func parse(_ arguments: [String], servesClients: Bool) throws -> Invocation {
        let all = ["aria2c"] + (servesClients ? ["--enable-rpc=true"] : []) + arguments + ["http://h/a", "http://h/b"]
        var invocation = try CommandLine.parse(
            all, ariaFile: { (path: String?) throws(UsageError) in path == nil ? "" : "user-agent=x" }
        ).get()
        // They are kept for clients, which is no effect.
        invocation.settings.rpc.options = [:]
        return invocation
    }

    @Test("An argument acts, is named, or is refused; none is dropped silently", arguments: rows)
    func told(row: Row) throws {
        let argument = "--\(row.name)=\(row.value)"
        var effects = 0
        for servesClients in [false, true] {
            let usual = try Self.parse([], servesClients: servesClients)
            guard var invocation = try? Self.parse([argument], servesClients: servesClients) else { return }
            let remarks = invocation.remarks.map(\.string)
            invocation.remarks = []
            // Of the passwords of proxies one name stands for three.
            let name = row.name.replacing("https-proxy", with: "all-proxy").replacing("http-proxy", with: "all-proxy")
            effects += remarks.count { $0.contains("--" + row.name) || $0.contains("--" + name) }
            // Jobs tell only a part of themselves in words.
            if invocation.jobs != usual.jobs || invocation.jobDefaults != usual.jobDefaults { effects += 1 }
            if String(reflecting: invocation) != String(reflecting: usual) { effects += 1 }
        }
        #expect(effects > 0 || Self.doneAlways.contains(row.name))
    }

    @Test("A default value, and no argument, is named nowhere", arguments: rows.filter { $0.usual != nil })
    func quiet(row: Row) throws {
        let usual = try #require(row.usual)
        #expect(try Self.parse(["--\(row.name)=\(usual)"], servesClients: false).remarks.isEmpty)
        #expect(try Self.parse([], servesClients: false).remarks.isEmpty)
    }

    @Test("A flag without a meaning does not take the URL behind it")
    func flags() throws {
        for name in ["--enable-dht", "--bt-save-metadata", "--use-head"] {
            #expect(try Self.parse([name], servesClients: false).jobs.map(\.url) == ["http://h/a"])
        }
    }

    @Test("The name and the password of a proxy are one, and a name without a meaning is told once")
    func proxies() throws {
        let words = try AriaCommandLine.read(["--all-proxy-user=me", "--http-proxy-passwd=p", "--dscp=1", "--dscp=2"])
        #expect(words.arguments.contains("--proxy-user=me:p"))
        #expect(words.remarks == [CommandLineLabels.ignored(["dscp"])])
    }

    // MARK: - What aria2c does by itself

    private static func arguments(_ words: String..., home: String? = nil) throws -> [String] {
        let command = try AriaCommandLine.read(words, home: home)
        return command.arguments.filter { !$0.hasPrefix("--answer-timeout=") }
    }

    @Test("Without -P a URL with brackets or braces is one URL, and with it one name in braces is a pattern too")
    func patterns() throws {
        #expect(try Self.arguments("http://h/x[1-2]") == ["--globoff", "http://h/x[1-2]"])
        #expect(
            try Self.arguments("-PZ", "http://h/{a}", "http://h/{b,c}")
                == ["http://h/a", "http://h/b", "http://h/c"])
        let jobs = try Self.parse(["http://h/x{1,2}", "--out={host}"], servesClients: false).jobs
        #expect(jobs.map(\.url) == ["http://h/x{1,2}"] && jobs.map(\.output.name) == ["{host}"])
    }

    @Test("The last name counts, an empty one is none, and an asterisk is the URL itself as the referer")
    func names() throws {
        #expect(try Self.arguments("--out=a", "-o", "b", "http://h/f") == ["--out=b", "http://h/f"])
        #expect(try Self.arguments("--out=a", "--out=", "http://h/f") == ["http://h/f"])
        let own = ["--referer=http://h/f", "http://h/f"]
        #expect(try Self.arguments("--referer=*", "http://h/f") == own)
        #expect(try Self.arguments("--referer=x", "--referer=http://h/f", "http://h/f") == own)
        let named = try Self.arguments("--referer=*", "http://me:pw@h/f")
        #expect(named.contains("--referer=http://h/f"))
        let several = try AriaCommandLine.read(["-Z", "--referer=*", "http://h/f", "http://h/g"])
        #expect(several.remarks == [CommandLineLabels.ignored(["referer"])])
        #expect(!several.arguments.contains { $0.hasPrefix("--referer") })
    }

    @Test("The names and passwords in the home are read as aria2c reads them")
    func netrc() throws {
        let home = NSTemporaryDirectory() + "netdash-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let path = home + "/.netrc"
        #expect(try Self.arguments("http://h/f", home: home) == ["http://h/f"])
        let text = Data("machine h login me password pw\n".utf8)
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: text, attributes: [.posixPermissions: 0o600]))
        let file = "--netrc-file=" + path
        #expect(try Self.arguments("http://h/f", home: home) == [file, "http://h/f"])
        #expect(try Self.arguments("--no-netrc=false", "http://h/f", home: home).contains(file))
        for words in [["-n"], ["-n", "--netrc-path=" + path], ["--no-netrc"], ["--http-user=me"]] {
            let command = try AriaCommandLine.read(words + ["http://h/f"], home: home)
            #expect(!command.arguments.contains(file) && command.remarks.isEmpty, "\(words)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let command = try AriaCommandLine.read(["http://h/f"], home: home)
        #expect(!command.arguments.contains(file) && command.remarks == [AriaLines.openNetrc(path)])
    }

    @Test("A list of aria2c has the home in its paths and the URL as the referer, and no trial without a download")
    func keys() throws {
        let text = "http://h/a\n dir=${HOME}/x\n referer=*\n dry-run=false\n"
        var list = try InputList(
            Array(text.utf8), name: "list", dialect: .aria2, defaults: Job(kind: .download, url: ""))
        let job = try #require(list.next(1).first)
        #expect(job.directory == UserFolder.home() + "/x" && job.options.text(of: .referer) == "http://h/a")
        for dialect in [ListDialect.aria2, .netdash] {
            let wrong = Array("http://h/a\n dry-run=true\n".utf8)
            let error = #expect(throws: UsageError.self) {
                try InputList(wrong, name: "list", dialect: dialect, defaults: Job(kind: .download, url: ""))
            }
            #expect(error?.message == "list:2: dry-run: " + ListUsage.dryRun)
        }
    }

    // MARK: - Existing files

    @Test(
        "Four words of aria2 are one rule for an existing file, in any order",
        arguments: [
            ([], Job.IfExists.rename), (["-c"], .same), (["--allow-overwrite=true"], .overwrite),
            (["-c", "--allow-overwrite=true"], .refresh), (["--allow-overwrite", "-c"], .refresh),
            (["--conditional-get=true", "--allow-overwrite=true"], .refresh),
            (["--allow-overwrite=true", "--conditional-get=true"], .refresh), (["--conditional-get"], .same),
            (["--auto-file-renaming=false"], .fail), (["-c", "--auto-file-renaming=false"], .sameOrFail),
            (["-c", "-c=false"], .rename), (["--auto-file-renaming=true"], .rename),
        ])
    func rules(arguments: [String], rule: Job.IfExists) throws {
        let invocation = try Self.parse(arguments, servesClients: false)
        #expect(invocation.jobs.map(\.ifExists) == [rule])
        #expect(invocation.jobDefaults.ifExists == rule)
    }

    @Test(
        "A list of aria2c has the same words, and one of ours keeps its own",
        arguments: [
            ("continue=true", ListDialect.aria2, Job.IfExists.same), ("continue=false", .aria2, .rename),
            ("continue=true", .netdash, .rename), ("conditional-get=true", .aria2, .same),
            ("conditional-get=true\n allow-overwrite=true", .aria2, .refresh),
            ("allow-overwrite=true\n conditional-get=true", .netdash, .refresh),
            ("conditional-get=true\n allow-overwrite=true", .netdash, .refresh),
            ("continue=true\n allow-overwrite=true", .aria2, .refresh),
        ])
    func lists(lines: String, dialect: ListDialect, rule: Job.IfExists) throws {
        let bytes = Array("http://h/a\n \(lines)\n".utf8)
        var list = try InputList(
            bytes, name: "list", dialect: dialect, defaults: Job(kind: .download, url: ""))
        let jobs = list.next(2)
        #expect(jobs.map(\.ifExists) == [rule] && jobs.map(\.continues) == [true])
        #expect(list.ignored == [])
    }

    @Test("A list of aria2c may have keys that aria2c does not know, and one of ours is told of them")
    func unknownKeys() throws {
        let bytes = Array("http://h/a\n nosuch=1\n out=b\nhttp://h/c\n nosuch=2\n".utf8)
        var list = try InputList(bytes, name: "list", dialect: .aria2, defaults: Job(kind: .download, url: ""))
        #expect(list.next(3).map(\.output) == [.name("b"), .automatic])
        #expect(list.ignored == ["nosuch"])
        let own = InputListParser.jobs(in: bytes, name: "list", defaults: Job(kind: .download, url: ""))
        #expect(throws: UsageError.self) { try own.get() }
    }

    @Test("What --continue cannot do is told once")
    func remarks() throws {
        #expect(try Self.parse(["-c", "-c"], servesClients: false).remarks == [AriaLines.continuedBeside])
        #expect(
            try Self.parse(["-c", "--allow-overwrite=true"], servesClients: false).remarks
                == [AriaLines.continuedOver])
    }

    @Test("A file of unfinished downloads is written, and no cache answers")
    func others() throws {
        #expect(try Self.parse(["--save-session=s"], servesClients: false).settings.failedPath == "s")
        let fields: HeaderFields = ["Cache-Control": "no-cache", "Pragma": "no-cache"]
        #expect(try Self.parse(["--http-no-cache=true"], servesClients: false).jobs.map(\.headers) == [fields])
        var list = try InputList(
            Array("http://h/a\n http-no-cache=true\n".utf8), name: "list", defaults: Job(kind: .download, url: ""))
        #expect(list.next(1).map(\.headers) == [fields])
    }
}

import Dashboard
import Testing
import TransferValues

@testable import netdash

@Suite("Options of other tools")
struct ForeignOptionTests {
    /// What a line with a guess becomes: the options that it sets, or the sentence that refuses it.
    private func read(_ line: String) -> Result<[String], UsageError> {
        do throws(UsageError) {
            let items = try CommandLineScanner.scan(line.split(separator: " ").map(String.init))
            return .success(
                items.map { item in
                    switch item {
                    case .option(let option, let value, _):
                        value.isEmpty ? option.longName : "\(option.longName)=\(value)"
                    case .operand(let text): text
                    }
                })
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "are taken with their own meaning, or ask for what is usual",
        arguments: [
            ("-fsSL u", ["quiet", "location", "u"]), ("-L u", ["location", "u"]), ("--fail u", ["u"]),
            ("--retry 5 u", ["retries=5", "u"]),
            ("--max-tries=7 u", ["retries=6", "u"]), ("-m 2 u", ["max-time=2", "u"]), ("-m2 u", ["max-time=2", "u"]),
            ("request --data-binary @f u", ["request", "body=@f", "u"]), ("-P d u", ["dir=d", "u"]),
            ("-nc u", ["if-exists=skip", "u"]), ("-N u", ["if-exists=refresh", "u"]), ("-q u", ["quiet", "u"]),
            ("--split=4 u", ["connections=4", "u"]), ("--max-connection-per-server 2 u", ["connections=2", "u"]),
            ("--no-check-certificate u", ["insecure", "u"]), ("--no-check-certificate=no u", ["insecure=no", "u"]),
            ("--silent=no u", ["quiet=no", "u"]), ("--follow=no u", ["no-location", "u"]),
            ("--no-follow=false u", ["location", "u"]), ("--skip-existing=no u", ["u"]),
            ("--skip-existing=yes u", ["if-exists=skip", "u"]), ("--check-certificate=false u", ["insecure", "u"]),
            ("--check-certificate=true u", ["u"]), ("--verify=no u", ["insecure", "u"]),
            ("--continue=true u", ["continue", "u"]), ("--continue=false u", ["no-continue", "u"]),
            ("--file-allocation none u", ["u"]), ("--file-allocation=none u", ["u"]), ("--url u", ["u"]),
            ("--compressed --http1.1 u", ["u"]), ("--all-proxy=p u", ["proxy=p", "u"]), ("-n u", ["netrc", "u"]),
            ("-U a:b u", ["proxy-user=a:b", "u"]), ("--oauth2-bearer t u", ["bearer=t", "u"]),
            ("--max-overall-download-limit=1M u", ["limit-rate=1M", "u"]),
            ("--min-split-size 2M u", ["min-split=2M", "u"]),
            ("--auth a:b u", ["user=a:b", "u"]), ("-t 3 u", ["retries=2", "u"]),
            ("--tries=0 u", ["retries=1000", "u"]), ("-E c u", ["cert=c", "u"]),
            ("--tries=\(Int64.min) u", ["retries=\(Int64.min)", "u"]),
            ("--no-cache u", ["header=Cache-Control: no-cache", "u"]), ("--load-cookies f u", ["cookie=f", "u"]),
            ("--timeout=3 u", ["stall-timeout=3", "answer-timeout=3", "u"]),
            ("--auto-file-renaming=false u", ["if-exists=fail", "u"]), ("--proxy http://p u", ["proxy=http://p", "u"]),
            ("--post-data a=1 u", ["body=a=1", "u"]), ("--request PUT u", ["method=PUT", "u"]),
        ] as [(String, [String])])
    func taken(line: String, items: [String]) throws {
        #expect(try read(line).get() == items)
    }

    @Test(
        "are answered by what to write",
        arguments: [
            ("-f POST u a=b", "-F a=b"), ("--download u", "netdash URL"), ("--etag-save f u", "--if-exists refresh"),
            ("-O u", "-o NAME"), ("-C - u", "-c"), ("-I u", "request HEAD"), ("-T f u", "netdash upload"),
            ("-r u", "-i FILE"), ("-v u", "--log FILE"), ("-w x u", "--json"),
            ("-D f u", "--include"),
            ("--http-user=a u", "--user"), ("--socks5 h u", "--proxy"), ("--retry-delay 3 u", "--retry-max-time"),
            ("--spider u", "request HEAD"), ("-G u", "?name=value"), ("--http3 u", "HTTP/3"),
            ("--proxy-ntlm u", "--ntlm"), ("--ciphers A u", "--tlsv1.3"),
            ("--post-file f u", "-b @FILE"), ("--save-session f u", "--session"),
            ("--enable-rpc u", "netdash serve --rpc"),
            ("--proto =https u", "https://"), ("--proto-redir https u", "redirect"),
            ("-s 16 u", "-x N"), ("-A http://h/ u", "before the URL"), ("-a me:pw u", "--user"),
            ("-d http://h/ u", "before the URL"), ("--no-proxy http://h/ u", "before the URL"),
        ])
    func answered(line: String, hint: String) {
        guard case .failure(let error) = read(line) else {
            Issue.record("\(line) was taken")
            return
        }
        let name = line.split(separator: " ")[0].split(separator: "=")[0]
        #expect(error.message.hasPrefix("\(name): ") && error.message.contains(hint), "\(error.message)")
    }

    @Test("are answered where a letter means something else here")
    func letters() {
        for (line, hint) in [
            ("-x http://p:1/ http://h/f", "--proxy"), ("-k http://h/f http://h/g", "--insecure"),
            ("request -d a=1 http://h/", "-b"), ("request -i http://h/", "--include"),
            ("request -c jar http://h/", "--cookie-jar"), ("-b sid=1 http://h/", "--cookie"),
            ("request -b sid=1 http://h/", "--cookie"),
        ] {
            guard case .failure(let error) = CommandLine.parse(line.split(separator: " ").map(String.init)) else {
                Issue.record("\(line) was taken")
                continue
            }
            #expect(error.message.contains(hint), "\(error.message)")
        }
    }

    @Test("never stand for a shortened name of ours, and every one of the table leads somewhere")
    func table() throws {
        for option in ForeignOption.table {
            for name in option.names {
                #expect(
                    CommandLineOption.named(String(name.dropFirst(2))) == nil || !name.hasPrefix("--"),
                    "\(name) is ours")
                #expect(
                    name.hasPrefix("--") || name.count > 2 || name.last.flatMap { CommandLineOption.named($0) } == nil)
            }
            switch option.outcome {
            case .same(let name, _): #expect(CommandLineOption.named(name) != nil, "\(name)")
            case .choice(let on, let off):
                for setting in [on, off].compactMap(\.self) { #expect(CommandLineOption.named(setting.name) != nil) }
            case .refused(let sentence):
                #expect(["not ", "fixed"].contains { sentence.contains($0) }, "\(sentence)")
                #expect(sentence.count <= 100, "\(sentence)")
            case .several(let names): #expect(names.allSatisfy { CommandLineOption.named($0) != nil })
            case .usual, .operand, .tries: break
            }
        }
        let names = ForeignOption.table.flatMap(\.names)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 150)
    }
}

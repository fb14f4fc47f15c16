import Dashboard
import Testing
import TransferValues

@testable import netdash

/// What users of other tools type in their first hour: each option is taken with its meaning, or answered.
@Suite("Options of a first hour", .timeLimit(.minutes(1)))
struct FirstHourTests {
    enum Outcome: Sendable {
        /// The options and operands that it becomes.
        case taken([String])
        /// A part of the sentence that refuses it.
        case answered(String)
    }

    private static let ofCurl: [(String, Outcome)] = [
        ("-o f u", .taken(["out=f", "u"])), ("-O u", .answered("-o NAME")), ("-J u", .taken(["u"])),
        ("-L u", .taken(["location", "u"])), ("--location-trusted u", .answered("credentials")),
        ("-s u", .taken(["quiet", "u"])),
        ("-S u", .taken(["u"])), ("-f u", .taken(["u"])), ("-v u", .answered("--log FILE")),
        ("-I u", .answered("request HEAD")), ("-C - u", .answered("resume by default")),
        ("-G u", .answered("?name=value")), ("-T f u", .answered("netdash upload")),
        ("-u a:b u", .taken(["user=a:b", "u"])), ("-A x u", .taken(["user-agent=x", "u"])),
        ("-e r u", .taken(["referer=r", "u"])), ("--cookie a=b u", .taken(["cookie=a=b", "u"])),
        ("--cookie-jar f u", .taken(["cookie-jar=f", "u"])), ("-m 5 u", .taken(["max-time=5", "u"])),
        ("-w x u", .answered("--json")), ("-D f u", .answered("--include")), ("-# u", .taken(["u"])),
        ("-4 u", .taken(["ipv4", "u"])), ("-6 u", .taken(["ipv6", "u"])), ("-r 0-99 u", .answered("ranges")),
        ("-z x u", .answered("--if-exists refresh")), ("-Z u", .taken(["u"])), ("-E c u", .taken(["cert=c", "u"])),
        ("-R u", .taken(["remote-time", "u"])), ("-X PUT u", .taken(["method=PUT", "u"])),
        ("-H X:1 u", .taken(["header=X:1", "u"])), ("-F a=b u", .taken(["form=a=b", "u"])),
        ("--data-raw a=1 u", .taken(["body=a=1", "u"])), ("--data-binary @f u", .taken(["body=@f", "u"])),
        ("--data-urlencode a=b u", .taken(["data-urlencode=a=b", "u"])), ("--retry 3 u", .taken(["retries=3", "u"])),
        ("--retry-delay 2 u", .answered("--retry-max-time")), ("--retry-connrefused u", .taken(["u"])),
        ("--connect-timeout 5 u", .taken(["connect-timeout=5", "u"])),
        ("--limit-rate 1M u", .taken(["limit-rate=1M", "u"])), ("--max-redirs 5 u", .taken(["max-redirs=5", "u"])),
        ("--compressed u", .taken(["u"])), ("--http2-prior-knowledge u", .answered("--http2")),
        ("--resolve h:1:127.0.0.1 u", .taken(["resolve=h:1:127.0.0.1", "u"])),
        ("--proxy p u", .taken(["proxy=p", "u"])),
        ("--socks5 h:1 u", .answered("socks5h://")), ("--oauth2-bearer t u", .taken(["bearer=t", "u"])),
        ("--output-dir d u", .taken(["dir=d", "u"])), ("--stderr f u", .answered("2>FILE")),
        ("--fail-early u", .answered("continue")), ("--url-query a=b u", .answered("?name=value")),
        ("--no-buffer u", .taken(["u"])), ("--http1.0 u", .answered("HTTP/1.1")), ("-1 u", .taken(["u"])),
        ("--json {\"a\":1} u", .answered("--json-body")), ("--json=[1] u", .answered("--json-body")),
        ("--json @f u", .answered("--json-body")), ("--json {a,b}.test/ u", .taken(["json", "{a,b}.test/", "u"])),
        ("--crlfile f u", .answered("--pin")), ("--remove-on-error u", .answered("parts --remove")),
    ]

    private static let ofDownloaders: [(String, Outcome)] = [
        ("-nc u", .taken(["if-exists=skip", "u"])), ("-N u", .taken(["if-exists=refresh", "u"])),
        ("-P d u", .taken(["dir=d", "u"])), ("--tries=3 u", .taken(["retries=2", "u"])),
        ("--no-check-certificate u", .taken(["insecure", "u"])), ("--content-disposition u", .taken(["u"])),
        ("--spider u", .answered("request HEAD")), ("--recursive u", .answered("-i FILE")),
        ("--background u", .answered("--plain")), ("--split=4 u", .taken(["connections=4", "u"])),
        ("--min-split-size=1M u", .taken(["min-split=1M", "u"])),
        ("--allow-overwrite=true u", .taken(["if-exists=overwrite", "u"])),
        ("--max-concurrent-downloads=3 u", .taken(["max-concurrent=3", "u"])),
        ("--enable-rpc u", .answered("netdash serve --rpc")),
    ]

    private static let ofClients: [(String, Outcome)] = [
        ("-f POST u a=b", .answered("-F NAME=VALUE")), ("-a me:pw u", .answered("--user")),
        ("--auth me:pw u", .taken(["user=me:pw", "u"])), ("--verify=no u", .taken(["insecure", "u"])),
        ("--follow u", .taken(["location", "u"])), ("--print=h u", .answered("--include")),
        ("--download u", .answered("-o NAME")),
    ]

    static let rows = ofCurl + ofDownloaders + ofClients

    @Test("There are as many as were counted")
    func counts() {
        #expect(Self.ofCurl.count >= 48 && Self.ofDownloaders.count >= 12 && Self.ofClients.count >= 5)
    }

    @Test("is taken, or answered by what to write", arguments: rows.indices)
    func option(index: Int) throws {
        let (line, outcome) = Self.rows[index]
        let result: Result<[CommandLineScanner.Item], UsageError>
        do throws(UsageError) {
            result = .success(try CommandLineScanner.scan(line.split(separator: " ").map(String.init)))
        } catch {
            result = .failure(error)
        }
        switch (outcome, result) {
        case (.taken(let expected), .success(let items)):
            let found = items.map { item in
                switch item {
                case .option(let option, let value, _):
                    value.isEmpty ? option.longName : "\(option.longName)=\(value)"
                case .operand(let text): text
                }
            }
            #expect(found == expected, "\(line)")
        case (.answered(let hint), .failure(let error)):
            #expect(error.message.contains(hint), "\(line): \(error.message)")
        case (.taken, .failure(let error)): Issue.record("\(line) is refused: \(error.message)")
        case (.answered, .success): Issue.record("\(line) is taken")
        }
    }
}

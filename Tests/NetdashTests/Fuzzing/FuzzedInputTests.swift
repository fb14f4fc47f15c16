import Dashboard
import FuzzTestSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// Lists, configurations, pasted commands and keys, changed at random: each is read or refused in a sentence, never a trap.
@Suite("What users give, changed at random", .timeLimit(.minutes(Fuzzing.minutes)))
struct FuzzedInputTests {
    private static let defaults = Job(kind: .download, url: "")

    @Test("Input lists mean the same as a file and in pieces")
    func lists() {
        let fuzzing = Fuzzing(
            "lists",
            corpus: [
                "http://h/a\nhttp://h/b\n  out=x\n  dir=y\n\n# note\nhttp://h/c\n kind=data\n method=PUT\n body=x\n",
                "http://h/a\r\n\theader=A: b\r\n checksum=md5=00000000000000000000000000000000\r\n",
                "h/a\n if-exists=skip\n pause=yes\nhttp://h/\u{FF}\n", " out=x\n", "\n\n\n",
                "http://[::1\nhttp://h/%zz",
            ], words: ["http://", "\n", "\r\n", " out=", "  header=A: ", "kind=upload", "#", "body-file=", "\0"])
        #expect(
            fuzzing.failures { bytes, random in
                let complete = Self.entries(of: [bytes])
                var pieces: [[UInt8]] = []
                var start = 0
                while start < bytes.count {
                    let end = min(start + 1 + random.number(below: 9), bytes.count)
                    pieces.append(Array(bytes[start..<end]))
                    start = end
                }
                if Self.entries(of: pieces) != complete { return "other jobs in pieces" }
                if let told = complete.compactMap(Self.problem).first { return told }
                guard var list = try? InputList(bytes, name: "standard input", defaults: Self.defaults) else {
                    return complete.contains { if case .failure = $0 { true } else { false } }
                        ? nil : "a list that was refused"
                }
                let jobs = complete.compactMap { if case .job(let job) = $0 { job } else { nil } }
                var read: [Job] = []
                while case let next = list.next(3), !next.isEmpty { read += next }
                return read == jobs && jobs.count == complete.count ? nil : "other jobs than as a stream"
            } == [])
    }

    private static func entries(of pieces: [[UInt8]]) -> [InputListParser.Entry] {
        var list = ArrivingList(defaults: defaults)
        var entries: [InputListParser.Entry] = []
        for piece in pieces where !piece.isEmpty { entries += list.add(piece) }
        return entries + list.add([])
    }

    private static func problem(_ entry: InputListParser.Entry) -> String? {
        switch entry {
        case .job(let job):
            let isSafe = !job.headers.contains { ($0.name + $0.value).utf8.contains { $0 == 0x0A || $0 == 0 } }
            return isSafe && !job.url.isEmpty ? nil : "a job that cannot be sent"
        case .failure(_, let error): return error.message.isEmpty ? "no sentence" : nil
        }
    }

    @Test("Configurations, digests and command lines")
    func configurations() {
        let fuzzing = Fuzzing(
            "configurations",
            corpus: [
                "dir = ~/Downloads\nmax-concurrent = 8 # note\nkey.pause = p F7\n",
                "\u{FEFF}plain = yes\r\njson = no\r\n",
                "columns = name,host:24,size\nsort = -size\nview.5 = name: size:1M..2G\n", "fps = 99\nfps = 4\n",
                "header = A: b\nheader = C: d\nsession = x\nglyphs = ascii\ncolor = never\n", "=\n = \nkey. =\n",
                "checksum = sha-256=00\nproxy = socks5://h:1\nuser = @env:X\nopen = xdg-open\n",
                "on-complete = \"a b\n",
            ],
            words: [
                "\n", " = ", "key.", "view.", "columns = ", "yes", "#", "\"", "^X", "sha-256=", "1e309", "\u{2028}",
            ])
        #expect(
            fuzzing.failures { bytes, _ in
                do throws(UsageError) {
                    _ = try ConfigurationParser.configuration(in: bytes, name: "config", home: "/home/me")
                } catch {
                    if error.message.isEmpty { return "no sentence" }
                }
                let text = String(decoding: bytes, as: UTF8.self)
                if let sum = try? ValueParser.checksum(text, label: "x"), sum.hex.utf8.count != sum.algorithm.digitCount
                {
                    return "a digest of another length"
                }
                let words = text.split(separator: "\n").map(String.init)
                if case .failure(let error) = CommandLine.parse(words), error.message.isEmpty { return "no sentence" }
                return nil
            } == [])
    }

    @Test("Pasted curl commands")
    func commands() {
        let fuzzing = Fuzzing(
            "commands",
            corpus: [
                "curl https://h/a",
                "curl -X POST 'https://h/a b' -H \"A: b\" --data-raw $'x\\n\\x41\\u00e9' \\\n  -o out",
                "$ curl -sSL -T file https://h/ -u me:pw --proxy http://p:1 -F 'a=@b;type=x'",
                "curl -d @f -d x=1 -G h -b 'a=b' --cacert c --resolve h:443:1.2.3.4 -k -m 5", "curl", "curl -H",
                "curl '",
            ], words: ["'", "\"", "\\", "\\\n", " -H ", " -d ", "$'", "\\u", "\\x", "--url ", " -", "=", "@"])
        #expect(
            fuzzing.failures { bytes, _ in
                let text = String(decoding: bytes, as: UTF8.self)
                guard let reading = CurlCommandReader.read(text) else { return nil }
                return reading.unknown.contains("") ? "an option without a name" : nil
            } == [])
    }

    @Test("Keys mean the same however reads cut them, and nothing is waited for without an end")
    func keys() {
        let fuzzing = Fuzzing(
            "keys",
            corpus: [
                "jk\u{1B}[A\u{1B}OP\u{1B}[15~\u{1B}[1;5C", "\u{1B}[200~paste\r\nof\u{1B}[Alines\u{1B}[201~q",
                "\u{1B}[<0;10;20M",
                "\u{1B}[I\u{1B}[O", "\u{1B}]0;title\u{07}\u{1B}P1$r\u{1B}\\x", "é\u{1F600}\u{1B}\u{1B}[[A",
                "\u{1B}[M !!",
                "\u{1B}[99999999999999999999;1u", "\u{1B}[1;1;1;1;1;1~",
            ], words: ["\u{1B}", "\u{1B}[", "\u{1B}[200~", "\u{1B}[201~", ";", "~", "\u{1B}O", "\u{1B}[<", "\u{1B}[M"])
        #expect(
            fuzzing.failures { bytes, random in
                var complete = InputParser()
                var cut = InputParser()
                let first = complete.feed(bytes, now: 0)
                var second: [TerminalInput] = []
                var start = 0
                while start < bytes.count {
                    let end = min(start + 1 + random.number(below: 5), bytes.count)
                    second += cut.feed(bytes[start..<end], now: 0)
                    start = end
                }
                if first != second { return "other keys in pieces" }
                let rest = complete.expire(now: 1 << 40)
                if rest != cut.expire(now: 1 << 40) { return "another end in pieces" }
                if complete.deadline != nil, complete.feed([], now: 1 << 41) == [], complete.deadline != nil {
                    return "no end"
                }
                var texts = (first + rest).compactMap { if case .paste(let text) = $0 { text } else { nil } }
                texts.removeAll { !$0.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" } }
                return texts.isEmpty ? nil : "a paste with a control character"
            } == [])
    }
}

import DashboardTestSupport
import FuzzTestSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Input parser")
struct TerminalInputParserTests {
    /// What one read of these bytes means at once.
    static func parse(_ text: String) -> [TerminalInput] {
        var parser = InputParser()
        return parser.feed(Array(text.utf8), now: 0)
    }

    static let keys: [(String, KeyPress)] = [
        ("a", .character("a")), (" ", .character(" ")), ("é", .character("é")), ("日", .character("日")),
        ("🙂", .character("🙂")), ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace),
        ("\u{8}", .backspace), ("\u{3}", .control("c")), ("\u{1A}", .control("z")), ("\u{1C}", .control("\\")),
        ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[B", .down), ("\u{1B}OB", .down), ("\u{1B}[C", .right),
        ("\u{1B}OC", .right), ("\u{1B}[D", .left), ("\u{1B}OD", .left), ("\u{1B}[H", .home), ("\u{1B}OH", .home),
        ("\u{1B}[1~", .home), ("\u{1B}[7~", .home), ("\u{1B}[F", .end), ("\u{1B}OF", .end), ("\u{1B}[4~", .end),
        ("\u{1B}[8~", .end), ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp),
        ("\u{1B}[6~", .pageDown), ("\u{1B}[Z", .backTab), ("\u{1B}OP", .function(1)), ("\u{1B}[11~", .function(1)),
        ("\u{1B}[[A", .function(1)), ("\u{1B}[[E", .function(5)), ("\u{1B}[15~", .function(5)),
        ("\u{1B}[17~", .function(6)), ("\u{1B}[21~", .function(10)), ("\u{1B}[24~", .function(12)),
        ("\u{1B}OM", .enter), ("\u{1B}Op", .character("0")), ("\u{1B}[1;1A", .up),
    ]

    @Test("Every form of every key is understood", arguments: keys)
    func knownKeys(bytes: String, key: KeyPress) {
        #expect(Self.parse(bytes) == [.key(key)])
    }

    @Test("It does not matter where reads cut the bytes", arguments: keys)
    func splitReads(bytes: String, key: KeyPress) {
        var parser = InputParser()
        var inputs: [TerminalInput] = []
        for (index, byte) in bytes.utf8.enumerated() {
            inputs += parser.feed([byte], now: Int64(index) * 20)
        }
        #expect(inputs == [.key(key)])
        #expect(parser.deadline == nil)
    }

    @Test(
        "What is not known is swallowed whole and the key behind it arrives",
        arguments: [
            "\u{1B}[1;2P", "\u{1B}[1;5A", "\u{1B}[97;5u", "\u{1B}[27;5;9~", "\u{1B}[99~", "\u{1B}[?62;22c",
            "\u{1B}[M !!", "\u{1B}[<2;10;20M", "\u{1B}[<0;0;20M", "\u{1B}[<0;10M", "\u{1B}[<0;10;20m",
            "\u{1B}]11;rgb:0000/0000/0000\u{7}",
            "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}O2P", "\u{1B}Oa", "\u{1B}[7$",
            "\u{1B}[?2026;2$y", "\u{1B}[200;1~", "\u{85}", "\u{1B}[1;\u{18}",
        ])
    func unknownSequences(bytes: String) {
        #expect(Self.parse(bytes + "x") == [.key(.character("x"))])
    }

    @Test("Clicks and the wheel are reported with their cell")
    func mouse() {
        #expect(
            Self.parse("\u{1B}[<0;10;20M\u{1B}[<64;1;1M\u{1B}[<65;300;2M") == [
                .mouse(MouseEvent(kind: .press, row: 19, column: 9)),
                .mouse(MouseEvent(kind: .wheelUp, row: 0, column: 0)),
                .mouse(MouseEvent(kind: .wheelDown, row: 1, column: 299)),
            ])
    }

    @Test("Bytes that are no UTF-8 are no keys")
    func invalidBytes() {
        var parser = InputParser()
        let bytes: [UInt8] = [0xFF, 0x80, 0xC0, 0xAF, 0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80]
        #expect(parser.feed(bytes, now: 0).isEmpty)
        // A character that was begun gives way to the one that follows.
        #expect(parser.feed([0xE6, 0x97, 0x61], now: 0) == [.key(.character("a"))])
    }

    @Test("An escape alone is the key after 25 ms, not before")
    func loneEscape() {
        var parser = InputParser()
        #expect(parser.feed([0x1B], now: 1000).isEmpty)
        #expect(parser.deadline == 1025)
        #expect(parser.expire(now: 1024).isEmpty)
        #expect(parser.expire(now: 1025) == [.key(.escape)])
        #expect(parser.deadline == nil)
    }

    @Test("The delay of an escape is the user's")
    func escapeDelay() {
        var parser = InputParser(escapeDelay: 300)
        _ = parser.feed([0x1B], now: 0)
        #expect(parser.deadline == 300)
    }

    @Test("An escape that was cut off its key counts, and the rest is that key")
    func lateBytes() {
        var parser = InputParser()
        _ = parser.feed([0x1B], now: 0)
        #expect(parser.feed(Array("[A".utf8), now: 40) == [.key(.escape), .key(.up)])
    }

    /// Replies of terminals, each of its own kind.
    static let replies = [
        "\u{1B}[?62;22;52c", "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\", "\u{1B}]52;c;cXF4eA==\u{7}",
        "\u{1B}P>|xterm(388)\u{1B}\\",
        "\u{1B}P1$r0m\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[8;24;80t", "\u{1B}[24;80R", "\u{1B}]lq\u{1B}\\",
        "\u{1B}[<64;1", "\u{1B}[>0;388;0c",
    ]

    @Test("A reply of the terminal that a slow line cuts is no key, wherever it is cut", arguments: replies)
    func cutReplies(reply: String) {
        let bytes = Array(reply.utf8)
        for cut in 2..<bytes.count {
            var parser = InputParser()
            var inputs = parser.feed(bytes[..<cut], now: 0)
            inputs += parser.expire(now: 999)
            inputs += parser.feed(bytes[cut...], now: 999)
            #expect(inputs.isEmpty, "cut at \(cut)")
        }
    }

    @Test("Where each byte of a reply comes alone its escape is one key, and the rest is none", arguments: replies)
    func dripping(reply: String) {
        var parser = InputParser()
        var inputs: [TerminalInput] = []
        for (index, byte) in reply.utf8.enumerated() {
            inputs += parser.expire(now: Int64(index) * 150)
            inputs += parser.feed([byte], now: Int64(index) * 150)
        }
        #expect(inputs == [.key(.escape)])
    }

    @Test("A key that could go on with an escape before it waits a moment, and is a key")
    func keyAfterEscape() {
        for character in "[]OP_" {
            var parser = InputParser()
            _ = parser.feed([0x1B], now: 0)
            #expect(parser.expire(now: 25) == [.key(.escape)])
            #expect(parser.feed([character.asciiValue ?? 0], now: 200).isEmpty)
            #expect(parser.feed(Array("q".utf8), now: 300) == [.key(.character(character)), .key(.character("q"))])
            _ = parser.feed([0x1B], now: 1000)
            #expect(
                parser.feed([character.asciiValue ?? 0], now: 1500) == [.key(.escape), .key(.character(character))])
        }
    }

    @Test("Replies that begin with one byte are no keys, and an escape that is none of its end calls a string off")
    func singleByteReplies() {
        var parser = InputParser()
        #expect(parser.feed([0x9B] + Array("?62;22cx".utf8), now: 0) == [.key(.character("x"))])
        #expect(parser.feed([0x9D] + Array("11;rgb:0/0/0".utf8) + [0x9C, 0x78], now: 0) == [.key(.character("x"))])
        #expect(parser.feed(Array("\u{1B}]11;rgb\u{1B}[A".utf8), now: 0) == [.key(.up)])
    }

    @Test(
        "An escape and a character in one read are two keys",
        arguments: [
            ("\u{1B}j", [KeyPress.escape, .character("j")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
            ("\u{1B}\r", [.escape, .enter]), ("\u{1B}é", [.escape, .character("é")]),
        ])
    func escapeThenKey(bytes: String, keys: [KeyPress]) {
        #expect(Self.parse(bytes) == keys.map { .key($0) })
    }

    @Test(
        "An escape before a bracket or an O becomes two keys when no sequence follows", arguments: ["[", "O", "]", "P"])
    func abandonedIntroducer(character: Character) {
        var parser = InputParser()
        #expect(parser.feed(Array("\u{1B}\(character)".utf8), now: 0).isEmpty)
        #expect(parser.expire(now: 999).isEmpty)
        #expect(parser.expire(now: 1000) == [.key(.escape), .key(.character(character))])
    }

    @Test("A sequence that is never finished is dropped")
    func unfinishedSequence() {
        var parser = InputParser()
        _ = parser.feed(Array("\u{1B}[1;".utf8), now: 0)
        #expect(parser.expire(now: 1000).isEmpty)
        #expect(parser.feed(Array("q".utf8), now: 1001) == [.key(.character("q"))])
    }

    @Test("A paste arrives as one text, however it is cut, and fires no keys")
    func paste() {
        let bytes = Array("\u{1B}[200~https://a.example/1\r\nhttps://b.example/é\tq\u{1B}[201~x".utf8)
        let expected: [TerminalInput] = [.paste("https://a.example/1\nhttps://b.example/é q"), .key(.character("x"))]
        for size in 1...bytes.count {
            var parser = InputParser()
            var inputs: [TerminalInput] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                inputs += parser.feed(bytes[start..<min(start + size, bytes.count)], now: 0)
            }
            #expect(inputs == expected, "in pieces of \(size)")
        }
    }

    @Test("A paste loses its control characters, but not what looks like the paste's end and is not")
    func hostilePaste() {
        let bytes = "\u{1B}[200~a\u{1B}[31mb\u{1B}[20cd\u{7}e\u{9B}2Jf\u{7F}\u{1B}\u{1B}[201~"
        #expect(Self.parse(bytes) == [.paste("a[31mb[20cde2Jf")])
    }

    @Test("A paste is cut at its limit and its end is still found")
    func longPaste() {
        let text = String(repeating: "x", count: InputParser.pasteLimit + 5000)
        let inputs = Self.parse("\u{1B}[200~" + text + "\u{1B}[201~q")
        #expect(inputs.count == 2)
        #expect(inputs.last == .key(.character("q")))
        guard case .paste(let pasted) = inputs.first else {
            Issue.record("No paste arrived")
            return
        }
        #expect(pasted.utf8.count == InputParser.pasteLimit)
    }

    @Test("A paste whose end got lost does not lock the keyboard")
    func endlessPaste() throws {
        var parser = InputParser()
        #expect(parser.feed(Array("\u{1B}[200~abc".utf8), now: 0).isEmpty)
        let deadline = try #require(parser.deadline)
        #expect(parser.expire(now: deadline) == [.paste("abc")])
        #expect(parser.feed(Array("q".utf8), now: deadline) == [.key(.character("q"))])
    }

    @Test("The window's focus is reported")
    func focus() {
        #expect(Self.parse("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
    }

    @Test("Random bytes end in the ground state and never trap")
    func randomBytes() {
        var generator = SeededGenerator(seed: 99)
        let favourites: [UInt8] = [0x1B, 0x5B, 0x4F, 0x5D, 0x32, 0x30, 0x7E, 0x4D, 0x3C, 0x24, 0x07, 0xE2, 0x80]
        for _ in 0..<500 {
            var parser = InputParser()
            let bytes = (0..<60).map { _ in
                Bool.random(using: &generator)
                    ? UInt8.random(in: .min ... .max, using: &generator)
                    : favourites[Int.random(in: 0..<favourites.count, using: &generator)]
            }
            _ = parser.feed(bytes, now: 0)
            _ = parser.expire(now: 10_000)
            #expect(parser.deadline == nil)
            #expect(parser.feed([0x78], now: 10_000) == [.key(.character("x"))])
        }
    }
}

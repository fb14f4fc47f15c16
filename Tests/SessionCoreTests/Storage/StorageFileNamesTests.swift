import FuzzTestSupport
import SessionSupport
import Testing

@testable import SessionCore

@Suite("File names")
struct StorageFileNamesTests {
    private func name(_ disposition: String?, url: String = "http://h/from-url.bin", type: String? = nil) -> String {
        var head = ResponseHead(statusCode: 200)
        if let type { head.headers.append(name: "Content-Type", value: type) }
        if let disposition { head.headers.append(name: "Content-Disposition", value: disposition) }
        return FileNames.automatic(url: url, head: head)
    }

    @Test(
        "The name a server offers",
        arguments: [
            (#"attachment; filename="a.zip""#, "a.zip"), ("attachment; filename=a.zip", "a.zip"),
            (#"attachment; filename="a \"b\".zip""#, "a _b_.zip"), (#"inline;FileName = "x.txt" ; size=3"#, "x.txt"),
            (#"attachment; filename="old.txt"; filename*=UTF-8''n%C3%A9w.txt"#, "n\u{E9}w.txt"),
            (#"attachment; filename*=utf-8'de'%e2%82%ac.txt; filename=x"#, "\u{20AC}.txt"),
            ("attachment; filename*=iso-8859-1''%A3.txt", "\u{A3}.txt"),
            ("attachment; filename*=koi8-r''%A3.txt; filename=plain.txt", "\u{451}.txt"),
            ("attachment; filename*=unheard-of''%A3.txt; filename=plain.txt", "plain.txt"),
            ("attachment; filename*=UTF-8''%ff%fe.txt; filename=plain.txt", "plain.txt"),
            ("attachment; filename*=plain.txt; filename=other.txt", "other.txt"),
            ("attachment; filename*=unheard-of''%A3.txt", "unheard-of''%A3.txt"),
            (#"attachment; filename="first.txt"; filename="second.txt""#, "first.txt"),
            (#"attachment; filename="open.txt"#, "open.txt"), ("filename=bare.txt", "bare.txt"),
            (#"attachment; filename="semi;colon.txt"; x=1"#, "semi;colon.txt"),
        ])
    func offered(disposition: String, expected: String) {
        #expect(name(disposition) == expected)
    }

    @Test(
        "A name that is encoded as browsers read it is decoded",
        arguments: [
            (#"filename="a%20b.txt""#, "a b.txt"),
            (#"filename="%E3%83%86%E3%82%B9%E3%83%88.txt""#, "\u{30C6}\u{30B9}\u{30C8}.txt"),
            (#"filename="100%.txt""#, "100%.txt"), (#"filename="100%25.txt""#, "100%.txt"),
            ("filename=a%E4b.txt", "a%E4b.txt"),
            (#"filename="a%2Fb.txt""#, "b.txt"), (#"filename="=?UTF-8?B?5pel5pysLnR4dA==?=""#, "\u{65E5}\u{672C}.txt"),
            (#"filename="=?utf-8?q?a_=C3=A4?= =?iso-8859-1?Q?=E9.txt?=""#, "a \u{E4}\u{E9}.txt"),
            (#"filename="=?gb2312?B?zsS1tS50eHQ=?=""#, "\u{6587}\u{6863}.txt"),
            (#"filename="=?unheard-of?B?zsS1tS50eHQ=?=""#, "=_unheard-of_B_zsS1tS50eHQ=_="),
            ("filename*=shift_jis'ja'%93%FA%96%7B.txt", "\u{65E5}\u{672C}.txt"),
            ("filename*=windows-1252''%80.txt", "\u{20AC}.txt"), ("filename=\u{C4}\u{80}.txt", "\u{C4}\u{20AC}.txt"),
            ("filename*0*=UTF-8''%C3%A4; filename*1=\"b.txt\"; filename=c.txt", "\u{E4}b.txt"),
            ("filename*0=\"long \"; filename*1=\"name.txt\"", "long name.txt"),
        ])
    func encoded(parameters: String, expected: String) {
        #expect(name("attachment; " + parameters) == expected)
    }

    @Test(
        "Escapes in no charset that is named are read in that of the answer",
        arguments: [
            ("filename=%93%FA%96%7B.txt", "text/plain; charset=Shift_JIS", "\u{65E5}\u{672C}.txt"),
            ("filename=a%E4.txt", #"text/plain; x=1; Charset="iso-8859-1""#, "a\u{E4}.txt"),
            ("filename=a%E4.txt", "text/plain; charset=utf-8", "a%E4.txt"),
            ("filename=a%E4.txt", "text/plain; charset=unheard-of", "a%E4.txt"),
            ("filename=a%C3%A4.txt", "text/plain; charset=koi8-r", "a\u{E4}.txt"),
            ("filename=\u{444}%A3.txt", "text/plain; charset=koi8-r", "\u{444}%A3.txt"),
            ("filename*=''%A3.txt", "text/plain; charset=koi8-r", "\u{451}.txt"),
            ("filename*=iso-8859-1''%A3.txt", "text/plain; charset=koi8-r", "\u{A3}.txt"),
            ("filename*0*=''%A3; filename*1=b.txt", "text/plain; charset=koi8-r", "\u{451}b.txt"),
        ])
    func charsetOfAnswer(parameters: String, type: String, expected: String) {
        #expect(name("attachment; " + parameters, type: type) == expected)
    }

    @Test(
        "A name that leads out of the folder is cut to its last component",
        arguments: [
            (#""../../..x""#, "__x"), (#""..\\..\\x""#, "x"), (#""..\..\x""#, "x"), (#""/etc/x""#, "x"),
            (#""C:\x""#, "x"), (#""x/""#, "from-url.bin"), (#""/""#, "from-url.bin"), (#"".""#, "from-url.bin"),
            (#""..""#, "from-url.bin"), (#""""#, "from-url.bin"), (#""   ""#, "from-url.bin"),
            (#""...""#, "from-url.bin"),
        ])
    func traversal(quoted: String, expected: String) {
        #expect(name("attachment; filename=" + quoted) == expected)
    }

    @Test("Escaped separators are decoded once and then cut")
    func escaped() {
        #expect(name("attachment; filename*=UTF-8''%2e%2e%2f%2e%2e%2fx") == "x")
        #expect(name("attachment; filename*=UTF-8''..%5c..%5cx") == "x")
        #expect(name("attachment; filename*=UTF-8''%252e%252e%252fx") == "%2e%2e%2fx")
    }

    @Test(
        "Hidden, option-like and home-like names lose what makes them so",
        arguments: [
            (".bashrc", "_bashrc"), (".ssh", "_ssh"), ("-rf", "_rf"), ("~root", "_root"), ("..x", "__x"),
            ("a.", "a"), ("a. . ", "a"), ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("com1", "_com1"),
            ("com0", "com0"), ("console", "console"), ("a<b>c:d|e?f*g\"h", "a_b_c_d_e_f_g_h"),
        ])
    func neutralised(offered: String, expected: String) {
        #expect(FileNames.cleaned(offered) == expected)
    }

    @Test("Only a home sign leaves nothing of a name", arguments: ["~", "-", " ", "\u{200B}", "\u{202E}", "", "/"])
    func nothingLeft(offered: String) {
        #expect(FileNames.cleaned(offered) == nil)
    }

    @Test("No control character, invisible character or direction override survives")
    func hostileCharacters() {
        #expect(FileNames.cleaned("a\u{1B}]0;x\u{7}b") == "a_]0;x_b")
        #expect(FileNames.cleaned("a\u{9B}31mb\u{7F}\n\tc") == "a_31mb___c")
        #expect(FileNames.cleaned("invoice\u{202E}fdp.exe") == "invoicefdp.exe")
        #expect(FileNames.cleaned("a\u{200B}\u{FEFF}\u{E0041}b\u{2028}c") == "ab_c")
        for value in (0...0x2FF).map({ UInt32($0) }) + Array(0x2000...0x206F) {
            guard let scalar = Unicode.Scalar(value), let name = FileNames.cleaned("a\(scalar)b") else { continue }
            let isVisible = name.unicodeScalars.allSatisfy { found in
                found.value >= 0x20 && !(0x7F...0x9F).contains(found.value)
                    && found.properties.generalCategory != .format
            }
            #expect(isVisible, "U+\(String(value, radix: 16)) survived")
        }
    }

    @Test("One spelling for one name")
    func normalForm() {
        let composed = FileNames.cleaned("\u{E9}.txt").map { Array($0.utf8) }
        let decomposed = FileNames.cleaned("e\u{301}.txt").map { Array($0.utf8) }
        #expect(composed == decomposed)
        #expect(composed == Array("\u{E9}.txt".utf8))
    }

    @Test(
        "The name from a URL is its last component, decoded once, without its query",
        arguments: [
            ("http://h/a/b.zip", "b.zip"), ("http://h/b.zip?file=../../x", "b.zip"), ("http://h/b.zip#frag", "b.zip"),
            ("http://h/a%20b.zip", "a b.zip"), ("http://h/a%252fb", "a%2fb"), ("http://h/a%2F..%2Fb", "b"),
            ("http://h/", "download"), ("http://h", "download"), ("http://h?x=/y", "download"),
            ("http://h/a/", "download"), ("http://h/..", "download"), ("http://h/%00", "download"),
            ("http://h/%ff.txt", "%FF.txt"), ("http://h.example", "download"), ("http://h/%E4%E9", "%E4%E9"),
            ("http://h/%C3%A4%e4%20x%E2%82", "\u{E4}%E4 x%E2%82"), ("http://h/%e4%2f%e5", "%E5"),
        ])
    func fromURL(url: String, expected: String) {
        #expect(name(nil, url: url) == expected)
    }

    @Test("Numbers stand before the extension")
    func numbers() {
        #expect(FileNames.numbered("a.txt", 1) == "a (1).txt")
        #expect(FileNames.numbered("a", 12) == "a (12)")
        #expect(FileNames.numbered("a.tar.gz", 2) == "a (2).tar.gz")
        #expect(FileNames.numbered(".hidden", 2) == ".hidden (2)")
        #expect(FileNames.numbered("v1.2.zip", 2) == "v1.2 (2).zip")
    }

    @Test("Names fit a directory entry with everything that is added, cut between characters, extension kept")
    func lengths() {
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
        for base in [String(repeating: "a", count: 400), String(repeating: "\u{1F600}", count: 100)] {
            let name = FileNames.cleaned(base + ".tar.gz") ?? ""
            #expect(name.utf8.count <= 255 && name.utf8.count > 240)
            #expect(name.hasSuffix(".tar.gz"))
            #expect(FileNames.numbered(name, 9_999).utf8.count <= 255)
            #expect(FileNames.numbered(name, 9_999).hasSuffix(" (9999).tar.gz"))
            let part = FileNames.partName(name, identifier: "01234567")
            #expect((part + FileNames.metaSuffix).utf8.count <= 255)
            #expect(part.hasPrefix(".") && part.hasSuffix(".01234567.part"))
        }
        #expect((FileNames.cleaned("a." + String(repeating: "e", count: 300)) ?? "").utf8.count == 255)
        #expect(FileNames.prefix("ab" + family, bytes: 10) == "ab")
        #expect(FileNames.prefix(String(repeating: "e\u{301}", count: 3), bytes: 4) == "e\u{301}")
        #expect(FileNames.prefix("e" + String(repeating: "\u{301}", count: 300), bytes: 6).utf8.count == 5)
    }

    @Test("A user's name is taken as it is, if it is one")
    func fixed() throws {
        #expect(try FileNames.fixed(".config") == ".config")
        for name in ["", ".", "..", "a/b", "a\0", String(repeating: "a", count: 256)] {
            let error = #expect(throws: SessionError.self) { try FileNames.fixed(name) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test("Identifiers are the same in every run and differ by URL, name and generation")
    func identifiers() {
        let first = FileNames.identifier(url: "http://h/a", name: "a")
        #expect(first == FileNames.identifier(url: "http://h/a", name: "a"))
        #expect(first.utf8.count == 8)
        let others = [
            FileNames.identifier(url: "http://h/b", name: "a"), FileNames.identifier(url: "http://h/a", name: "b"),
            FileNames.identifier(url: "http://h/a", name: "a", generation: 1),
        ]
        #expect(Set(others + [first]).count == 4)
        #expect(StableHash.hexadecimal("a".utf8) == "af63dc4c8601ec8c")
    }

    @Test("Whatever bytes come, the name is one visible component that fits")
    func fuzz() {
        var generator = SeededGenerator(seed: 4_711)
        for _ in 0..<5_000 {
            let bytes = (0..<generator.next(upperBound: UInt64(300))).map { _ in
                UInt8(truncatingIfNeeded: generator.next())
            }
            guard let name = FileNames.cleaned(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(Folder.isComponent(name) && name.utf8.count <= 255 && !name.hasPrefix("."))
            #expect(name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        }
    }
}

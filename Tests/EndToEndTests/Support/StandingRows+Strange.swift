import LoopbackServer
import TerminalTestSupport

extension StandingRows {
    /// URLs, headers, file names and bodies that try to break out of their cells, and other scripts between them.
    static let strange = StandingRows(
        name: "strange",
        list: strangePaths.map { "@/\($0)\n pause=true\n" }.joined() + """
            @/named/1
            @/named/2
            @/named/3
            @/v2/strange
             kind=data
            """ + "\n",
        setRoutes: setStrangeRoutes, prepare: prepareStrange, isReady: { $0.contains("‖") },
        steps: [
            Step(
                "g", "▌  ‖ ↓ e_over___[31mred_]0;title_.iso", "↓ a_[2Jb_]0;title_c", "↓ UTF-8''%1B%5B31m",
                "↓ etc "),
            Step("G", "▌  ✓ ◇ GET /v2/strange", back: ["g"]),
            Step("\r", "/e%0Dover%08%08%1B%5B31mred%1B%5D0%3Btitle%07.iso", back: ["q"]),
            Step("Ax", "Cancel 6 tasks?", "invoicefdp.exex", "日本語のとても長い名前.gz", back: ["n", "U"]),
            Step("e", "[ Save ]", "title%07.iso", back: [Keys.escape]),
            Step("/v2\rr\(Keys.escape)\r", "done · 100%", "Status     200 OK · text/plain", "196B of 196B"),
            Step("]", "X-Strange: a␛[2Jb␛]0;title␇cd␈e"),
            Step("]]]]]]", "binary · text/plain · 196B", "00000000  61 1b 5b 32 4a 62 1b 5d  30 3b 74 69 74 6c 65 07"),
        ])

    /// Paths of URLs that try to break out of their cells, and other scripts between them.
    static let strangePaths = [
        "e%0Dover%08%08%1B%5B31mred%1B%5D0%3Btitle%07.iso",
        "invoice%E2%80%AEfdp.exe%E2%81%A6%E2%80%8B%EF%BB%BFx",
        "%E6%97%A5%E6%9C%AC%E8%AA%9E%E3%81%AE%E3%81%A8%E3%81%A6%E3%82%82%E9%95%B7%E3%81%84%E5%90%8D%E5%89%8D.gz",
        "%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7%20%F0%9F%87%A9%F0%9F%87%AA%201%EF%B8%8F%E2%83%A3.jpg",
        "%C2%9B31m%C2%85%9B%FF%FE%C0%80%ED%A0%80.bin",
        "Z%CC%80%CC%81%CC%82%CC%83%CC%84%CC%85%CC%86algo",
    ]

    /// Everything that a terminal might obey or measure wrongly, in bytes.
    static let bytes: [UInt8] =
        Array("a\u{1B}[2Jb\u{1B}]0;title\u{7}c\rd\u{8}e\u{9B}31mf\u{85}g\u{202E}h\u{2066}i\u{200B}j\u{FEFF}k".utf8)
        + [0x9B, 0x33, 0xFF, 0xFE, 0xC0, 0x80] + Array("\u{301}日本語👨‍👩‍👧🇩🇪한국어".utf8)

    @Sendable private static func setStrangeRoutes(_ server: LoopbackServer) throws {
        let names = [
            Array("filename=\"".utf8) + bytes.filter { $0 != 0x0D } + Array("\"".utf8),
            Array("filename*=UTF-8''%1B%5B31m%E2%80%AE%E6%97%A5%E6%9C%AC%9B.txt".utf8),
            Array("filename=\"../../\u{1B}[5m..\u{200B}/etc\"".utf8),
        ]
        for (index, name) in names.enumerated() {
            let line = Array("Content-Disposition: attachment; ".utf8) + name
            let answer = Behaviour.respond(.text("some text\n"))
            server.setRoute("/named/\(index + 1)", answer.adjusting { $0.rawHeaderLines.append(line) })
        }
        var answer = ScriptedResponse(headers: ["Content-Type": "text/plain"], body: .bytes(bytes + bytes))
        answer.addsDate = false
        answer.rawHeaderLines = [Array("X-Strange: ".utf8) + bytes.filter { $0 != 0x0D }]
        server.setRoute("/v2/strange", .respond(answer))
    }

    @Sendable private static func prepareStrange(_ terminal: PseudoTerminal) async throws {
        try await terminal.waitForScreen("the answers") { $0.text.contains("paused 6 · done 4") }
    }
}

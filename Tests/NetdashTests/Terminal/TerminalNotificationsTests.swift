import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Bell and notifications of terminals")
struct TerminalNotificationsTests {
    private func sent(_ environment: [String: String], _ text: SafeText?, rings: Bool, isUTF8: Bool = true) -> String {
        let bytes = TerminalNotifications(environment: environment)
            .bytes(for: Announcement(text: text, rings: rings), isUTF8: isUTF8)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "Each terminal gets the order that it knows, wrapped for what stands in between",
        arguments: [
            (["TERM": "xterm-256color"], "\u{1B}]9;a; b\u{7}"), (["TERM": "xterm-kitty"], "\u{1B}]9;a; b\u{7}"),
            (["TERM": "foot"], "\u{1B}]777;notify;netdash;a, b\u{7}"),
            (["TERM": "rxvt-unicode-256color"], "\u{1B}]777;notify;netdash;a, b\u{7}"),
            (["TERM": "xterm-256color", "VTE_VERSION": "7600"], "\u{1B}]777;notify;netdash;a, b\u{7}"),
            (["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0"], "\u{1B}Ptmux;\u{1B}\u{1B}]9;a; b\u{7}\u{1B}\\"),
            (["TERM": "screen-256color", "TMUX": "/tmp/x,1,0"], "\u{1B}Ptmux;\u{1B}\u{1B}]9;a; b\u{7}\u{1B}\\"),
            (["TERM": "screen-256color", "STY": "1.pts"], "\u{1B}P\u{1B}]9;a; b\u{7}\u{1B}\\"),
            (["TERM": "linux"], ""), (["TERM": "dumb"], ""), ([:], ""),
        ])
    func orders(environment: [String: String], bytes: String) {
        #expect(sent(environment, "a; b", rings: false) == bytes)
        #expect(sent(environment, "a; b", rings: true) == "\u{7}" + bytes)
        #expect(sent(environment, nil, rings: true) == "\u{7}")
    }

    @Test("A name can neither end the order nor write beside it, and a long one is cut")
    func hostile() {
        let text = SafeText(untrusted: "x\u{7}\u{1B}]52;c;AAAA\u{1B}\\\u{9C}\u{9D}y")
        let bytes = sent(["TERM": "xterm"], text, rings: false)
        #expect(
            bytes.dropFirst().dropLast().allSatisfy {
                $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
            })
        #expect(sent(["TERM": "xterm"], SafeText("é") * 300, rings: false).count == 104 + 1)
        #expect(sent(["TERM": "xterm"], "日", rings: false, isUTF8: false) == "\u{1B}]9;?\u{7}")
    }
}

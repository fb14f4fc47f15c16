import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Title and taskbar on a terminal")
struct WindowOutputTests {
    private static func output(_ change: (inout TerminalSettings) -> Void = { _ in }) -> WindowOutput {
        var settings = TerminalSettings()
        settings.type = "xterm-256color"
        settings.showsProgress = true
        change(&settings)
        return WindowOutput(settings: settings, isUTF8: true)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("Only what has changed is sent")
    func changes() {
        var output = Self.output()
        output.setTitle("one")
        output.setProgress(.percent(5))
        #expect(Self.text(output.changes()) == "\u{1B}]2;one\u{7}\u{1B}]9;4;1;5\u{7}")
        output.setTitle("one")
        output.setProgress(.percent(5))
        #expect(output.changes().isEmpty)
        output.setProgress(.unknown)
        #expect(Self.text(output.changes()) == "\u{1B}]9;4;3;0\u{7}")
        output.setProgress(.paused(7))
        #expect(Self.text(output.changes()) == "\u{1B}]9;4;4;7\u{7}")
        output.setProgress(.none)
        #expect(Self.text(output.changes()) == "\u{1B}]9;4;0;0\u{7}")
        output.forget()
        #expect(Self.text(output.changes()) == "\u{1B}]2;one\u{7}")
    }

    @Test("What was there before comes back: the title from the terminal's stack, and no progress")
    func restoration() {
        #expect(Self.text(Self.output().entrance) == "\u{1B}[22;2t")
        #expect(Self.text(Self.output().restoration) == "\u{1B}]9;4;0;0\u{7}\u{1B}[23;2t")
    }

    @Test(
        "Where it is not wanted, or the terminal is not known to understand it, nothing is sent",
        arguments: ["linux", "vt100", "screen-256color", "dumb", "ansi"])
    func silence(type: String) {
        var output = Self.output { settings in
            settings.type = type
            settings.showsProgress = false
        }
        output.setTitle("one")
        output.setProgress(.percent(5))
        #expect(output.changes().isEmpty)
        #expect(output.entrance.isEmpty && output.restoration.isEmpty)
        var unwanted = Self.output { $0.setsTitle = false }
        unwanted.setTitle("one")
        unwanted.setProgress(.percent(5))
        #expect(Self.text(unwanted.changes()) == "\u{1B}]9;4;1;5\u{7}")
    }

    @Test("Nothing in a title can end it, and outside of UTF-8 it is ASCII")
    func untrusted() {
        var output = Self.output()
        output.setTitle(SafeText(untrusted: "a\u{7}b\u{9C}\u{1B}\\c\u{202E}"))
        let bytes = output.changes()
        #expect(bytes.filter { $0 < 0x20 || $0 == 0x7F } == [0x1B, 0x07])
        #expect(!Self.text(bytes).unicodeScalars.contains { (0x80...0x9F).contains($0.value) })
        var plain = WindowOutput(settings: Self.plainSettings, isUTF8: false)
        plain.setTitle(SafeText(untrusted: "œuvre"))
        #expect(Self.text(plain.changes()) == "\u{1B}]2;?uvre\u{7}")
    }

    private static var plainSettings: TerminalSettings {
        var settings = TerminalSettings()
        settings.type = "xterm"
        return settings
    }

    @Test(
        "The environment says which terminal takes progress",
        arguments: [
            (["TERM": "xterm-256color", "WT_SESSION": "1"], true), (["TERM": "xterm", "ConEmuANSI": "ON"], true),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], true), (["TERM": "xterm-ghostty"], true),
            (["TERM": "xterm-256color", "VTE_VERSION": "7900"], true),
            (["TERM": "xterm-256color", "VTE_VERSION": "7006"], false), (["TERM": "xterm-256color"], false),
            (["TERM": "tmux-256color", "WT_SESSION": "1"], false),
            (["TERM": "xterm-256color", "WT_SESSION": "1", "TMUX": "/tmp/x"], false),
            (["TERM": "screen-256color", "WT_SESSION": "1"], false), (["TERM": "dumb", "WT_SESSION": "1"], false),
            (["TERM": "linux", "WT_SESSION": "1"], false), (["WT_SESSION": "1"], false),
        ])
    func environments(environment: [String: String], isKnown: Bool) {
        #expect(TerminalSettings(environment: environment).showsProgress == isKnown)
    }
}

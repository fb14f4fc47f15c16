import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Terminal values")
struct TerminalValueTests {
    @Test(
        "Base64 encodes the vectors of its standard",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("\u{3FF}", "z78="),
        ])
    func base64(text: String, expected: String) {
        #expect(Base64.encode(text.utf8) == expected)
    }

    @Test("Without colour no role has one, and selection, failure and buttons can still be told apart")
    func monochromePalette() {
        let palette = Palette(usesColor: false)
        #expect(Role.allCases.allSatisfy { palette[$0].color == nil })
        for role in [Role.rowSelected, .dialogButtonSelected, .tabSelected, .stateFailed, .toastError, .field] {
            #expect(palette[role] != palette[.plain], "\(role)")
        }
    }

    @Test("No role is drawn in black or in blue, which one background or the other swallows")
    func legiblePalette() {
        let palette = Palette(usesColor: true)
        #expect(!Role.allCases.contains { [.black, .blue, .white].contains(palette[$0].color) })
    }

    @Test(
        "A terminal's name decides what can be drawn",
        arguments: [
            ("xterm-256color", true, GlyphSet.blocks, true), ("linux", true, .console, false),
            ("vt100", true, .ascii, true), ("xterm", false, .ascii, true),
        ])
    func capabilities(type: String, isUTF8: Bool, glyphs: GlyphSet, hasEighths: Bool) {
        let capabilities = TerminalForm(type: type, isUTF8: isUTF8).capabilities(glyphs: nil)
        #expect(capabilities.glyphs == glyphs)
        #expect(capabilities.hasEighths == hasEighths)
        #expect(capabilities.showsUnicode == isUTF8)
    }

    @Test("The user's choice of glyphs counts, except for what the locale cannot show")
    func chosenGlyphs() {
        #expect(TerminalForm(type: "vt100", isUTF8: true).capabilities(glyphs: .braille).glyphs == .braille)
        #expect(TerminalForm(type: "xterm", isUTF8: true).capabilities(glyphs: .ascii).glyphs == .ascii)
        #expect(TerminalForm(type: "xterm", isUTF8: false).capabilities(glyphs: .blocks).glyphs == .ascii)
    }

    @Test("The environment's settings are read, and nonsense is not")
    func settings() {
        #expect(TerminalSettings(environment: [:]).type == nil)
        #expect(TerminalSettings(environment: ["TERM": "xterm", "NO_COLOR": ""]).usesColor)
        #expect(!TerminalSettings(environment: ["NO_COLOR": "1"]).usesColor)
        #expect(TerminalSettings(environment: ["ESCDELAY": "100"]).escapeDelay == 100)
        #expect(TerminalSettings(environment: ["ESCDELAY": "-3"]).escapeDelay == 25)
        #expect(TerminalSettings(environment: ["ESCDELAY": "soon"]).escapeDelay == 25)
    }
}

@Suite("Frame pacer")
struct TerminalFramePacerTests {
    @Test("Nothing asked for, nothing due")
    func idle() {
        #expect(FramePacer(framesPerSecond: 4).due == nil)
    }

    @Test("Progress waits for its frame and is drawn once, however often it is asked for")
    func coalescing() {
        var pacer = FramePacer(framesPerSecond: 4)
        pacer.drew(now: 1000)
        for now in stride(from: Int64(1001), to: 1200, by: 10) { pacer.request(.whenDue, now: now) }
        #expect(pacer.due == 1250)
        pacer.drew(now: 1250)
        #expect(pacer.due == nil)
    }

    @Test("Progress after a quiet time is drawn at once")
    func quietTime() {
        var pacer = FramePacer(framesPerSecond: 4)
        pacer.drew(now: 1000)
        pacer.request(.whenDue, now: 5000)
        #expect(pacer.due == 5000)
    }

    @Test("A key does not wait for the frame of progress")
    func keys() {
        var pacer = FramePacer(framesPerSecond: 4)
        pacer.drew(now: 1000)
        pacer.request(.whenDue, now: 1001)
        pacer.request(.now, now: 1002)
        #expect(pacer.due == 1002)
    }

    @Test("A change of state is seen within 16 ms, and a storm of them costs a frame per 16 ms")
    func stateChanges() {
        var pacer = FramePacer(framesPerSecond: 4)
        pacer.drew(now: 1000)
        pacer.request(.soon, now: 1003)
        #expect(pacer.due == 1016)
        pacer.request(.whenDue, now: 1004)
        #expect(pacer.due == 1016)
    }

    @Test("Without the focus everything but keys is drawn once a second")
    func withoutFocus() {
        var pacer = FramePacer(framesPerSecond: 30)
        pacer.drew(now: 1000)
        pacer.hasFocus = false
        pacer.request(.whenDue, now: 1001)
        pacer.request(.soon, now: 1002)
        #expect(pacer.due == 2000)
        pacer.request(.now, now: 1003)
        #expect(pacer.due == 1003)
        pacer.drew(now: 1003)
        pacer.hasFocus = true
        pacer.request(.soon, now: 1004)
        #expect(pacer.due == 1019)
    }

    @Test(
        "A rate beyond reason is brought back to it",
        arguments: [(0, 1000), (-5, 1000), (1, 1000), (10, 100), (999, 16)])
    func rates(framesPerSecond: Int, interval: Int64) {
        var pacer = FramePacer(framesPerSecond: framesPerSecond)
        pacer.drew(now: 0)
        pacer.request(.whenDue, now: 0)
        #expect(pacer.due == interval)
    }
}
